"""cyclone_peer.py NODE SPEC...: a ROS 2 node on PyPI's cyclonedds, which shares nothing with ours.

Publishes what it reads and prints what it receives, messages in JSON. A SPEC is one argument,
`talk|listen TOPIC PACKAGE/TYPE [best_effort] [transient_local]`. It reads lines:

  TOPIC MESSAGE         publishes the message
  dispose TOPIC MESSAGE ends the message's instance, on a topic with keys
  wait TOPIC COUNT      answered with `matched TOPIC` when the other side of the topic has so many
  graph                 answered with `graph` and what it knows of the others, in JSON
  announce              publishes its ros_discovery_info again

and prints `ready`, then `message TOPIC JSON` for each message that it receives, and `disposed TOPIC` for each
instance that has ended. ROS_DOMAIN_ID says where, WIRE_DISTRO whose conventions it follows: how wide its Gids are, and
whether it tells a type hash. With WIRE_STRICT it ends with an error when it gets a ros_discovery_info in another form.
It ends with its input.
"""

import json
import os
import sys
from dataclasses import asdict

from cyclone_messages import TYPES, discovery_types
from cyclonedds.builtin import (BuiltinDataReader, BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription)
from cyclonedds.core import InstanceState, Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration
from line_peer import LinePeer

NAMESPACE = '/peers'
FOREVER = duration(infinite=True)
DISCOVERY_HASH = b'typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;'  # from Iron on
LATE_JOINERS_GET = Policy.DurabilityService(cleanup_delay=0, history=Policy.History.KeepLast(10), max_samples=-1,
                                            max_instances=-1, max_samples_per_instance=-1)


def say(*words):
    print(*(word if isinstance(word, str) else json.dumps(word) for word in words), flush=True)


def build(cls, content):
    """A message from what JSON says."""
    def value(annotation, given):
        if hasattr(annotation, '__dataclass_fields__'):
            return build(annotation, given)
        subtype = getattr(getattr(annotation, '__metadata__', [None])[0], 'subtype', None)
        if isinstance(given, list) and hasattr(subtype, '__dataclass_fields__'):
            return [build(subtype, one) for one in given]
        return given
    return cls(**{name: value(field.type, content[name]) for name, field in cls.__dataclass_fields__.items()})


def qos_of(words):
    return Qos(
        Policy.Reliability.BestEffort if 'best_effort' in words else Policy.Reliability.Reliable(FOREVER),
        Policy.Durability.TransientLocal if 'transient_local' in words else Policy.Durability.Volatile,
        Policy.History.KeepLast(10), LATE_JOINERS_GET, Policy.DataRepresentation(use_cdrv0_representation=True))


class Discovery:
    """ros_discovery_info, as rmw_dds_common speaks it."""

    def __init__(self, participant, name, endpoints):
        is_early = os.environ.get('WIRE_DISTRO') == 'humble'
        self.width = 24 if is_early else 16
        info, node, gid = discovery_types(self.width, bool(os.environ.get('WIRE_STRICT')))
        self.type = info
        topic = Topic(participant, 'ros_discovery_info', info)
        common = (Policy.Reliability.Reliable(FOREVER), Policy.Durability.TransientLocal,
                  Policy.DataRepresentation(use_cdrv0_representation=True))
        common += () if is_early else (Policy.Userdata(DISCOVERY_HASH),)
        self.reader = DataReader(participant, topic, Qos(*common, Policy.History.KeepAll))
        self.writer = DataWriter(participant, topic, Qos(*common, Policy.History.KeepLast(1)))
        readers, writers = ([gid(self.bytes_of(e.entity)) for e in endpoints if e.is_publisher == is_publisher]
                            for is_publisher in (False, True))
        self.own = info(gid(self.bytes_of(participant)), [node(NAMESPACE, name, readers, writers)])
        self.announce()
        self.nodes = {}

    def announce(self):
        self.writer.write(self.own)

    def bytes_of(self, entity):
        return list(entity.guid.bytes.ljust(self.width, b'\0'))

    def read(self):
        for told in self.reader.take(1000):
            if isinstance(told, self.type):
                self.nodes[bytes(told.gid.data)] = told.node_entities_info_seq

    def known(self):
        """The names of all nodes, and which of them an endpoint's Gid belongs to."""
        self.read()
        nodes = [node for told in self.nodes.values() for node in told]
        names = [f"{node.node_namespace.rstrip('/')}/{node.node_name}" for node in nodes]
        owners = {bytes(gid.data[:16]): name for node, name in zip(nodes, names)
                  for gid in [*node.reader_gid_seq, *node.writer_gid_seq]}
        return names, owners


class Endpoint:
    def __init__(self, participant, spec):
        role, self.topic, type_name, *policies = spec.split()
        self.type = TYPES[type_name]
        self.is_publisher = role == 'talk'
        self.can_take = not self.is_publisher
        topic = Topic(participant, 'rt' + self.topic, self.type)
        self.entity = (DataWriter if self.is_publisher else DataReader)(participant, topic, qos_of(policies))

    def matched(self):
        of = self.entity
        return len(of.get_matched_subscriptions() if self.is_publisher else of.get_matched_publications())

    def take(self):
        for message in self.entity.take(100):
            if isinstance(message, self.type):
                say('message', self.topic, asdict(message))
            elif message.sample_info.instance_state == InstanceState.NotAliveDisposed:
                say('disposed', self.topic)


class Peer(LinePeer):
    def __init__(self, name, specs):
        domain = int(os.environ.get('ROS_DOMAIN_ID', '0'))
        self.participant = DomainParticipant(domain, Qos(Policy.Userdata(b'enclave=/;')))
        super().__init__({one.topic: one for one in (Endpoint(self.participant, spec) for spec in specs)}, say)
        self.discovery = Discovery(self.participant, name, self.endpoints.values())
        self.builtin = [(kind, BuiltinDataReader(self.participant, builtin)) for kind, builtin in
                        (('writer', BuiltinTopicDcpsPublication), ('reader', BuiltinTopicDcpsSubscription))]
        self.others = {}

    def graph(self):
        for kind, reader in self.builtin:
            for one in reader.take(10000):
                if one.sample_info.instance_state != InstanceState.Alive:
                    self.others.pop(one.key, None)
                elif one.participant_key != self.participant.guid:
                    self.others[one.key] = (kind, one)
        names, owners = self.discovery.known()
        endpoints = []
        for kind, one in self.others.values():
            user_data = one.qos[Policy.Userdata].data if Policy.Userdata in one.qos else b''
            endpoints.append({'kind': kind, 'topic': one.topic_name, 'type': one.type_name,
                              'node': owners.get(one.key.bytes), 'user_data': user_data.decode('latin-1')})
        own = {one.topic: one.entity.guid.hex for one in self.endpoints.values()}
        own['ros_discovery_info'] = self.discovery.writer.guid.hex
        say('graph', {'own': own, 'nodes': names, 'endpoints': endpoints,
                      'topics': sorted({(e['topic'], e['type']) for e in endpoints})})

    def do(self, word, rest):
        if word == 'graph':
            self.graph()
        elif word == 'announce':
            self.discovery.announce()
        elif word == 'dispose':
            topic, _, text = rest.partition(' ')
            endpoint = self.endpoints[topic]
            endpoint.entity.dispose(build(endpoint.type, json.loads(text)))
        else:
            endpoint = self.endpoints[word]
            endpoint.entity.write(build(endpoint.type, json.loads(rest)))

    def look(self):
        self.discovery.read()


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    Peer(sys.argv[1], sys.argv[2:]).run()
