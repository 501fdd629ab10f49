"""Results as XML that JUnit's readers take."""

import re
import xml.etree.ElementTree as ElementTree

_NOT_IN_XML = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')


def _element(tag, **attributes):
    """An element with these attributes; what XML cannot hold, such as escape sequences, becomes a question mark."""
    return ElementTree.Element(tag, {name: _NOT_IN_XML.sub('?', str(value)) for name, value in attributes.items()})


def _failures(result):
    """Pairs of test and text; a test that was expected to fail and did not is one of them."""
    return [*result.failures, *((case, 'unexpected success') for case in result.unexpectedSuccesses)]


def _counts(results):
    return {'tests': sum(result.testsRun for result in results),
            'failures': sum(len(_failures(result)) for result in results),
            'errors': sum(len(result.errors) for result in results),
            'skipped': sum(len(result.skipped) for result in results),
            'time': round(sum(sum(result.testTimes.values()) for result in results), 3)}


def unittestResultsToXml(*, name='launch_test', test_results=None):
    """A tree of <testsuites> of a dict of results; its keys are the names of the suites."""
    test_results = test_results or {}
    root = _element('testsuites', name=name, **_counts(test_results.values()))
    root.extend(unittestResultToXml(str(suite), result) for suite, result in test_results.items())
    return ElementTree.ElementTree(root)


def unittestResultToXml(name, test_result):
    """A <testsuite>. It also has as cases what failed around the tests, such as setUpClass()."""
    suite = _element('testsuite', name=name, **_counts([test_result]))
    cases = dict.fromkeys(test_result.testCases)
    for case, _ in [*test_result.errors, *_failures(test_result), *test_result.skipped]:
        cases.setdefault(_whole_test(case))
    suite.extend(unittestCaseToXml(test_result, case) for case in cases)
    return suite


def _whole_test(case):
    """The test that a sub-test belongs to."""
    return getattr(case, 'test_case', case)


def unittestCaseToXml(test_result, test_case):
    """A <testcase>."""
    method, _, qualifiers = test_case.id().partition(' ')
    class_name, _, method = method.rpartition('.')
    element = _element('testcase', classname=class_name, name=f'{method} {qualifiers}'.strip(),
                       time=round(test_result.testTimes.get(test_case, 0), 3))
    for tag, reports in (('failure', _failures(test_result)), ('error', test_result.errors),
                         ('skipped', test_result.skipped)):
        element.extend(_element(tag, message=text) for case, text in reports if _whole_test(case) == test_case)
    return element
