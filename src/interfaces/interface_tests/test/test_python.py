"""Messages in Python: classes, values, checks, and the memory that they share."""

import array
import copy
import gc
import os
import pickle
import subprocess
import sys
import unittest.mock

import numpy
import pytest

from interface_tests.action import Fetch
import interface_tests.msg
from interface_tests.msg import (Arrays, Bounded, Constants, Defaults, Empty, IdlTypes, Nested, Primitives, Sequences,
                                 Strings, VariableDefaults)
from interface_tests.srv import AddTwoInts
from builtin_interfaces.msg import Duration, Time
from rosidl_generator_py import _messages, import_type_support
from rosidl_parser import definition as idl


def through_memory(message):
    """Return what another process gets."""
    return _messages.deserialize(_messages.serialize(message), type(message))


def sequences(**more):
    return Sequences(
        bool_values=[True, False], byte_values=[b'\x00', b'\xff'], char_values=[1, 255], int8_values=[-128],
        uint8_values=[255], int16_values=[-32768], uint16_values=[65535], int32_values=[-2 ** 31],
        uint32_values=[2 ** 32 - 1], int64_values=[-2 ** 63], uint64_values=[2 ** 64 - 1], float32_values=[1.5],
        float64_values=[-1e300], nested_values=[Defaults(plain=4), Defaults()], foreign_values=[Duration(sec=-1)],
        strings=[Strings(text='a', many=['b', ''])], few_float64_values=[0.5, 1.5, 2.5], aligned=-7, **more)


# ---- classes --------------------------------------------------------------------------------------------------------

def test_a_class_tells_its_fields():
    assert Strings.get_fields_and_field_types() == {
        'text': 'string', 'short_text': 'string<5>', 'wide': 'wstring', 'short_wide': 'wstring<5>',
        'texts': 'string[2]', 'short_texts': 'string<5>[2]', 'wides': 'wstring[2]', 'many': 'sequence<string>',
        'many_short': 'sequence<string<5>>', 'few': 'sequence<string, 3>', 'few_short': 'sequence<string<5>, 3>',
        'many_wide': 'sequence<wstring>', 'few_short_wide': 'sequence<wstring<5>, 3>'}
    assert Nested.get_fields_and_field_types()['stamp'] == 'builtin_interfaces/Time'
    assert Primitives.get_fields_and_field_types()['byte_value'] == 'octet'
    assert Strings.__slots__[0] == '_text' and Strings.__slots__[-1] == '_check_fields'
    Strings.get_fields_and_field_types()['text'] = 'changed'
    assert Strings.get_fields_and_field_types()['text'] == 'string'


def test_a_class_tells_its_types_as_the_parser_has_them():
    types = dict(zip(Strings.get_fields_and_field_types(), Strings.SLOT_TYPES))
    assert types['text'] == idl.UnboundedString()
    assert types['few_short'] == idl.BoundedSequence(idl.BoundedString(5), 3)
    assert types['wides'] == idl.Array(idl.UnboundedWString(), 2)
    assert Nested().SLOT_TYPES[0] == idl.NamespacedType(['builtin_interfaces', 'msg'], 'Time')
    assert Empty.SLOT_TYPES == ()


def test_names_are_those_of_stock_packages():
    assert Time.__module__ == 'builtin_interfaces.msg._time' and Time.__name__ == 'Time'
    assert Time.__doc__ == "Message class 'Time'."
    assert 'Strings' in interface_tests.msg.__all__ and 'Strings' in dir(interface_tests.msg)
    with pytest.raises(AttributeError):
        interface_tests.msg.Nothing
    with pytest.raises(ImportError):
        exec('from interface_tests.msg import Nothing', {})
    from interface_tests.msg._strings import Strings as same
    assert same is Strings
    assert import_type_support('interface_tests') is type(Strings)._TYPE_SUPPORT


