"""Functions of the launch file that are called while it runs."""

from ..action import Action
from ..event_handlers import OnShutdown


class OpaqueFunction(Action):
    """Calls function(context, *args, **kwargs), which may return entities."""

    def __init__(self, *, function, args=None, kwargs=None, **left_over_kwargs):
        super().__init__(**left_over_kwargs)
        if not callable(function):
            raise TypeError(f'OpaqueFunction: function has to be callable, not {function!r}')
        self._function = function
        self._args = list(args or [])
        self._kwargs = dict(kwargs or {})

    def describe(self):
        return f"OpaqueFunction('{getattr(self._function, '__name__', self._function)}')"

    def execute(self, context):
        return self._function(context, *self._args, **self._kwargs)


class OpaqueCoroutine(Action):
    """Runs coroutine(context, *args, **kwargs) beside everything else; it is cancelled at shutdown."""

    def __init__(self, *, coroutine, args=None, kwargs=None, ignore_context=False, **left_over_kwargs):
        super().__init__(**left_over_kwargs)
        self._coroutine = coroutine
        self._args = list(args or [])
        self._kwargs = dict(kwargs or {})
        self._ignore_context = ignore_context
        self._task = None

    def describe(self):
        return f"OpaqueCoroutine('{getattr(self._coroutine, '__name__', self._coroutine)}')"

    def execute(self, context):
        args = self._args if self._ignore_context else [context, *self._args]
        self._task = context.asyncio_loop.create_task(self._coroutine(*args, **self._kwargs))
        context.register_event_handler(OnShutdown(on_shutdown=self._cancel))

    def _cancel(self, event, context):
        self._task.cancel()

    def get_asyncio_future(self):
        return self._task
