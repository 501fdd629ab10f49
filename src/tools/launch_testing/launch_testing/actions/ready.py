"""When the tests begin."""

from launch.action import Action


class ReadyToTest(Action):
    """From here on the tests run. Every description of tests has one."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._callbacks = []

    def _add_callback(self, callback):
        self._callbacks.append(callback)

    def execute(self, context):
        for callback in self._callbacks:
            callback()
