"""Every standard message, compared with PyPI's rosbags: definition, RIHS01 hash, and CDR in both directions; also what
services and actions are made of: requests, responses, goals, results, feedback.

Services and actions themselves and wstring, which rosbags does not cover, and messages with a char, whose hash it
computes otherwise than ROS 2, are compared with published_hashes.json: what ROS 2's own generator wrote. Its sources:
  * ROS 2 Kilted's headers in hpmicro/hpm_sdk, middleware/microros/kilted/include/<package>/…/*__description.c; so far
    Lyrical has the same definitions. Most of the table.
  * tf2_msgs/srv/FrameGraph, rmw_dds_common: headers of ROS 2 Jazzy, *__description.c of the same name; the hash of
    ParticipantEntitiesInfo is also what zenoh-plugin-ros2dds announces.
  * rosbag2_interfaces: what rosidl_generator_type_description of ROS 2 Rolling makes of the definitions.
  * tf2_msgs/action/LookupTransform: share/tf2_msgs/action/LookupTransform.json of ROS 2 Jazzy, as nano-ros records it.

ORACLE_SEED=n tries other random values.
"""

import json
import os
from pathlib import Path

import numpy
import pytest
import yaml
from ours import Ours
from reference import DEFINITIONS, FILES, LACKING, STORE, WITHOUT_REFERENCE, RandomMessages, fields_of, parse, uses

PUBLISHED = json.loads(Path(__file__).with_name('published_hashes.json').read_text())
COMPARED = [name for name in DEFINITIONS if name not in WITHOUT_REFERENCE]
SEED = int(os.environ.get('ORACLE_SEED', '1'))
# Seed, and the longest sequence: none; short ones; long ones. Large messages are tried once.
CASES = [(SEED, 0), (SEED + 1, 4), (SEED + 2, 9), (SEED + 3, 200)]
LARGE = 200_000  # bytes


@pytest.fixture(scope='module')
def ours():
    program = Ours()
    yield program
    program.close()


def test_there_are_all():
    kinds = [name.split('/')[1] for name in FILES]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {'msg': 208, 'srv': 45, 'action': 2}
    assert len({name.split('/')[0] for name in FILES}) == 26
    missing = [name for name in STORE.types if name not in DEFINITIONS]
    assert not missing, 'ROS 2 Lyrical has these messages, and we do not'


@pytest.mark.parametrize('name', [name for name in COMPARED if name not in LACKING])
def test_definition(name):
    constants, fields = parse(name)
    assert constants == STORE.fielddefs[name][0]
    assert fields == fields_of(name)


@pytest.mark.parametrize('name', [name for name in COMPARED if not uses(name, 'char')])
def test_hash(ours, name):
    assert ours.hash(name) == STORE.hash_rihs01(name)


@pytest.mark.parametrize('name', PUBLISHED)
def test_published_hash(ours, name):
    assert ours.hash(name) == f'RIHS01_{PUBLISHED[name]}'


def test_every_hash_is_compared():
    by_rosbags = {name for name in COMPARED if not uses(name, 'char')}
    assert not set(FILES) - by_rosbags - set(PUBLISHED)


@pytest.mark.parametrize('name', COMPARED)
def test_rosbags_reads_what_we_write(ours, name):
    for seed, longest in CASES:
        written = ours.random(name, seed, min(longest, 9))
        message = STORE.deserialize_cdr(written, name)
        assert bytes(STORE.serialize_cdr(message, name)) == written, f'seed {seed}, at most {longest} elements'
        if len(written) > LARGE:
            break
        expect_equal(message, load(ours.yaml(name, written)), f'{name} (seed {seed})')


@pytest.mark.parametrize('name', COMPARED)
def test_we_read_what_rosbags_writes(ours, name):
    for seed, longest in CASES:
        message = RandomMessages(seed, longest).message(name)
        little = bytes(STORE.serialize_cdr(message, name))
        big = bytes(STORE.serialize_cdr(message, name, little_endian=False))
        assert big[:4] == bytes(4) and little[:4] == b'\0\1\0\0'
        assert ours.copy(name, little) == little, f'seed {seed}, at most {longest} elements'
        assert ours.copy(name, big) == little, f'seed {seed}, at most {longest} elements, big-endian'
        if len(little) > LARGE:
            break
        expect_equal(message, load(ours.yaml(name, little)), f'{name} (seed {seed})')


# All defaults of the definitions that are not zero. Neither the hash nor rosbags' stores know them.
DEFAULTS = {'geometry_msgs/msg/Quaternion': {'w': 1.0}, 'rosgraph_msgs/msg/TypeHash': {'version': 1},
            'sensor_msgs/msg/NavSatStatus': {'status': -2},
            'type_description_interfaces/srv/GetTypeDescription_Request': {'include_type_sources': True}}


@pytest.mark.parametrize('name', DEFAULTS)
def test_defaults(ours, name):
    fields = load(ours.yaml(name, ours.default(name)))
    assert {field: fields[field] for field in DEFAULTS[name]} == DEFAULTS[name]


def test_wstring(ours):
    """As rosidl_typesupport_fastrtps_cpp writes it with Fast CDR 1: a count, and 4 bytes for each UTF-16 unit."""
    cdr = bytes.fromhex('00010000 03000000 41000000 3dd80000 00de0000')
    assert ours.copy('example_interfaces/msg/WString', cdr) == cdr
    assert load(ours.yaml('example_interfaces/msg/WString', cdr)) == {'data': 'A\U0001f600'}


def load(text):
    return yaml.load(text, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))


def expect_equal(message, loaded, path):
    """That the YAML of ours names the values of the message of rosbags."""
    fields = [field for field in fields_of(message.__msgtype__) if not field[0].startswith('structure_needs')]
    assert list(loaded or {}) == [name for name, _ in fields], path
    for name, description in fields:
        expect_equal_value(getattr(message, name), loaded[name], f'{path}.{name}', description)


def expect_equal_value(value, loaded, path, description):
    """A byte is signed in rosbags, and a character in YAML, as ROS 2 shows it."""
    if hasattr(value, '__msgtype__'):
        expect_equal(value, loaded, path)
    elif isinstance(value, list):
        assert len(value) == len(loaded), path
        for i, element in enumerate(value):
            expect_equal_value(element, loaded[i], f'{path}[{i}]', description[1][0])
    elif isinstance(value, numpy.ndarray):
        if loaded and isinstance(loaded[0], str):
            value, loaded = value.view('uint8'), [ord(one) for one in loaded]
        numpy.testing.assert_array_equal(numpy.array(loaded, value.dtype), value, path)
    elif isinstance(value, float):
        kind = numpy.dtype(description[1][0]).type
        assert numpy.array_equal(kind(value), kind(loaded), equal_nan=True), path
    elif description[1][0] == 'byte':
        assert value & 255 == ord(loaded), path
    else:
        assert value == loaded, path
