"""cyclone_service.py serve|call SERVICE: a server or a client of example_interfaces/AddTwoInts on PyPI's cyclonedds.

It numbers requests as stock nodes over Cyclone DDS do: a number of the client and one of the request before the body.
Lines in and out as of wire_service. With `call`, each request is preceded by one in another client's name.
"""

import os
import select
import sys
from dataclasses import dataclass

from cyclone_peer import FOREVER, say
from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.annotations import final
from cyclonedds.idl.types import int64, uint64
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic

CLIENT = os.getpid()
ANOTHER = CLIENT << 32


@dataclass
@final
class Request(IdlStruct, typename='example_interfaces::srv::dds_::AddTwoInts_Request_'):
    client: uint64
    number: int64
    a: int64
    b: int64


@dataclass
@final
class Reply(IdlStruct, typename='example_interfaces::srv::dds_::AddTwoInts_Response_'):
    client: uint64
    number: int64
    sum: int64


def lines():
    """Those of the standard input that are complete; None when it has ended."""
    text = b''
    while True:
        readable, _, _ = select.select([0], [], [], 0.005)
        if readable:
            chunk = os.read(0, 1 << 16)
            if not chunk:
                yield None
                return
            text += chunk
        *complete, text = text.split(b'\n')
        yield [line.decode() for line in complete]


class Service:
    def __init__(self, role, service):
        participant = DomainParticipant(int(os.environ['ROS_DOMAIN_ID']), Qos(Policy.Userdata(b'enclave=/;')))
        is_server = role == 'serve'
        user_data = b'serviceid=1.2.3;' if is_server else b'clientid=4.5.6;'
        qos = Qos(Policy.Reliability.Reliable(FOREVER), Policy.Durability.Volatile, Policy.History.KeepLast(100),
                  Policy.Userdata(user_data), Policy.DataRepresentation(use_cdrv0_representation=True))
        requests = Topic(participant, f'rq{service}Request', Request)
        replies = Topic(participant, f'rr{service}Reply', Reply)
        self.reader = DataReader(participant, requests if is_server else replies, qos)
        self.writer = DataWriter(participant, replies if is_server else requests, qos)

    def is_matched(self):
        return self.reader.get_matched_publications() and self.writer.get_matched_subscriptions()

    def serve(self):
        say('ready')
        for told in lines():
            if told is None:
                return
            for request in self.reader.take(100):
                if isinstance(request, Request):
                    # To somebody else first: who takes that has not looked whom it is for.
                    self.writer.write(Reply(request.client ^ 1, request.number, -1))
                    self.writer.write(Reply(request.client, request.number, request.a + request.b))

    def call(self):
        number, is_ready = 0, False
        for told in lines():
            if told is None:
                return
            if not is_ready and self.is_matched():
                is_ready = True
                say('ready')
            for line in told:
                number += 1
                a, b = map(int, line.split())
                self.writer.write(Request(ANOTHER, number, 1000, 1000))
                self.writer.write(Request(CLIENT, number, a, b))
            for reply in self.reader.take(100):
                if isinstance(reply, Reply) and reply.client == CLIENT:
                    say('sum', str(reply.sum))


if __name__ == '__main__':
    role, name = sys.argv[1:]
    getattr(Service(role, name), role)()
