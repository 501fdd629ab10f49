"""How long the action ReadyToTest may take to come."""


def ready_to_test_action_timeout(timeout):
    """A decorator of generate_test_description: the tests begin within this many seconds, or fail. 15 without it."""
    def decorate(function):
        function.__ready_to_test_action_timeout__ = timeout
        return function
    return decorate