def test_services_and_actions():
    assert AddTwoInts.Request is sys.modules['interface_tests.srv._add_two_ints'].AddTwoInts_Request
    fields = AddTwoInts.Event().get_fields_and_field_types()
    assert fields['request'] == 'sequence<interface_tests/AddTwoInts_Request, 1>'
    with pytest.raises(NotImplementedError, match='Service classes can not be instantiated'):
        AddTwoInts()
    with pytest.raises(NotImplementedError, match='Action classes can not be instantiated'):
        Fetch()
    assert Fetch.Impl.CancelGoalService.__name__ == 'CancelGoal'
    assert Fetch.Impl.GoalStatusMessage.__name__ == 'GoalStatusArray'
    assert isinstance(Fetch.Impl.SendGoalService.Request().goal, Fetch.Goal)
    assert isinstance(Fetch.Impl.FeedbackMessage().feedback, Fetch.Feedback)
    assert 'Fetch_Goal' not in dir(sys.modules['interface_tests.action'])


def test_constants_cannot_be_set():
    assert Constants.BOOL_CONST is True and Constants().UINT64_CONST == 2 ** 64 - 1
    assert Constants.BYTE_CONST == b'\xff' and Constants.FLOAT64_CONST == -1e-300
    assert Constants.STRING_CONST == 'a "quoted" back\\slash, what??!'
    assert VariableDefaults.WIDE_CONSTANT == 'weite Änderung 𝄞'
    with pytest.raises(AttributeError):
        Constants.BOOL_CONST = False
    with pytest.raises(AttributeError):
        Defaults.BOOL_VALUE__DEFAULT = False
    assert Defaults.UINT64_VALUE__DEFAULT == 2 ** 64 - 1
    assert not hasattr(Defaults, 'PLAIN__DEFAULT')
    first = VariableDefaults.MANY__DEFAULT
    first.append('c')
    assert VariableDefaults.MANY__DEFAULT == ['', 'a', 'b']


# ---- values ---------------------------------------------------------------------------------------------------------

def test_defaults():
    plain = Primitives()
    assert plain.bool_value is False and plain.byte_value == b'\x00' and plain.char_value == 0
    assert plain.float64_value == 0.0 and type(plain.float64_value) is float
    message = VariableDefaults()
    assert message.text == 'a "quoted" text' and message.wide == 'weit ä€' and message.texts == ['one', 'two, three']
    assert message.byte_values == [b'\x00', b'\xff'] and message.bool_values == [True, False]
    assert message.int64_values == array.array('q', [-2 ** 63, 2 ** 63 - 1])
    assert message.plain_values == array.array('B')
    assert Defaults().array_value.tolist() == [1, -2, 3] and Defaults().array_value.dtype == numpy.int32
    assert Defaults().bool_array == [True, False]
    assert IdlTypes().letter == '\x00' and IdlTypes().small == -3


def test_values_are_the_objects_that_were_set():
    primitives, message = Primitives(), Nested()
    message.primitives = primitives
    primitives.int8_value = 5
    assert message.primitives is primitives and message.primitives.int8_value == 5
    message.defaults.plain = 6  # one that was never set
    assert message.defaults.plain == 6
    points = [Defaults()]
    numbers = array.array('d', [1.0])
    values = numpy.zeros(3, numpy.float64)
    all_of_them = Sequences(nested_values=points, float64_values=numbers)
    arrays = Arrays(float64_values=values)
    assert all_of_them.nested_values is points and all_of_them.float64_values is numbers
    assert arrays.float64_values is values
    with pytest.raises(AttributeError):
        message.nothing = 1
    with pytest.raises(AttributeError):
        del message.last
    with pytest.raises(AttributeError):
        message.nothing
    assert message._last == message.last


def test_every_kind_of_field_goes_to_memory_and_back():
    for message in (sequences(), VariableDefaults(), Defaults(), Nested(last=3), Empty(), Constants(),
                    Strings(text='ä€𝄞', wide='ä€𝄞', many_wide=['x', '𝄞'], few_short=['12345'] * 3),
                    Arrays(byte_values=[b'a', b'b', b'c'], nested_values=[Defaults(plain=1), Defaults(plain=2)],
                           foreign_values=[Duration(), Duration(nanosec=4)], bool_values=[True, False, True]),
                    IdlTypes(letter='€', letters=['a', 'b'], precise=0.5), Bounded(text='12345', values=[1.0] * 3),
                    Primitives(bool_value=True, byte_value=b'\x80', char_value=7, float32_value=1.25)):
        assert through_memory(message) == message
        assert through_memory(through_memory(message)) == message
        assert repr(through_memory(message)) == repr(message)


