"""Messages in Python that were received: what is read, which arrays are views, and what is given back."""

import array
import copy
import gc
import os
import pathlib
import pickle
import subprocess
import sys

import numpy
import pytest

from interface_tests.msg import Defaults, Nested, Sequences, Strings
from rosidl_generator_py import _messages
from rosidl_generator_py.array_view import ArrayView


def through_memory(message):
    """Return what another process gets."""
    return _messages.deserialize(_messages.serialize(message), type(message))


@pytest.fixture
def received():
    """A message whose numbers are in memory that others read."""
    return through_memory(Sequences(uint8_values=bytes(range(256)) * 100, float64_values=[0.5] * 1000,
                                    int8_values=[1, 2, 3]))


def test_large_arrays_are_views(received):
    data = received.uint8_values
    assert type(data) is ArrayView and isinstance(data, array.array)
    as_array = numpy.asarray(data)
    assert as_array.ctypes.data == data.buffer_info()[0] == numpy.asarray(received.uint8_values).ctypes.data
    assert as_array.dtype == numpy.uint8 and as_array.shape == (25600,) and not as_array.flags.writeable
    assert numpy.asarray(received.float64_values).dtype == numpy.float64
    assert memoryview(data).readonly and memoryview(data).format == 'B'
    small = received.int8_values
    assert type(small) is array.array
    small[0] = 9  # one's own
    assert received.int8_values[0] == 9


def test_a_view_is_as_an_array(received):
    data, same = received.uint8_values, array.array('B', bytes(range(256)) * 100)
    assert data == same and same == data and data != same[1:] and data == copy.copy(data)
    assert len(data) == 25600 and data[5] == 5 and data[-1] == 255 and 7 in data
    assert data[2:4] == array.array('B', [2, 3]) and data[::6400] == array.array('B', [0] * 4) and len(data[9:3]) == 0
    assert type(data[2:20000]) is ArrayView and data[2:20000][1:].tolist() == same[3:20000].tolist()
    assert data.typecode == 'B' and data.itemsize == 1 and received.float64_values.itemsize == 8
    assert data.tolist() == same.tolist() and data.tobytes() == same.tobytes() and bytes(data) == same.tobytes()
    assert data.index(255) == 255 and data.count(0) == 100 and list(data) == same.tolist()
    assert data + same == same + same and same + data == same + same and data * 2 == same * 2
    assert repr(data[:3]) == "array('B', [0, 1, 2])"
    for copied in (copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert type(copied) is array.array and copied == same
    extended = array.array('B')
    extended.extend(data)
    assert extended == same
    with pytest.raises(IndexError):
        data[25600]
    with pytest.raises(TypeError):
        hash(data)


def test_nobody_writes_to_a_view(received):
    data = received.uint8_values
    for write in (lambda: data.__setitem__(0, 1), lambda: data.append(1), lambda: data.extend([1]), lambda: data.pop(),
                  lambda: data.frombytes(b'a'), lambda: data.__iadd__(data)):
        with pytest.raises(ValueError, match='read-only.*gives a copy'):
            write()
    with pytest.raises(ValueError, match='read-only'):
        numpy.asarray(data)[0] = 1
    with pytest.raises(TypeError):
        memoryview(data)[0] = 1
    own = copy.deepcopy(received)
    own.uint8_values[0] = 77
    assert received.uint8_values[0] == 0


def test_a_view_outlives_its_message(received):
    view = numpy.asarray(received.uint8_values)
    part = received.uint8_values[100:20000]
    del received
    gc.collect()
    assert view[255] == 255 and part[0] == 100
    with pytest.raises(TypeError):
        type(part)()


def test_a_view_is_sent_on(received):
    assert through_memory(received) == received
    message = Sequences(uint8_values=received.uint8_values)
    assert message.uint8_values is not None and through_memory(message).uint8_values == received.uint8_values


def test_what_nobody_looks_at_is_not_made():
    message = through_memory(Sequences(nested_values=[Defaults(plain=4)], strings=[Strings(text='a')]))
    assert gc.get_referents(message).count(Sequences) == 1
    assert len([value for value in gc.get_referents(message) if isinstance(value, (list, array.array))]) == 0
    message.nested_values
    assert len([value for value in gc.get_referents(message) if isinstance(value, list)]) == 1


def test_numpy_is_not_imported_before_it_is_needed():
    code = ('import sys; from interface_tests.msg import Strings, Sequences; from rosidl_generator_py import _messages;'
            'm = _messages.deserialize(_messages.serialize(Sequences(uint8_values=bytes(9000))), Sequences);'
            'assert m.uint8_values[3] == 0; assert "numpy" not in sys.modules')
    assert subprocess.run([sys.executable, '-c', code]).returncode == 0


def test_cycles_are_collected():
    import weakref

    class Probe:
        pass

    probe = Probe()
    gone = weakref.ref(probe)
    message = Nested()
    message.stamp = [message, probe]
    del message, probe
    gc.collect()
    assert gone() is None


def test_memory_is_given_back():
    def resident():
        pages = pathlib.Path('/proc/self/statm').read_text().split()[1]
        return int(pages) * os.sysconf('SC_PAGE_SIZE')

    def work(count):
        for _ in range(count):
            message = through_memory(Sequences(uint8_values=bytes(1_000_000), nested_values=[Defaults()] * 20))
            numpy.asarray(message.uint8_values)
            message.nested_values[3].plain

    work(20)
    before = resident()
    work(300)
    assert resident() - before < 100_000_000  # of 300 MB


def test_small_slices_are_ones_own(received):
    part = received.uint8_values[:3]
    part[0] = 1
    assert type(part) is array.array and received.uint8_values[0] == 0
