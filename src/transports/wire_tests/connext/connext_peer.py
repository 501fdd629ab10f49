"""connext_peer.py NODE SPEC...: a participant on RTI Connext, through RTI's Connector, which shares nothing with ours.

It speaks as cyclone_peer.py does: a SPEC is one argument, `talk|listen TOPIC PACKAGE/TYPE [best_effort]
[transient_local]`. It reads lines:

  TOPIC MESSAGE         publishes the message, in JSON
  dispose TOPIC KEY     ends the instance whose key members are these, in JSON
  wait TOPIC COUNT      answered with `matched TOPIC` when the other side of the topic has so many

and prints `ready`, then `message TOPIC JSON` for each message that it receives and `disposed TOPIC` for each instance
that has ended. What Connext has to say (endpoints that do not fit) goes to standard error. ROS_DOMAIN_ID says where. It
ends with its input. Types are those of types.xml.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import rticonnextdds_connector as rti
from rticonnextdds_connector.rticonnextdds_connector import connector_binding

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'test'))

from line_peer import LinePeer  # noqa: E402

# UDP alone: others read no shared memory of Connext's.
CONFIGURATION = """<?xml version="1.0"?>
<dds>
  <qos_library name="Wire">
    <qos_profile name="Talkative" is_default_participant_factory_profile="true">
      <participant_factory_qos><logging><verbosity>WARNING</verbosity></logging></participant_factory_qos>
    </qos_profile>
  </qos_library>
  <domain_library name="Domains">
    <domain name="Domain" domain_id="{domain}">{types}{topics}</domain>
  </domain_library>
  <domain_participant_library name="Participants">
    <domain_participant name="Peer" domain_ref="Domains::Domain">
      <domain_participant_qos>
        <participant_name><name>{name}</name></participant_name>
        <transport_builtin><mask>UDPv4</mask></transport_builtin>
        <database><shutdown_cleanup_period><sec>0</sec><nanosec>10000000</nanosec></shutdown_cleanup_period></database>
      </domain_participant_qos>
      <publisher name="Talk">{writers}</publisher>
      <subscriber name="Listen">{readers}</subscriber>
    </domain_participant>
  </domain_participant_library>
</dds>
"""
# Messages and keys without bounds cannot come from a pool of buffers of the greatest size.
QOS = """<{kind}_qos>
  <reliability><kind>{reliability}_RELIABILITY_QOS</kind>
    <max_blocking_time><sec>10</sec><nanosec>0</nanosec></max_blocking_time></reliability>
  <durability><kind>{durability}_DURABILITY_QOS</kind></durability>
  <history><kind>KEEP_LAST_HISTORY_QOS</kind><depth>10</depth></history>
  <property><value><element>
    <name>dds.{tag}.history.memory_manager.fast_pool.pool_buffer_max_size</name><value>4096</value>
  </element></value></property>{more}</{kind}_qos>"""
# What is larger than a datagram is sent in fragments, which a reliable writer does from a thread of its own. Who hears
# that an instance has ended may not know it by the hash of its key. What is lost is asked for after 50 ms, not 3 s.
SOON = '<sec>0</sec><nanosec>50000000</nanosec>'
WRITER = f"""
  <publish_mode><kind>ASYNCHRONOUS_PUBLISH_MODE_QOS</kind></publish_mode>
  <protocol><serialize_key_with_dispose>true</serialize_key_with_dispose><rtps_reliable_writer>
    <heartbeat_period>{SOON}</heartbeat_period><fast_heartbeat_period>{SOON}</fast_heartbeat_period>
    <late_joiner_heartbeat_period>{SOON}</late_joiner_heartbeat_period>
  </rtps_reliable_writer></protocol>"""
# Connext writes its warnings to standard output, which is for answers here.
ANSWERS = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)


def say(*words):
    print(*(word if isinstance(word, str) else json.dumps(word) for word in words), file=ANSWERS, flush=True)


class Spec:
    def __init__(self, number, text):
        role, self.topic, type_name, *self.policies = text.split()
        self.is_writer = role == 'talk'
        self.id = f'{"w" if self.is_writer else "r"}{number}'
        package, name = type_name.split('/')
        self.type = f'{package}::msg::dds_::{name}_'

    def topic_xml(self):
        return f'<topic name="rt{self.topic}" register_type_ref="{self.type}"/>'

    def xml(self):
        tag = 'data_writer' if self.is_writer else 'data_reader'
        qos = QOS.format(tag=tag, kind=tag.replace('_', ''), more=WRITER if self.is_writer else '',
                         reliability='BEST_EFFORT' if 'best_effort' in self.policies else 'RELIABLE',
                         durability='TRANSIENT_LOCAL' if 'transient_local' in self.policies else 'VOLATILE')
        return f'<{tag} name="{self.id}" topic_ref="rt{self.topic}">{qos}</{tag}>'


def configuration(name, specs):
    def joined(texts):
        return ''.join(dict.fromkeys(texts))
    return CONFIGURATION.format(
        name=name, domain=int(os.environ.get('ROS_DOMAIN_ID', '0')),
        types=joined(f'<register_type name="{one.type}" type_ref="{one.type}"/>' for one in specs),
        topics=joined(one.topic_xml() for one in specs),
        writers=''.join(one.xml() for one in specs if one.is_writer),
        readers=''.join(one.xml() for one in specs if not one.is_writer))


class Endpoint:
    def __init__(self, connector, spec):
        self.topic, self.is_writer, self.can_take = spec.topic, spec.is_writer, not spec.is_writer
        self.entity = (connector.get_output(f'Talk::{spec.id}') if spec.is_writer else
                       connector.get_input(f'Listen::{spec.id}'))

    def matched(self):
        return len(self.entity.matched_subscriptions if self.is_writer else self.entity.matched_publications)

    def write(self, text, **options):
        # What a message does not say would stay as it was in the one before.
        self.entity.clear_members()
        message = json.loads(text)
        if isinstance(message.get('data'), list):
            self.set_bytes('data', bytes(message.pop('data')))
        self.entity.instance.set_dictionary(message)
        self.entity.write(**options)

    def set_bytes(self, member, content):
        """Through Connext itself: as JSON, Connector takes 8 us for each."""
        set_octets = connector_binding.library.DDS_DynamicData_set_octet_array
        if set_octets(self.entity.instance.native, member.encode(), 0, len(content), content):
            raise rti.Error(f'{member} cannot be set')

    def take(self):
        self.entity.take()
        for sample in self.entity.samples:
            if sample.valid_data:
                say('message', self.topic, sample.get_dictionary())
            elif sample.info['instance_state'] == 'NOT_ALIVE_DISPOSED':
                say('disposed', self.topic)


class Peer(LinePeer):
    def __init__(self, name, specs):
        with tempfile.NamedTemporaryFile('w', suffix='.xml') as file:
            file.write(configuration(name, specs))
            file.flush()
            self.connector = rti.Connector('Participants::Peer', f'{HERE}/types.xml;{file.name}')
        super().__init__({one.topic: Endpoint(self.connector, one) for one in specs}, say)

    def do(self, word, rest):
        if word == 'dispose':
            topic, _, key = rest.partition(' ')
            self.endpoints[topic].write(key, action='dispose')
        else:
            self.endpoints[word].write(rest)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    peer = Peer(sys.argv[1], [Spec(number, text) for number, text in enumerate(sys.argv[2:])])
    peer.run()
    peer.connector.close()
