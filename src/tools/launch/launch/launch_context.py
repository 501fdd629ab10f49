"""What actions and substitutions see while a launch file runs: configurations, environment, locals and events."""

import collections
import contextlib
import os


class _Locals:
    """Attribute access to the locals."""

    def __init__(self, values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        raise AttributeError(f"there is no local '{name}' in this place of the launch file")


class LaunchContext:
    """One for each run. Not thread-safe; LaunchService.emit_event() is."""

    def __init__(self, *, argv=None, noninteractive=False):
        self.argv = list(argv or [])
        self.noninteractive = noninteractive
        self.is_shutdown = False
        self.asyncio_loop = None
        self.launch_configurations = {}
        self.environment = os.environ
        self.events = collections.deque()
        self.on_change = None  # called when there is an event or a new future
        self._handlers = collections.deque()
        self._globals = {}
        self._locals = {}
        self._locals_stack = []
        self._configurations_stack = []
        self._environment_stack = []
        self._completion_futures = []
        self._process_count = 0

    # Locals and globals

    @property
    def locals(self):
        return _Locals(self.get_locals_as_dict())

    def get_locals_as_dict(self):
        return {**self._globals, **self._locals}

    def extend_globals(self, extensions):
        self._globals.update(extensions)

    def extend_locals(self, extensions):
        self._locals.update(extensions)

    def remove_locals(self, names):
        for name in names:
            self._locals.pop(name, None)

    @contextlib.contextmanager
    def fresh_locals(self):
        """What is added to the locals inside is forgotten afterwards."""
        self._locals_stack.append(dict(self._locals))
        try:
            yield
        finally:
            self._locals = self._locals_stack.pop()

    # Scopes

    def push_launch_configurations(self):
        self._configurations_stack.append(self.launch_configurations)
        self.launch_configurations = dict(self.launch_configurations)

    def pop_launch_configurations(self):
        if not self._configurations_stack:
            raise RuntimeError('PopLaunchConfigurations without PushLaunchConfigurations before it')
        self.launch_configurations = self._configurations_stack.pop()

    def push_environment(self):
        self._environment_stack.append(dict(os.environ))

    def pop_environment(self):
        if not self._environment_stack:
            raise RuntimeError('PopEnvironment without PushEnvironment before it')
        self.replace_environment(self._environment_stack.pop())

    def reset_environment(self):
        """Back to what the launch began with."""
        if self._environment_stack:
            self.replace_environment(self._environment_stack[0])

    @staticmethod
    def replace_environment(wanted):
        for name in [name for name in os.environ if name not in wanted]:
            del os.environ[name]
        os.environ.update(wanted)

    def scope(self):
        """The place in the launch files where this is called, for in_scope()."""
        files = {name: value for name, value in self._locals.items() if name.startswith('current_launch_file_')}
        return self.launch_configurations, files

    @contextlib.contextmanager
    def in_scope(self, scope):
        """Inside, configurations and launch file are those of that place: actions that come late, after a timer or
        an event, find what stood around them."""
        if scope is None:
            yield
            return
        before = self.launch_configurations
        self.launch_configurations = scope[0]
        self._locals.update(scope[1])
        try:
            yield
        finally:
            if self.launch_configurations is scope[0]:
                self.launch_configurations = before

    # Events

    def register_event_handler(self, event_handler, append=False):
        """The one registered last is asked first, unless `append`."""
        (self._handlers.append if append else self._handlers.appendleft)(event_handler)

    def unregister_event_handler(self, event_handler):
        if event_handler not in self._handlers:
            raise ValueError('this event handler is not registered')
        self._handlers.remove(event_handler)

    @property
    def event_handlers(self):
        return tuple(self._handlers)

    def would_handle_event(self, event):
        return any(handler.matches(event) for handler in self._handlers)

    def emit_event_sync(self, event):
        self.events.append(event)
        self._changed()

    async def emit_event(self, event):
        self.emit_event_sync(event)

    def add_completion_future(self, completion_future):
        """The launch goes on until this is done, too."""
        self._completion_futures.append(completion_future)
        completion_future.add_done_callback(lambda _: self._changed())
        self._changed()

    def completion_futures(self):
        """Those that are not done."""
        self._completion_futures = [future for future in self._completion_futures if not future.done()]
        return self._completion_futures

    def _changed(self):
        if self.on_change is not None:
            self.on_change()

    # Others

    def next_process_number(self):
        self._process_count += 1
        return self._process_count

    def perform_substitution(self, substitution):
        return substitution.perform(self)
