"""zenoh_peer.py NODE SPEC...: a ROS 2 node on PyPI's eclipse-zenoh, which shares nothing with ours but Zenoh itself.

It writes keys, liveliness tokens and attachments as ROS 2's design document for rmw_zenoh has them; messages and
hashes of types are PyPI's rosbags'. A SPEC is one argument, `talk|listen TOPIC PACKAGE/TYPE [best_effort]
[transient_local]`, or `serve|call SERVICE` of example_interfaces/AddTwoInts. It reads lines:

  TOPIC MESSAGE         publishes the message, which is JSON
  SERVICE A B           calls, answered with `sum SUM`
  wait TOPIC COUNT      answered with `matched TOPIC` when the other side of the topic has so many
  graph                 answered with `graph` and all liveliness tokens, in JSON

and prints `ready`, then `message TOPIC JSON` for each message that it receives. With WIRE_DISTRO=humble it knows no
hashes, with WIRE_OLD=1 it attaches as nodes before mid-2025. It ends with its input. `zenoh_peer.py --router` is a
router.
"""

import json
import os
import struct
import sys
import threading
import time

import numpy
import zenoh
import zenoh.ext
from rosbags.typesys import Stores, get_typestore

STORE = get_typestore(Stores.ROS2_JAZZY)
DOMAIN = os.environ.get('ROS_DOMAIN_ID', '0')
SERVICE_TYPE = 'example_interfaces::srv::dds_::AddTwoInts_'
SERVICE_HASH = 'RIHS01_e118de6bf5eeb66a2491b5bda11202e7b68f198d6f67922cf30364858239c81a'
IS_HUMBLE = os.environ.get('WIRE_DISTRO') == 'humble'
IS_OLD = os.environ.get('WIRE_OLD') == '1'
KINDS = {'talk': 'MP', 'listen': 'MS', 'serve': 'SS', 'call': 'SC'}
OTHERS = {'talk': 'MS', 'listen': 'MP', 'serve': 'SC', 'call': 'SS'}
SAYING = threading.Lock()


def say(*words):
    with SAYING:
        print(*(word if isinstance(word, str) else json.dumps(word) for word in words), flush=True)


def full(type_name):
    package, name = type_name.split('/')
    return f'{package}/msg/{name}'


def build(type_name, content):
    """A message from what JSON says."""
    def value(description, given):
        kind, detail = int(description[0]), description[1]
        if kind == 1:  # a primitive
            return given
        if kind == 2:  # a message
            return build(detail, given)
        element = detail[0]
        if int(element[0]) == 1 and element[1][0] != 'string':
            return numpy.array(given, dtype={'byte': 'uint8', 'char': 'uint8'}.get(element[1][0], element[1][0]))
        return [value(element, one) for one in given]
    fields = STORE.fielddefs[type_name][1]
    return STORE.types[type_name](**{name: value(description, content[name]) for name, description in fields})


def plain(value):
    """What JSON can say of it."""
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, list):
        return [plain(one) for one in value]
    if hasattr(value, '__dataclass_fields__'):
        return {name: plain(getattr(value, name)) for name, _ in STORE.fielddefs[value.__msgtype__][1]}
    return value.item() if isinstance(value, numpy.generic) else value


def attachment(sequence, gid, stamp=None):
    parts = [struct.pack('<q', sequence), struct.pack('<q', stamp or time.time_ns()), b'\x10' + gid]
    if IS_OLD:
        parts = [b'\x0fsequence_number', parts[0], b'\x10source_timestamp', parts[1], b'\x0asource_gid', parts[2]]
    return b''.join(parts)


def read_attachment(given):
    """Sequence, stamp and gid of the 33 bytes that nodes write today."""
    sequence, stamp, size = struct.unpack_from('<qqB', given.to_bytes())
    assert size == 16 and len(given) == 33, given.to_bytes()
    return sequence, stamp, given.to_bytes()[17:]