def test_repr_is_that_of_stock_messages():
    assert repr(Time(sec=1)) == 'builtin_interfaces.msg.Time(sec=1, nanosec=0)'
    assert repr(AddTwoInts.Request()) == 'interface_tests.srv.AddTwoInts_Request(a=1, b=0)'
    assert 'few_float64_values=[0.5, 1.5, 2.5]' in repr(sequences())
    assert 'values=[], ' in repr(Bounded())
    assert repr(Empty()) == 'interface_tests.msg.Empty()'


def test_messages_are_compared_by_their_fields():
    assert Time(sec=1) == Time(sec=1) and Time(sec=1) != Time(sec=2) and Time() != Duration()
    assert Defaults() == Defaults() and Defaults(array_value=[1, -2, 4]) != Defaults()
    assert Arrays() == Arrays()
    assert Time() != 'Time'
    with pytest.raises(TypeError):
        hash(Time())


def test_copies_and_pickles():
    message = through_memory(sequences())
    shallow, deep, pickled = copy.copy(message), copy.deepcopy(message), pickle.loads(pickle.dumps(message))
    assert shallow == deep == pickled == message
    assert shallow.nested_values is not deep.nested_values
    deep.nested_values[0].plain = 99
    assert message.nested_values[0].plain == 4
    checking = Strings(text='x', check_fields=True)
    for copied in (copy.copy(checking), copy.deepcopy(checking)):
        with pytest.raises(AssertionError):
            copied.text = 3


def test_a_class_may_be_derived_from():
    class Mine(Time):
        def __init__(self):
            super().__init__(sec=3)
            self.more = 'more'

    mine = Mine()
    assert mine.sec == 3 and mine.more == 'more' and isinstance(mine, Time)
    assert through_memory(Nested(stamp=mine)).stamp == Time(sec=3)


# ---- wrong values ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('message_class, name, value, text', [
    (Primitives, 'bool_value', 1, "The 'bool_value' field must be of type 'bool'"),
    (Primitives, 'byte_value', b'ab', "The 'byte_value' field must be of type 'bytes' or 'ByteString' with length 1"),
    (Primitives, 'int8_value', 128, "The 'int8_value' field must be an integer in [-128, 127]"),
    (Primitives, 'uint16_value', -1, "The 'uint16_value' field must be an unsigned integer in [0, 65535]"),
    (Primitives, 'int32_value', 1.0, "The 'int32_value' field must be of type 'int'"),
    (Primitives, 'float32_value', 1, "The 'float32_value' field must be of type 'float'"),
    (Primitives, 'float32_value', 1e39,
     "The 'float32_value' field must be a float in [-3.402823466e+38, 3.402823466e+38]"),
    (Strings, 'text', b'', "The 'text' field must be of type 'str'"),
    (Strings, 'short_text', '123456', "The 'short_text' field must be string value not longer than 5"),
    (Nested, 'stamp', Duration(), "The 'stamp' field must be a sub message of type 'Time'"),
    (Strings, 'texts', ['a'],
     "The 'texts' field must be a set or sequence with length 2 and each value of type 'str'"),
    (Strings, 'few_short', ['123456'], "The 'few_short' field must be a set or sequence with length <= 3 and each "
     "string value not longer than 5 and each value of type 'str'"),
    (Strings, 'many', 'ab', "The 'many' field must be a set or sequence and each value of type 'str'"),
    (Sequences, 'int8_values', [128], "The 'int8_values' field must be a set or sequence and each value of type 'int' "
     'and each integer in [-128, 127]'),
    (Sequences, 'float64_values', array.array('f'),
     "The 'float64_values' array.array() must have the type code of 'd'"),
    (Sequences, 'few_float64_values', array.array('d', [0.0] * 4),
     "The 'few_float64_values' array.array() must have a size <= 3"),
    (Arrays, 'float64_values', numpy.zeros(3, numpy.float32),
     "The 'float64_values' numpy.ndarray() must have the dtype of 'numpy.float64'"),
    (Arrays, 'float64_values', numpy.zeros(2), "The 'float64_values' numpy.ndarray() must have a size of 3"),
    (Arrays, 'nested_values', [Time(), Time()], "The 'nested_values' field must be a set or sequence with length 2 and "
     "each value of type 'Defaults'"),
])
def test_checks_say_what_stock_messages_do(message_class, name, value, text):
    message = message_class(check_fields=True)
    before = getattr(message, name)
    with pytest.raises(AssertionError) as error:
        setattr(message, name, value)
    assert str(error.value) == text
    assert getattr(message, name) is before
    message_class(check_fields=False)  # without checks nothing is refused here, unless it is no number
    if message_class in (Primitives, Strings, Nested):
        message_class(**{name: value})


