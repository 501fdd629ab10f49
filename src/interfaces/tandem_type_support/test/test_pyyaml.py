"""PyYAML, which ROS 2's tools print with, is the model of our YAML: the same text for the same values."""

import json
import os
import random
import struct
import subprocess
import sys

import pytest
import yaml

SEED = int(os.environ.get('TANDEM_TEST_SEED', random.SystemRandom().getrandbits(32)))
ALPHABET = list('ab01 .:-+_#\'"\\,?[]{}&*!|>%@`=~<\n/exX\t\x01\x7fé中😀') + [': ', ' #', '\n\n', '- ']
WORDS = ['yes', 'No', 'on', 'true', 'null', '~', '1_0', '0x1f', '0b1', '017', '1:30', '1.5', '1.', '.5', '1e3',
         '1.0e+3', '-.inf', '.nan', '2020-01-02', '2020-1-2', '2020-1-2 3:04:05', '2020-01-02T03:04:05Z', '=', '<<',
         '---', '', '1.2.3', '+1', '-', '?', ':', '0o7', '08', '1:60', '0.1:2', '+.5', 'y', 'n', '-1', '0', '00', '...']


@pytest.fixture(scope='module')
def oracle():
    process = subprocess.Popen([os.environ['TYPE_SUPPORT_ORACLE']], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True, encoding='utf-8')

    def ask(*words):
        process.stdin.write(' '.join(words) + '\n')
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield ask
    process.stdin.close()
    process.wait()


def cdr_of_string(text):
    data = text.encode() + b'\0'
    return (b'\0\1\0\0' + struct.pack('<I', len(data)) + data).hex()


def dump(value):
    return yaml.dump({'data': value}, allow_unicode=True, width=sys.maxsize)


def strings():
    print(f'TANDEM_TEST_SEED={SEED}')
    source = random.Random(SEED)
    yield from WORDS
    for _ in range(5000):
        text = ''.join(source.choices(ALPHABET, k=source.randrange(1, 9)))
        yield text


def test_strings(oracle):
    for text in strings():
        ours = oracle('cdr2yaml', 'std_msgs/msg/String', cdr_of_string(text))['yaml']
        # What yaml-cpp would not read back is in double quotes; see scalar_text.cpp.
        assert ours == dump(text) or text.endswith('\n'), repr(text)
        assert yaml.safe_load(ours)['data'] == text
        assert oracle('yaml2cdr', 'std_msgs/msg/String', json.dumps(ours))['cdr'] == cdr_of_string(text), repr(text)


def test_floats(oracle):
    source = random.Random(SEED)
    special = [0.0, -0.0, 1.0, 1e15, 1e16, 1e17, 123456789012345680.0, 1e-4, 1e-5, 5e-324, 1.7976931348623157e308,
               float('inf'), float('-inf'), float('nan'), 0.1, 1 / 3]
    values = special + [struct.unpack('<d', source.randbytes(8))[0] for _ in range(2000)]
    for value in values:
        cdr = (b'\0\1\0\0' + struct.pack('<d', value)).hex()
        ours = oracle('cdr2yaml', 'std_msgs/msg/Float64', cdr)['yaml']
        assert ours == dump(value)
        back = bytes.fromhex(oracle('yaml2cdr', 'std_msgs/msg/Float64', json.dumps(ours))['cdr'])[4:]
        assert value != value or back == struct.pack('<d', value)


def test_nested_messages(oracle):
    """Lists of messages and what is empty are laid out alike."""
    for text in ('{data: []}', '{}',
                 '{layout: {dim: [{label: a, size: 1}, {stride: 2}], data_offset: 3}, data: [1.5]}'):
        cdr = oracle('yaml2cdr', 'std_msgs/msg/Float64MultiArray', json.dumps(text))['cdr']
        ours = oracle('cdr2yaml', 'std_msgs/msg/Float64MultiArray', cdr)['yaml']
        assert ours == yaml.dump(yaml.safe_load(ours), sort_keys=False)
    assert oracle('cdr2yaml', 'std_msgs/msg/Empty', '0001000000')['yaml'] == yaml.dump({})
