"""Handlers for descriptions of tests."""

from launch.event_handlers import OnProcessIO
from launch.utilities import alias_modules, normalize_to_list_of_entities


class StdoutReadyListener(OnProcessIO):
    """Visits `actions`, such as ReadyToTest, when a process writes `ready_txt` to its standard output. A text that is
    split over two writes is not noticed."""

    def __init__(self, *, target_action=None, ready_txt, actions):
        self._actions = normalize_to_list_of_entities(actions)
        self._ready_txt = ready_txt
        super().__init__(target_action=target_action, on_stdout=self._react)

    def _react(self, event):
        return self._actions if self._ready_txt in event.text.decode(errors='replace') else None

    def describe(self):
        return super().describe()[0], self._actions


__all__ = ['StdoutReadyListener']
alias_modules(__name__, __all__)
