"""One party for each distribution: our nodes on every DDS transport that is built, and those of the others."""

import importlib.util
import os
from pathlib import Path

import pytest
from contents import CONTENTS
from peers import OURS, Domain

LATCHED = 'geometry_msgs/PoseStamped'
TALKS = {type_name.split('/')[1].lower(): type_name for type_name in CONTENTS}


def pytest_report_header():
    return f'DDS transports built: {", ".join(OURS) or "none"}'


def foreign():
    """The other implementations that are there, and what is to be done about the others."""
    found, missing = [], {}
    if Path(os.environ['WIRE_PEERS'], 'wire_peer_humble').exists():
        found.append('ros2_client')
    else:
        missing['ros2_client'] = 'peer/build.sh says why'
    if importlib.util.find_spec('cyclonedds'):
        found.append('cyclonedds')
    else:
        missing['cyclonedds'] = 'scripts/install-python.sh installs it'
    return found, missing


FOREIGN, MISSING = foreign()
EVERYBODY = [*OURS, *FOREIGN]


class Party:
    """Everybody talks on topics of their own, /<kind>/<type>, and listens to everybody else's."""

    def __init__(self, domain):
        self.domain = domain
        self.talkers = {}
        self.latecomers = {}

    @staticmethod
    def topics(kind):
        return {f'/{kind}/{short}': type_name for short, type_name in TALKS.items()}

    def start(self):
        for kind in EVERYBODY:
            specs = [f'talk {topic} {type_name}' for topic, type_name in self.topics(kind).items()]
            specs += [f'talk /{kind}/unreliable std_msgs/String best_effort',
                      f'talk /{kind}/latched {LATCHED} transient_local']
            for other in EVERYBODY:
                if other != kind:
                    specs += [f'listen {topic} {type_name}' for topic, type_name in self.topics(other).items()]
                    specs += [f'listen /{other}/unreliable std_msgs/String best_effort']
            self.talkers[kind] = self.domain.start(kind, f'{kind}_talker', *specs)
        for peer in self.talkers.values():
            peer.await_answer('ready')

    def match(self):
        """Both ends: what is published before a reader knows the writer may be lost, as DDS has it."""
        awaited = {}
        for kind, peer in self.talkers.items():
            counts = {topic: len(EVERYBODY) - 1 for topic in [*self.topics(kind), f'/{kind}/unreliable']}
            counts |= {topic: 1 for other in EVERYBODY if other != kind
                       for topic in [*self.topics(other), f'/{other}/unreliable']}
            for topic, count in counts.items():
                peer.send('wait', topic, str(count))
            awaited[peer] = set(counts)
        for peer, topics in awaited.items():
            peer.await_answer('matched', topics.issubset)

    def talk(self):
        """The large ones when the first one has come: a burst of all to all is more than sockets hold."""
        for kind, peer in self.talkers.items():
            for message in CONTENTS[LATCHED]:
                peer.send(f'/{kind}/latched', message)
            for topic, type_name in self.topics(kind).items():
                peer.send(topic, CONTENTS[type_name][0])
        for kind, peer in self.talkers.items():
            for other in EVERYBODY:
                for topic in self.topics(other) if other != kind else []:
                    peer.await_answer(f'message {topic}')
        for kind, peer in self.talkers.items():
            for topic, type_name in self.topics(kind).items():
                for message in CONTENTS[type_name][1:]:
                    peer.send(topic, message)

    def come_late(self):
        for kind in EVERYBODY:
            specs = [f'listen /{other}/latched {LATCHED} transient_local' for other in EVERYBODY if other != kind]
            self.latecomers[kind] = self.domain.start(kind, f'{kind}_latecomer', *specs)


@pytest.fixture(scope='session', params=['jazzy', 'humble'])
def party(request):
    domain = Domain({'jazzy': 11, 'humble': 12}[request.param], request.param, strict=True)
    party = Party(domain)
    try:
        party.start()
        party.match()
        party.talk()
        party.come_late()
        yield party
    finally:
        statuses = domain.end()
    assert not any(statuses), f'{[peer.name for peer in domain.peers]} ended with {statuses}'
