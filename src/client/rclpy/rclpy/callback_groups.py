"""Which callbacks of a node may run at the same time."""

from threading import Lock
import weakref


class CallbackGroup:
    """Decide which of its entities' callbacks may run; derive from it for rules of your own."""

    _kind = 'own'  # how executors treat it: 'own' rules are asked before each callback

    def __init__(self):
        """Make a group without entities."""
        self.entities = set()

    def add_entity(self, entity):
        """Add an entity, which is held weakly."""
        self.entities.add(weakref.ref(entity, self.entities.discard))

    def has_entity(self, entity):
        """Return whether the entity was added."""
        return weakref.ref(entity) in self.entities

    def can_execute(self, entity):
        """Return whether the entity's callback may run now."""
        raise NotImplementedError()

    def beginning_execution(self, entity):
        """Note that the entity's callback is about to run; return False if it may not."""
        raise NotImplementedError()

    def ending_execution(self, entity):
        """Note that the entity's callback has ended."""
        raise NotImplementedError()


class ReentrantCallbackGroup(CallbackGroup):
    """Let all callbacks run at any time."""

    _kind = 'reentrant'

    def __init_subclass__(cls, **kwargs):
        """Ask the rules of classes that are derived."""
        super().__init_subclass__(**kwargs)
        cls._kind = 'own'

    def can_execute(self, entity):
        """Return True."""
        return True

    def beginning_execution(self, entity):
        """Return True."""
        return True

    def ending_execution(self, entity):
        """Do nothing."""


class MutuallyExclusiveCallbackGroup(CallbackGroup):
    """Let one callback run at a time."""

    _kind = 'exclusive'

    def __init_subclass__(cls, **kwargs):
        """Ask the rules of classes that are derived."""
        super().__init_subclass__(**kwargs)
        cls._kind = 'own'

    def __init__(self):
        """Make a group in which nothing runs."""
        super().__init__()
        self._active_entity = None
        self._lock = Lock()

    def can_execute(self, entity):
        """Return whether nothing runs."""
        with self._lock:
            return self._active_entity is None

    def beginning_execution(self, entity):
        """Note what runs; return False if something else does."""
        with self._lock:
            if self._active_entity is not None:
                return False
            self._active_entity = entity
            return True

    def ending_execution(self, entity):
        """Note that nothing runs any more."""
        with self._lock:
            self._active_entity = None
