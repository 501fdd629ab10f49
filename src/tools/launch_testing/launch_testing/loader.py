"""Tests of a module: one run of them for each launch."""

import functools
import inspect
import unittest

from .actions import ReadyToTest

DEFAULT_TIMEOUT = 15  # seconds until the tests have to begin


def _sub_entities(entity):
    yield from entity.describe_sub_entities()
    for _, entities in entity.describe_conditional_sub_entities():
        yield from entities


def _find_ready_to_test(entities):
    """The first ReadyToTest among the entities and in what they bring along; None if there is none."""
    for entity in entities:
        found = entity if isinstance(entity, ReadyToTest) else _find_ready_to_test(_sub_entities(entity))
        if found is not None:
            return found
    return None


def _cases(suite):
    """The tests in a suite, or in a list of tests."""
    for item in suite:
        if isinstance(item, unittest.TestCase):
            yield item
        else:
            yield from _cases(item)


def _keep_cases(suite):
    """Lets the suite remember its tests when they have run; unittest forgets them."""
    if isinstance(suite, unittest.TestSuite):
        suite._removeTestAtIndex = lambda index: None
        for item in suite:
            _keep_cases(item)


def _bind(function, arguments):
    """The function with those of the arguments that it takes."""
    taken = inspect.signature(function).parameters
    bound = functools.partial(function, **{name: value for name, value in arguments.items() if name in taken})
    return functools.update_wrapper(bound, function)  # with what decorators have set


class TestRun:
    """One launch with its tests."""

    def __init__(self, name, test_description_function, param_args, pre_shutdown_tests, post_shutdown_tests):
        self.name = name
        self.param_args = param_args
        self.pre_shutdown_tests = pre_shutdown_tests
        self.post_shutdown_tests = post_shutdown_tests
        self.timeout = getattr(test_description_function, '__ready_to_test_action_timeout__', DEFAULT_TIMEOUT)
        self.markers = getattr(test_description_function, '__markers__', {})
        self._test_description_function = test_description_function
        for suite in (pre_shutdown_tests, post_shutdown_tests):
            _keep_cases(suite)
        if param_args:
            for case in self.all_cases():
                self._name_with_parameters(case)

    def _name_with_parameters(self, case):
        method = getattr(case, case._testMethodName)
        case._testMethodName += self._format_parameters()
        setattr(case, case._testMethodName, method)

    def _format_parameters(self):
        return f"[{', '.join(map(str, self.param_args.values()))}]" if self.param_args else ''

    def __str__(self):
        return self.name + self._format_parameters()

    def all_cases(self):
        yield from _cases(self.pre_shutdown_tests)
        yield from _cases(self.post_shutdown_tests)

    def normalized_test_description(self, *, ready_fn):
        """The launch description, and the dict of what the tests may take as arguments. `ready_fn` is called when the
        tests may begin."""
        made = self._test_description_function()
        description, context = made if isinstance(made, tuple) else (made, {})
        action = _find_ready_to_test(description.entities)
        if action is None:
            raise Exception('generate_test_description has to return a launch description containing a ReadyToTest '
                            'action')
        action._add_callback(ready_fn)
        return description, context

    def get_launch_description(self):
        """To look at; not to be launched."""
        return self.normalized_test_description(ready_fn=lambda: None)[0]

    def bind(self, tests, injected_attributes=None, injected_args=None):
        """Gives the tests, and what is set up and torn down around them, attributes, and those arguments that they
        take."""
        classes = {type(case) for case in _cases(tests)}
        for test_class in classes:
            for name, value in (injected_attributes or {}).items():
                setattr(test_class, name, value)
            for name in ('setUpClass', 'tearDownClass'):
                setattr(test_class, name, staticmethod(_bind(getattr(test_class, name), injected_args or {})))
        for case in _cases(tests):
            for name in ('setUp', 'tearDown', case._testMethodName):
                setattr(case, name, _bind(getattr(case, name), injected_args or {}))


class _Loader(unittest.TestLoader):
    """Of the classes whose tests run after the shutdown, or of the others."""

    def __init__(self, after_shutdown):
        super().__init__()
        self._after_shutdown = after_shutdown

    def loadTestsFromTestCase(self, testCaseClass):
        if getattr(testCaseClass, '__post_shutdown_test__', False) != self._after_shutdown:
            return self.suiteClass()
        # Each run has classes of its own, since attributes are set in them.
        own_class = type(testCaseClass.__name__, (testCaseClass,),
                         {'__module__': testCaseClass.__module__, '__qualname__': testCaseClass.__qualname__,
                          '__doc__': testCaseClass.__doc__})
        return super().loadTestsFromTestCase(own_class)


def PreShutdownTestLoader():
    return _Loader(after_shutdown=False)


def PostShutdownTestLoader():
    return _Loader(after_shutdown=True)


def LoadTestsFromPythonModule(module, *, name='launch_tests'):
    """A TestRun for each launch that the module's generate_test_description asks for."""
    generate = getattr(module, 'generate_test_description', None)
    if generate is None:
        raise Exception(f"{getattr(module, '__file__', module.__name__)} has no function generate_test_description")
    descriptions = generate() if hasattr(generate, '__parametrized__') else [(generate, {})]
    return [TestRun(name, description, arguments, PreShutdownTestLoader().loadTestsFromModule(module),
                    PostShutdownTestLoader().loadTestsFromModule(module)) for description, arguments in descriptions]