class Node:
    def __init__(self, session, name):
        self.session, self.name = session, name
        self.tokens = {}
        self.endpoints = {}
        self.last_id = 0
        self.own = self.declare('NN', 0, '')
        self.watch = session.liveliness().declare_subscriber(f'@ros2_lv/{DOMAIN}/**', self.heard, history=True)

    def declare(self, kind, number, rest):
        token = f'@ros2_lv/{DOMAIN}/{self.session.zid()}/0/{number}/{kind}/%/%peers/{self.name}{rest}'
        return self.session.liveliness().declare_token(token)

    def heard(self, sample):
        key = str(sample.key_expr)
        if sample.kind == zenoh.SampleKind.PUT:
            self.tokens[key] = True
        else:
            self.tokens.pop(key, None)

    def add(self, spec):
        role, name, *words = spec.split()
        is_service = role in ('serve', 'call')
        if is_service:
            type_name, type_hash = SERVICE_TYPE, SERVICE_HASH
        else:
            ros_type = full(words.pop(0))
            package, kind, short = ros_type.split('/')
            type_name, type_hash = f'{package}::{kind}::dds_::{short}_', STORE.hash_rihs01(ros_type)
        if IS_HUMBLE:
            type_hash = 'TypeHashNotSupported'
        self.last_id += 1
        gid = os.urandom(16)
        key = f'{DOMAIN}{name}/{type_name}/{type_hash}'
        reliability = '2' if 'best_effort' in words else ''
        durability = '1' if 'transient_local' in words else ''
        keep = {'talk': lambda: self.talk(key, words), 'listen': lambda: self.listen(name, ros_type, key, words),
                'serve': lambda: self.serve(key), 'call': lambda: key}[role]()
        token = self.declare(KINDS[role], self.last_id,
                             f'/{name.replace("/", "%")}/{type_name}/{type_hash}/{reliability}:{durability}:,10:,:,:,,')
        self.endpoints[name] = {'role': role, 'key': key, 'gid': gid, 'keep': keep, 'token': token, 'sequence': 0,
                                'type': None if is_service else ros_type}

    def talk(self, key, words):
        options = {}
        if 'transient_local' in words:
            options = {'cache': zenoh.ext.CacheConfig(10), 'publisher_detection': True,
                       'sample_miss_detection': zenoh.ext.MissDetectionConfig(sporadic_heartbeat=0.5)}
        return zenoh.ext.declare_advanced_publisher(self.session, key, **options)

    def listen(self, topic, ros_type, key, words):
        def hear(sample):
            read_attachment(sample.attachment)
            message = STORE.deserialize_cdr(sample.payload.to_bytes(), ros_type)
            say('message', topic, plain(message))
        options = {}
        if 'transient_local' in words:
            options = {'history': zenoh.ext.HistoryConfig(detect_late_publishers=True, max_samples=10),
                       'recovery': zenoh.ext.RecoveryConfig(heartbeat=True), 'subscriber_detection': True}
        return zenoh.ext.declare_advanced_subscriber(self.session, key, hear, **options)

    def serve(self, key):
        def answer(query):
            sequence, _, gid = read_attachment(query.attachment)
            a, b = struct.unpack_from('<qq', query.payload.to_bytes(), 4)
            reply = b'\x00\x01\x00\x00' + struct.pack('<q', a + b)
            query.reply(query.key_expr, reply, attachment=attachment(sequence, gid))
            query.drop()
        return self.session.declare_queryable(key, answer, complete=True)

    def call(self, endpoint, a, b):
        endpoint['sequence'] += 1
        sent = endpoint['sequence'], endpoint['gid']

        def hear(reply):
            sequence, _, gid = read_attachment(reply.ok.attachment)
            assert (sequence, gid) == sent
            say('sum', str(struct.unpack_from('<q', reply.ok.payload.to_bytes(), 4)[0]))
        payload = b'\x00\x01\x00\x00' + struct.pack('<qq', a, b)
        self.session.get(endpoint['key'], hear, payload=payload, target=zenoh.QueryTarget.ALL_COMPLETE,
                         consolidation=zenoh.ConsolidationMode.NONE, timeout=600,
                         attachment=attachment(endpoint['sequence'], endpoint['gid']))

    def publish(self, endpoint, content):
        endpoint['sequence'] += 1
        message = build(endpoint['type'], content)
        payload = STORE.serialize_cdr(message, endpoint['type']).tobytes()
        endpoint['keep'].put(payload, attachment=attachment(endpoint['sequence'], endpoint['gid']))

    def matched(self, topic):
        endpoint = self.endpoints[topic]
        _, name, type_name, type_hash = [DOMAIN, topic.replace('/', '%'), *endpoint['key'].split('/')[-2:]]
        middle = f'/{OTHERS[endpoint["role"]]}/'
        end = f'/{name}/{type_name}/{type_hash}/'
        return sum(middle in token and end in token for token in list(self.tokens))

    def obey(self, line):
        word, _, rest = line.partition(' ')
        if word == 'wait':
            topic, count = rest.split()
            while self.matched(topic) < int(count):
                time.sleep(0.005)
            say('matched', topic)
        elif word == 'graph':
            say('graph', sorted(self.tokens))
        elif self.endpoints[word]['role'] == 'call':
            self.call(self.endpoints[word], *map(int, rest.split()))
        else:
            self.publish(self.endpoints[word], json.loads(rest))


def configuration(**settings):
    config = zenoh.Config()
    for key, value in {'scouting/multicast/enabled': False, 'timestamping/enabled': True, **settings}.items():
        config.insert_json5(key, json.dumps(value))
    return config


def main():
    if sys.argv[1] == '--router':
        with zenoh.open(configuration(mode='router', **{'listen/endpoints': ['tcp/[::]:7447']})):
            say('ready')
            sys.stdin.read()
        return
    peer = configuration(mode='peer', **{'connect/endpoints': ['tcp/localhost:7447'],
                                         'listen/endpoints': ['tcp/localhost:0']})
    with zenoh.open(peer) as session:
        node = Node(session, sys.argv[1])
        for spec in sys.argv[2:]:
            node.add(spec)
        say('ready')
        for line in sys.stdin:
            node.obey(line.rstrip('\n'))


if __name__ == '__main__':
    main()
