"""The other implementation: PyPI's rosbags, with the types that ROS 2 Lyrical has and with ours that it lacks.

Its Lyrical store holds the definitions as ROS 2 released them. Types that it lacks are made from our own .msg files.
"""

import random
import re
import sys
from pathlib import Path

import pytest

INTERFACES = Path(__file__).resolve().parents[2]
ROOT = INTERFACES.parents[1]
# Made by scripts/install-python.sh.
sys.path += map(str, ROOT.glob('build/python/lib/python3*/site-packages'))

try:
    import numpy
    from rosbags.interfaces import Nodetype
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore
except ImportError as error:  # a machine that reaches Debian's packages, but not PyPI
    pytest.skip(f"{error}: NOTHING IS COMPARED with PyPI's rosbags; run scripts/install-python.sh",
                allow_module_level=True)

FILES = {f'{file.parts[-3]}/{file.parts[-2]}/{file.stem}': file
         for kind in ('msg', 'srv', 'action') for file in sorted(INTERFACES.glob(f'*/{kind}/*.{kind}'))
         if file.parts[-3] != 'interface_tests'}
# rosbags knows no wstring.
WITHOUT_REFERENCE = ['example_interfaces/msg/WString']

STORE = get_typestore(Stores.ROS2_LYRICAL)
# What ROS 2 makes of a message without fields, and rosbags' stores with it.
DUMMY = ('structure_needs_at_least_one_member', (Nodetype.BASE, ('uint8', 0)))
NUMBERS = {'byte': 'uint8', 'char': 'uint8'}


def definitions():
    """The text of each of our messages, and of the parts of services and actions."""
    suffixes = {'msg': [''], 'srv': ['_Request', '_Response'], 'action': ['_Goal', '_Result', '_Feedback']}
    for name, file in FILES.items():
        texts = re.split('^---$', file.read_text(), flags=re.MULTILINE)
        yield from ((name + suffix, text) for suffix, text in zip(suffixes[name.split('/')[1]], texts, strict=True))


def parse(name):
    """The constants and fields of one of our definitions, as rosbags reads it."""
    message = re.sub('/(srv|action)/', '/msg/', name)  # rosbags knows no other folder
    constants, fields = get_types_from_msg(DEFINITIONS[name], message)[message]
    return constants, fields or [DUMMY]


DEFINITIONS = dict(definitions())
LACKING = [name for name in DEFINITIONS if name not in STORE.types and name not in WITHOUT_REFERENCE]
STORE.register({name: parse(name) for name in LACKING})


def fields_of(name):
    return STORE.fielddefs[name][1]


def uses(name, base):
    """Whether a field of the type, or of one that it uses, is a `base`."""
    def is_used(description):
        kind, detail = description
        if kind == Nodetype.BASE:
            return detail[0] == base
        return uses(detail, base) if kind == Nodetype.NAME else is_used(detail[0])

    return any(is_used(description) for _, description in fields_of(name))


class RandomMessages:
    """Messages with random values: the ends of each range, NaN and infinities are frequent."""

    def __init__(self, seed, longest):
        self.random = random.Random(seed)
        self.longest = longest  # elements of a sequence of numbers, and characters of a string

    def message(self, name, depth=0):
        values = {field: self.value(description, depth) for field, description in fields_of(name)}
        values.update({field: 0 for field in values if field == DUMMY[0]})
        return STORE.types[name](**values)

    def value(self, description, depth):
        kind, detail = description
        if kind == Nodetype.BASE:
            base, bound = detail
            if base == 'string':
                return self.string(bound)
            return self.numbers('int8' if base == 'byte' else base, 1)[0].item()  # rosbags' single byte is signed
        if kind == Nodetype.NAME:
            return self.message(detail, depth)
        element, length = detail
        if kind == Nodetype.SEQUENCE:
            is_number = element[0] == Nodetype.BASE and element[1][0] != 'string'
            # Sequences in sequences would grow without end.
            most = self.longest if is_number else max(1, self.longest >> 2 * (depth + 1)) if self.longest else 0
            length = self.random.randint(0, min(most, length or most))
        if element[0] == Nodetype.BASE and element[1][0] != 'string':
            return self.numbers(element[1][0], length)
        return [self.value(element, depth + 1) for _ in range(length)]

    def string(self, bound):
        most = min(self.longest, bound // 4) if bound else self.longest  # a character has at most 4 bytes
        return ''.join(self.random.choice("aZ 0'\"#:-\n\\{ä€😀") for _ in range(self.random.randint(0, most)))

    def numbers(self, base, count):
        dtype = numpy.dtype(NUMBERS.get(base, base))
        if base == 'bool':
            return numpy.frombuffer(self.random.randbytes(count), 'uint8') > 127
        numbers = numpy.frombuffer(self.random.randbytes(count * dtype.itemsize), dtype).copy()
        is_float = dtype.kind == 'f'
        limits = numpy.finfo(dtype) if is_float else numpy.iinfo(dtype)
        special = [0, limits.min, limits.max] + ([-0.0, numpy.nan, numpy.inf, -numpy.inf] if is_float else [])
        if is_float:
            numbers[numpy.isnan(numbers)] = 1.5  # NaN with other bits than the usual ones
        for i in range(min(count, 64)):
            if self.random.random() < 0.3:
                numbers[i] = self.random.choice(special)
        return numbers
