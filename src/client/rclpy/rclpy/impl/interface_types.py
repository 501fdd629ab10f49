"""What type hints say of interfaces: any message, service or action, and those that actions are made of."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from builtin_interfaces.msg import Time
    from service_msgs.msg import ServiceEventInfo
    from unique_identifier_msgs.msg import UUID

Msg = Any

MsgT = TypeVar('MsgT')
SrvRequestT = TypeVar('SrvRequestT')
SrvResponseT = TypeVar('SrvResponseT')
GoalT = TypeVar('GoalT')
ResultT = TypeVar('ResultT')
FeedbackT = TypeVar('FeedbackT')
ImplT = TypeVar('ImplT')
SrvT = TypeVar('SrvT')
ActionT = TypeVar('ActionT')


class EventMessage(Protocol):
    """What a service that is watched publishes."""

    info: ServiceEventInfo


class Srv(Generic[SrvRequestT, SrvResponseT]):
    """A service."""


class Action(Generic[GoalT, ResultT, FeedbackT, ImplT]):
    """An action."""


class SendGoalServiceRequest(Protocol[GoalT]):
    """What sends a goal."""

    goal_id: UUID
    goal: GoalT


class SendGoalServiceResponse(Protocol):
    """Whether a goal is accepted."""

    accepted: bool
    stamp: Time


class GetResultServiceRequest(Protocol):
    """What asks for the result of a goal."""

    goal_id: UUID


class GetResultServiceResponse(Protocol[ResultT]):
    """How a goal has ended."""

    status: int
    result: ResultT


class FeedbackMessage(Protocol[FeedbackT]):
    """How far a goal is."""

    goal_id: UUID
    feedback: FeedbackT


SendGoalService = Srv[Any, Any]
GetResultService = Srv[Any, Any]