def test_checks_accept_what_is_right():
    Primitives(check_fields=True, bool_value=True, byte_value=b'a', int8_value=-128, float32_value=float('inf'))
    Strings(check_fields=True, texts=('a', 'b'), few={'a'}, short_text='12345')
    Sequences(check_fields=True, float64_values=numpy.zeros(3), uint8_values=b'abc', nested_values=[Defaults()])
    Arrays(check_fields=True, float64_values=[1.0, 2.0, 3.0], uint8_values=numpy.zeros(3, numpy.uint8))


def test_the_environment_asks_for_checks():
    done = subprocess.run([sys.executable, '-c', 'from builtin_interfaces.msg import Time; Time(sec=1.5)'],
                          env={**os.environ, 'ROS_PYTHON_CHECK_FIELDS': '1'}, capture_output=True, text=True)
    assert "AssertionError: The 'sec' field must be of type 'int'" in done.stderr


def test_unknown_fields_are_refused():
    with pytest.raises(AssertionError, match='Invalid arguments passed to constructor: a, b'):
        Time(b=1, a=2, sec=3)
    with pytest.raises(TypeError):
        Time({'sec': 1})


@pytest.mark.parametrize('message, error, text', [
    (Primitives(int32_value='x'), TypeError, "the field 'int32_value': "),
    (Primitives(int64_value=2 ** 63), OverflowError, "the field 'int64_value': "),
    (Primitives(float64_value='x'), TypeError, "the field 'float64_value': "),
    (Strings(text=3), TypeError, "the field 'text': a str is wanted, not int"),
    (Strings(short_text='123456'), ValueError,
     "the field 'short_text': a string of 6 characters, of which 5 are possible"),
    (Strings(texts=['a']), ValueError, "the field 'texts': 1 elements, of which there are 2"),
    (Strings(few=['a'] * 4), ValueError, "the field 'few': 4 elements, of which 3 are possible"),
    (Strings(many=5), TypeError, "the field 'many': "),
    (Nested(stamp=Duration()), TypeError, "the field 'stamp': a builtin_interfaces/msg/Time is wanted, not Duration"),
    (Nested(stamp=None), TypeError, "the field 'stamp': "),
    (Sequences(nested_values=[Defaults(), 3]), TypeError, "the field 'nested_values': "),
    (Sequences(nested_values=[Defaults(plain='x')]), TypeError, "the field 'nested_values': the field 'plain': "),
    (Strings(text='\udc80'), UnicodeEncodeError, 'surrogates not allowed'),
    (Arrays(float64_values=numpy.zeros(4)), ValueError, "the field 'float64_values': 4 elements, of which there are 3"),
])
def test_what_cannot_be_sent_is_named(message, error, text):
    with pytest.raises(error) as raised:
        _messages.serialize(message)
    assert text in str(raised.value)


def test_numbers_are_converted_as_stock_messages_convert_them():
    assert Sequences(uint8_values=b'ab').uint8_values == array.array('B', [97, 98])
    assert Sequences(float64_values=numpy.arange(3.0)).float64_values == array.array('d', [0, 1, 2])
    some = numpy.arange(6.0).reshape(2, 3)[:, ::2]
    assert Sequences(float64_values=some).float64_values == array.array('d', [0, 2, 3, 5])
    assert Arrays(int32_values=[1, 2, 3]).int32_values.dtype == numpy.int32
    assert Arrays(float32_values=numpy.arange(3)).float32_values.dtype == numpy.float32
    with pytest.raises((TypeError, OverflowError)):
        Sequences(uint8_values=[256])
    assert through_memory(Primitives(uint8_value=257)).uint8_value == 1
    assert through_memory(Strings(text='a\0b')).text == 'a'


