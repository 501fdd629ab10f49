"""cyclone_action.py serve|send ACTION: a server or a client of example_interfaces/Fibonacci on PyPI's cyclonedds.

It has what an action consists of in ROS 2: three services, numbered as stock nodes over Cyclone DDS do, and two topics.
Lines in and out as of wire_action; a server also prints `asked ORDER`, a client `status NUMBER` for its goals.
"""

import os
import sys
import uuid
from dataclasses import dataclass

from cyclone_peer import FOREVER, LATE_JOINERS_GET, say
from cyclone_service import lines
from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.annotations import final
from cyclonedds.idl.types import array, int8, int32, int64, sequence, uint8, uint32, uint64
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic

CLIENT = os.getpid()
EXECUTING, CANCELING, SUCCEEDED, CANCELED = 2, 3, 4, 5
UNTIL_CANCELLED = -1


@dataclass
@final
class Uuid(IdlStruct, typename='unique_identifier_msgs::msg::dds_::UUID_'):
    uuid: array[uint8, 16]


@dataclass
@final
class Time(IdlStruct, typename='builtin_interfaces::msg::dds_::Time_'):
    sec: int32
    nanosec: uint32


@dataclass
@final
class GoalInfo(IdlStruct, typename='action_msgs::msg::dds_::GoalInfo_'):
    goal_id: Uuid
    stamp: Time


@dataclass
@final
class GoalStatus(IdlStruct, typename='action_msgs::msg::dds_::GoalStatus_'):
    goal_info: GoalInfo
    status: int8


@dataclass
@final
class GoalStatusArray(IdlStruct, typename='action_msgs::msg::dds_::GoalStatusArray_'):
    status_list: sequence[GoalStatus]


FIBONACCI = 'example_interfaces::action::dds_::Fibonacci_'


@dataclass
@final
class Goal(IdlStruct, typename=FIBONACCI + 'Goal_'):
    order: int32


@dataclass
@final
class Result(IdlStruct, typename=FIBONACCI + 'Result_'):
    sequence: sequence[int32]


@dataclass
@final
class Feedback(IdlStruct, typename=FIBONACCI + 'Feedback_'):
    sequence: sequence[int32]


@dataclass
@final
class FeedbackMessage(IdlStruct, typename=FIBONACCI + 'FeedbackMessage_'):
    goal_id: Uuid
    feedback: Feedback


# Requests and replies begin with the client's number and the request's.

@dataclass
@final
class SendGoalRequest(IdlStruct, typename=FIBONACCI + 'SendGoal_Request_'):
    client: uint64
    number: int64
    goal_id: Uuid
    goal: Goal


@dataclass
@final
class SendGoalResponse(IdlStruct, typename=FIBONACCI + 'SendGoal_Response_'):
    client: uint64
    number: int64
    accepted: bool
    stamp: Time


@dataclass
@final
class GetResultRequest(IdlStruct, typename=FIBONACCI + 'GetResult_Request_'):
    client: uint64
    number: int64
    goal_id: Uuid


@dataclass
@final
class GetResultResponse(IdlStruct, typename=FIBONACCI + 'GetResult_Response_'):
    client: uint64
    number: int64
    status: int8
    result: Result


@dataclass
@final
class CancelGoalRequest(IdlStruct, typename='action_msgs::srv::dds_::CancelGoal_Request_'):
    client: uint64
    number: int64
    goal_info: GoalInfo


@dataclass
@final
class CancelGoalResponse(IdlStruct, typename='action_msgs::srv::dds_::CancelGoal_Response_'):
    client: uint64
    number: int64
    return_code: int8
    goals_canceling: sequence[GoalInfo]


SERVICES = {'send_goal': (SendGoalRequest, SendGoalResponse), 'get_result': (GetResultRequest, GetResultResponse),
            'cancel_goal': (CancelGoalRequest, CancelGoalResponse)}


class Action:
    def __init__(self, role, action):
        self.participant = DomainParticipant(int(os.environ['ROS_DOMAIN_ID']), Qos(Policy.Userdata(b'enclave=/;')))
        self.is_server = role == 'serve'
        self.readers, self.writers, self.number = {}, {}, 0
        for name, (request, reply) in SERVICES.items():
            requests = Topic(self.participant, f'rq{action}/_action/{name}Request', request)
            replies = Topic(self.participant, f'rr{action}/_action/{name}Reply', reply)
            user_data = (b'serviceid=1.2.' if self.is_server else b'clientid=4.5.') + f'{len(self.readers)};'.encode()
            qos = self.qos(Policy.Durability.Volatile, 100, Policy.Userdata(user_data))
            self.readers[name] = DataReader(self.participant, requests if self.is_server else replies, qos)
            self.writers[name] = DataWriter(self.participant, replies if self.is_server else requests, qos)
        end = DataWriter if self.is_server else DataReader
        ends = self.writers if self.is_server else self.readers
        ends['feedback'] = end(self.participant, Topic(self.participant, f'rt{action}/_action/feedback',
                                                       FeedbackMessage), self.qos(Policy.Durability.Volatile, 10))
        ends['status'] = end(self.participant, Topic(self.participant, f'rt{action}/_action/status', GoalStatusArray),
                             self.qos(Policy.Durability.TransientLocal, 1, LATE_JOINERS_GET))

    @staticmethod
    def qos(durability, depth, *more):
        return Qos(Policy.Reliability.Reliable(FOREVER), durability, Policy.History.KeepLast(depth),
                   Policy.DataRepresentation(use_cdrv0_representation=True), *more)

    def take(self, name):
        kind = {**{name: parts[0 if self.is_server else 1] for name, parts in SERVICES.items()},
                'feedback': FeedbackMessage, 'status': GoalStatusArray}[name]
        for sample in self.readers[name].take(100):
            if isinstance(sample, kind) and (self.is_server or getattr(sample, 'client', CLIENT) == CLIENT):
                yield sample

    def is_matched(self):
        return all(reader.get_matched_publications() for reader in self.readers.values()) and all(
            writer.get_matched_subscriptions() for writer in self.writers.values())


