"""Results of the tests of one launch."""

import time
import unittest


class _ForAll(unittest.TestResult):
    """The same result for all tests of a run, none of which was executed."""

    def __init__(self, test_run):
        super().__init__()
        self.testTimes = dict.fromkeys(test_run.all_cases(), 0)
        self.testsRun = len(self.testTimes)

    @property
    def testCases(self):
        return self.testTimes.keys()


class FailResult(_ForAll):
    """All tests fail, since the processes ended too early."""

    def __init__(self, test_run, message):
        super().__init__(test_run)
        for case in self.testCases:
            self.addFailure(case, (Exception, Exception(message), None))

    def wasSuccessful(self):
        return False


class SkipResult(_ForAll):
    """All tests are skipped, since the description is."""

    def __init__(self, test_run, skip_reason=''):
        super().__init__(test_run)
        for case in self.testCases:
            self.addSkip(case, skip_reason)


class TestResult(unittest.TextTestResult):
    """Knows which tests ran and how long they took: `testTimes` has seconds by test."""

    def __init__(self, stream=None, descriptions=None, verbosity=None):
        super().__init__(stream, descriptions, verbosity)
        self.testTimes = {}
        self._started = None

    @property
    def testCases(self):
        return self.testTimes.keys()

    def startTest(self, test):
        self._started = time.monotonic()
        self.testTimes[test] = 0
        super().startTest(test)

    def stopTest(self, test):
        self.testTimes[test] = time.monotonic() - self._started
        super().stopTest(test)

    def append(self, results):
        """Adds those of another one."""
        self.testTimes.update(results.testTimes)
        self.testsRun += results.testsRun
        for name in ('failures', 'errors', 'skipped', 'expectedFailures', 'unexpectedSuccesses'):
            getattr(self, name).extend(getattr(results, name))
