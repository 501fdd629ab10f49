"""Decorators of test descriptions and of tests."""

import functools
import time
import unittest


def keep_alive(test_description):
    """Of generate_test_description: the launch goes on when all of its processes have ended, until the tests are
    over."""
    markers = getattr(test_description, '__markers__', {})
    test_description.__markers__ = {**markers, 'keep_alive': True}
    return test_description


class _Attempt:
    """What a test has reported in sub-tests since it began; it can be taken back."""

    def __init__(self, test):
        self._outcome = getattr(test, '_outcome', None) if isinstance(test, unittest.TestCase) else None
        result = getattr(self._outcome, 'result', None)
        self._lists = [] if result is None else [result.failures, result.errors]
        self._lengths = [len(reports) for reports in self._lists]

    def has_failed(self):
        return self._outcome is not None and not self._outcome.success

    def take_back(self):
        for reports, length in zip(self._lists, self._lengths):
            del reports[length:]
        if self._outcome is not None:
            self._outcome.success = True


def retry_on_failure(*, times, delay=None):
    """Of a test: it is tried up to `times` times, as long as an assertion fails, with `delay` seconds between. Other
    exceptions fail at once."""
    if times < 1:
        raise ValueError(f'retry_on_failure: times is at least 1, not {times}')

    def decorate(test):
        @functools.wraps(test)
        def repeated(self, *args, **kwargs):
            for _ in range(times - 1):
                attempt = _Attempt(self)
                try:
                    returned = test(self, *args, **kwargs)
                    if not attempt.has_failed():
                        return returned
                except AssertionError:
                    pass
                attempt.take_back()
                time.sleep(delay or 0)
            return test(self, *args, **kwargs)
        return repeated
    return decorate