class Server(Action):
    """Each time it looks it executes a step of each goal."""

    def run(self):
        self.goals, self.waiting = {}, []
        say('ready')
        for told in lines():
            if told is None:
                return
            for request in self.take('send_goal'):
                self.begin(request)
            for request in self.take('cancel_goal'):
                self.cancel(request)
            self.waiting += self.take('get_result')
            for goal in self.goals.values():
                self.step(goal)
            self.answer()

    def begin(self, request):
        say('asked', str(request.goal.order))
        accepted = request.goal.order >= UNTIL_CANCELLED
        if accepted:
            self.goals[bytes(request.goal_id.uuid)] = {
                'id': request.goal_id, 'order': request.goal.order, 'numbers': [0, 1], 'status': EXECUTING, 'steps': 1}
        self.writers['send_goal'].write(SendGoalResponse(request.client, request.number, accepted, Time(7, 8)))
        self.tell()

    def cancel(self, request):
        goal = self.goals.get(bytes(request.goal_info.goal_id.uuid))
        is_cancelling = goal is not None and goal['status'] == EXECUTING
        if is_cancelling:
            goal['status'] = CANCELING
            self.tell()
        self.writers['cancel_goal'].write(CancelGoalResponse(
            request.client, request.number, 0 if is_cancelling else 1, [request.goal_info] if is_cancelling else []))

    def step(self, goal):
        if goal['status'] == CANCELING:
            goal['status'] = CANCELED
            self.tell()
        elif goal['status'] == EXECUTING:
            goal['steps'] += 1
            if goal['order'] != UNTIL_CANCELLED:
                if goal['steps'] > goal['order']:
                    goal['status'] = SUCCEEDED
                    self.tell()
                    return
                goal['numbers'].append(sum(goal['numbers'][-2:]))
            self.writers['feedback'].write(FeedbackMessage(goal['id'], Feedback(goal['numbers'])))

    def tell(self):
        self.writers['status'].write(GoalStatusArray([
            GoalStatus(GoalInfo(goal['id'], Time(7, 8)), goal['status']) for goal in self.goals.values()]))

    def answer(self):
        still = []
        for request in self.waiting:
            goal = self.goals.get(bytes(request.goal_id.uuid), {'status': 0, 'numbers': []})
            if goal['status'] in (EXECUTING, CANCELING):
                still.append(request)
            else:
                self.writers['get_result'].write(GetResultResponse(request.client, request.number, goal['status'],
                                                                   Result(goal['numbers'])))
        self.waiting = still


class Client(Action):
    def run(self):
        self.goals, is_ready = {}, False
        for told in lines():
            if told is None:
                return
            if not is_ready and self.is_matched():
                is_ready = True
                say('ready')
            for line in told:
                self.send(int(line))
            for reply in self.take('send_goal'):
                self.answered(reply)
            for message in self.take('feedback'):
                self.heard(message)
            for reply in self.take('cancel_goal'):
                say('cancelling', str(len(reply.goals_canceling)))
            for array_ in self.take('status'):
                for status in array_.status_list:
                    if bytes(status.goal_info.goal_id.uuid) in self.goals:
                        say('status', str(status.status))
            for reply in self.take('get_result'):
                say('result', str(reply.status), '[' + ','.join(map(str, reply.result.sequence)) + ']')

    def ask(self, service, kind, *body):
        self.number += 1
        self.writers[service].write(kind(CLIENT, self.number, *body))
        return self.number

    def send(self, order):
        goal = {'id': Uuid(list(uuid.uuid4().bytes)), 'order': order, 'is_cancelled': False}
        self.goals[bytes(goal['id'].uuid)] = goal
        goal['number'] = self.ask('send_goal', SendGoalRequest, goal['id'], Goal(order))

    def answered(self, reply):
        goal = next(goal for goal in self.goals.values() if goal['number'] == reply.number)
        if reply.accepted:
            self.ask('get_result', GetResultRequest, goal['id'])
        else:
            say('rejected')

    def heard(self, message):
        goal = self.goals.get(bytes(message.goal_id.uuid))
        if goal is None:
            return
        say('feedback', str(message.feedback.sequence[-1]))
        if goal['order'] == UNTIL_CANCELLED and not goal['is_cancelled']:
            goal['is_cancelled'] = True
            self.ask('cancel_goal', CancelGoalRequest, GoalInfo(goal['id'], Time(0, 0)))


if __name__ == '__main__':
    role, name = sys.argv[1:]
    (Server if role == 'serve' else Client)(role, name).run()
