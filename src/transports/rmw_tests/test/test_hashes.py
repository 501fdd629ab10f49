"""RIHS01 of every interface that the wheels and Tandem both have: what ROS 2's own generator wrote into their JSON."""

import json

import pytest
from ours import Ours
from peers import STOCK

# Ours are those of Lyrical. In Jazzy, TransitionEvent has no transition of this type.
DIFFER = {'lifecycle_msgs/msg/TransitionEvent'}
# Not installed: a part of the transports over DDS. Or made of the wheels' own definitions.
WITHOUT = ('rmw_dds_common', )


def hashes():
    """{package: {name: hash}}, with all parts; of interfaces that are written in ROS 2's own language."""
    found = {}
    for file in sorted(f for kind in ('msg', 'srv', 'action') for f in STOCK.glob(f'share/*/{kind}/*.json')
                       if f.with_suffix(f'.{kind}').exists()):
        for entry in json.loads(file.read_text())['type_hashes']:
            name = entry['type_name']
            found.setdefault(name.split('/')[0], {})[name] = entry['hash_string']
    return found


HASHES = hashes()


@pytest.fixture(scope='module')
def ours():
    ours = Ours()
    yield ours
    ours.close()


@pytest.mark.parametrize('package', sorted(set(HASHES) - set(WITHOUT)))
def test_hashes_are_those_of_the_wheels(ours, package):
    expected = HASHES[package]
    different = {name for name in expected if ours.hash(name) != expected[name]}
    assert different == DIFFER & set(expected)


def test_most_packages_are_compared():
    assert len(HASHES) > 20 and sum(map(len, HASHES.values())) > 300