@pytest.mark.parametrize('content', [b'', b'\0\1\0\0', b'\0\1\0\0\xff\xff\xff\xffx', b'rubbish'])
def test_rubbish_is_refused(content):
    with pytest.raises(ValueError, match='a serialized interface_tests/msg/Strings: '):
        _messages.deserialize(content, Strings)
    with pytest.raises(TypeError):
        _messages.deserialize(content, str)


# ---- what must not end the interpreter -------------------------------------------------------------------------------

def test_only_messages_of_the_right_class_are_written():
    class Both(Time, Strings):
        pass

    _messages.serialize(Nested())
    for wrong in (Strings(text='x' * 100), Both(), unittest.mock.Mock(spec=Time), Sequences()):
        if type(wrong) is Both:
            wrong.__class__ = Both
        with pytest.raises((TypeError, ValueError)):
            _messages.serialize(Nested(defaults=wrong))
    with pytest.raises(TypeError):
        _messages.serialize(Nested(stamp=unittest.mock.Mock(spec=Time)))
    assert _messages.serialize(Nested())


def test_a_message_that_changes_while_it_is_written():
    class Changing:
        def __index__(self):
            message.nested_values.clear()
            gc.collect()
            return 1

    message = Sequences(nested_values=[Defaults(plain=Changing()) for _ in range(3)])
    assert len(through_memory(message).nested_values) == 3


def test_odd_keywords():
    class Name(str):
        pass

    with pytest.raises(TypeError):
        Time(**{1: 2})
    assert Time(**{Name('sec'): 3}).sec == 3
    with pytest.raises(AssertionError):
        Time(**{'\ud800': 1})


def test_memory_that_is_not_in_a_row():
    content = _messages.serialize(Strings(text='abc'))
    assert _messages.deserialize(memoryview(content), Strings).text == 'abc'
    with pytest.raises(TypeError):
        _messages.deserialize(memoryview(content * 2)[::2], Strings)
    with pytest.raises(TypeError):
        _messages.copy(5)
    with pytest.raises(TypeError):
        _messages.part_of(5, 0, 1)
    with pytest.raises(TypeError):
        _messages.set_view_type(int)


def test_two_threads_look_at_the_first_array():
    code = ('import threading; from interface_tests.msg import Arrays; from rosidl_generator_py import _messages;'
            'make = lambda: _messages.deserialize(_messages.serialize(Arrays()), Arrays);'
            'first, second = make(), make(); thread = threading.Thread(target=lambda: first.float64_values);'
            'thread.start(); second.float32_values; thread.join()')
    assert subprocess.run([sys.executable, '-c', code], timeout=60).returncode == 0


def test_numbers_of_numpy_are_compared():
    assert Primitives(float64_value=numpy.float64(1)) == Primitives(float64_value=1.0)
    assert Defaults(array_value=numpy.zeros(2, numpy.int32)) != Defaults()


def test_errors_of_others_are_raised_as_they_are():
    class Refused(Exception):
        def __init__(self, one, two):
            super().__init__(one, two)

    class Number:
        def __index__(self):
            raise Refused(1, 2)

    with pytest.raises(Refused):
        _messages.serialize(Primitives(uint8_value=Number()))


def test_derived_classes_are_copied():
    class Mine(Time):
        def __init__(self, more):
            super().__init__(sec=3)
            self.more = more

    for copied in (copy.copy(Mine('x')), copy.deepcopy(Mine('x'))):
        assert type(copied) is Mine and copied.more == 'x' and copied.sec == 3


def test_copies_share_what_was_not_looked_at():
    message = Nested()
    copy.copy(message).stamp.sec = 3
    assert message.stamp.sec == 3


def test_slots_are_set_by_their_names():
    message = Time()
    for slot in message.__slots__[:-1]:
        setattr(message, slot, 7)
    assert message == Time(sec=7, nanosec=7) and message._sec == 7
    assert Defaults().UINT8_VALUE__DEFAULT == 200
    with pytest.raises(AttributeError):
        del Constants.BYTE_CONST
