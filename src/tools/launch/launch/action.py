"""The base of all actions: conditions, and where in which file the action was written."""

from .condition import Condition
from .conditions import IfCondition, UnlessCondition
from .events import ExecutionComplete
from .launch_description_entity import LaunchDescriptionEntity
from .utilities import ensure_argument_type, place_of_caller


class Action(LaunchDescriptionEntity):
    """Something that a launch file asks for. Subclasses have execute()."""

    def __init__(self, *, condition=None):
        if condition is not None:
            ensure_argument_type(condition, Condition, 'condition', type(self).__name__)
        self._condition = condition
        self.launch_location = place_of_caller()

    @staticmethod
    def parse(entity, parser):
        """Keyword arguments of the constructor, read from an element of a launch file: `if` and `unless`."""
        if_text = entity.get_attr('if', optional=True)
        unless_text = entity.get_attr('unless', optional=True)
        if if_text is not None and unless_text is not None:
            raise ValueError("'if' and 'unless' exclude each other")
        if if_text is not None:
            return Action, {'condition': IfCondition(parser.parse_substitution(if_text))}
        if unless_text is not None:
            return Action, {'condition': UnlessCondition(parser.parse_substitution(unless_text))}
        return Action, {}

    @property
    def condition(self):
        return self._condition

    def describe(self):
        return type(self).__name__

    def get_sub_entities(self):
        return []

    def describe_sub_entities(self):
        return self.get_sub_entities() if self._condition is None else []

    def describe_conditional_sub_entities(self):
        if self._condition is None or not self.get_sub_entities():
            return []
        return [(f'if {self._condition.describe()}', self.get_sub_entities())]

    def visit(self, context):
        """Executes the action if its condition holds, and tells so once it is over."""
        if self._condition is not None and not self._condition.evaluate(context):
            return None
        try:
            return self.execute(context)
        finally:
            self._tell_completion(context)

    def _tell_completion(self, context):
        event = ExecutionComplete(action=self)
        if context.would_handle_event(event):
            future = self.get_asyncio_future()
            if future is None:
                context.emit_event_sync(event)
            else:
                future.add_done_callback(lambda _: context.emit_event_sync(event))

    def execute(self, context):
        """Does it. Returns further entities to visit, or None."""
        raise NotImplementedError(f'{type(self).__name__} has no execute()')


class ProcessAction(Action):
    """An action that runs a process: one to which the handlers of processes' events may be bound."""
