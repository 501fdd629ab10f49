"""rosidl_runtime_py: interfaces that are installed, their classes by name, messages as text and from values."""

from collections import OrderedDict

import numpy
import pytest

from builtin_interfaces.msg import Time
from example_interfaces.action import Fibonacci
from geometry_msgs.msg import PolygonStamped
from interface_tests.msg import Defaults, Nested, Primitives, Sequences, Strings
from rosidl_parser.definition import NamespacedType
import rosidl_runtime_py as runtime
from rosidl_runtime_py import utilities
from sensor_msgs.msg import Image, Imu
from std_msgs.msg import Header, String
from std_srvs.srv import SetBool


def test_interfaces_are_found():
    assert 'std_msgs' in runtime.get_interface_packages()
    assert {'msg/Header', 'msg/String'} <= set(runtime.get_interfaces(['std_msgs'])['std_msgs'])
    assert 'srv/SetBool' in runtime.get_service_interfaces()['std_srvs']
    assert runtime.get_action_interfaces(['example_interfaces']) == {'example_interfaces': ['action/Fibonacci']}
    assert runtime.get_message_interfaces(['std_srvs']) == {}
    assert all('_' not in name for names in runtime.get_interfaces().values() for name in names)
    assert runtime.get_interface_path('std_msgs/msg/String').endswith('/share/std_msgs/msg/String.msg')
    assert runtime.get_interface_path('std_msgs/msg/String.idl').endswith('/share/std_msgs/msg/String.idl')


@pytest.mark.parametrize('name, error, text', [
    ('String', ValueError, "Invalid name 'String'. Expected at least two parts separated by '/'"),
    ('std_msgs//String', ValueError, "Invalid name 'std_msgs//String'. Must not contain empty parts"),
    ('std_msgs/../String', ValueError, "Invalid name 'std_msgs/../String'. Must not contain '..'"),
    ('nothing/msg/String', LookupError, "Unknown package 'nothing'"),
    ('std_msgs/msg/Nothing', LookupError, "Could not find the interface 'std_msgs/msg/Nothing'"),
])
def test_paths_that_there_are_not(name, error, text):
    with pytest.raises(error) as raised:
        runtime.get_interface_path(name)
    assert str(raised.value) == text


def test_an_unknown_package_is_named():
    with pytest.raises(LookupError, match="Unknown package 'nothing'"):
        runtime.get_interfaces(['nothing'])


def test_classes_are_found_by_name():
    assert utilities.get_message('std_msgs/msg/String') is utilities.get_message('std_msgs/String') is String
    assert utilities.get_interface('std_srvs/srv/SetBool') is utilities.get_service('std_srvs/SetBool') is SetBool
    assert utilities.get_action('example_interfaces/action/Fibonacci') is Fibonacci
    feedback = NamespacedType(['example_interfaces', 'action'], 'Fibonacci_FeedbackMessage')
    assert runtime.import_message_from_namespaced_type(feedback) is Fibonacci.Impl.FeedbackMessage
    assert utilities.is_message(String) and utilities.is_message(String()) and not utilities.is_message(SetBool)
    assert utilities.is_service(SetBool) and not utilities.is_service(String)
    assert utilities.is_action(Fibonacci) and not utilities.is_action(SetBool)


@pytest.mark.parametrize('get, name, text', [
    (utilities.get_message, 'String', "Expected the full name of a message, got 'String'"),
    (utilities.get_service, 'SetBool', "Expected the full name of a service, got 'SetBool'"),
    (utilities.get_action, '', "Expected the full name of an action, got ''"),
    (utilities.get_message, 'std_srvs/srv/SetBool', "Expected the full name of a message, got 'std_srvs/srv/SetBool'"),
])
def test_names_that_are_none(get, name, text):
    with pytest.raises(ValueError) as raised:
        get(name)
    assert str(raised.value) == text


def test_yaml():
    message = Header(stamp=Time(sec=3, nanosec=4), frame_id='Karte ä')
    assert runtime.message_to_yaml(message) == 'stamp:\n  sec: 3\n  nanosec: 4\nframe_id: Karte ä\n'
    assert runtime.message_to_yaml(message, flow_style=True) == '{stamp: {sec: 3, nanosec: 4}, frame_id: Karte ä}\n'
    image = Image(height=2, data=bytes(range(10)))
    assert runtime.message_to_yaml(image, truncate_length=3).endswith("data:\n- 0\n- 1\n- 2\n- '...'\n")
    assert runtime.message_to_yaml(image, no_arr=True).endswith("data: '<sequence type: uint8, length: 10>'\n")
    assert "orientation_covariance: '<array type: double[9]>'" in runtime.message_to_yaml(Imu(), no_arr=True)
    assert runtime.message_to_yaml(String(data='abcdef'), truncate_length=3) == 'data: abc...\n'
    assert runtime.message_to_yaml(String(data='abcdef'), no_str=True) == "data: '<string length: <6>>'\n"


def test_csv():
    assert runtime.message_to_csv(Header(stamp=Time(sec=3), frame_id='map')) == '3,0,map'
    assert runtime.message_to_csv(Image(data=bytes(range(5))), truncate_length=2).endswith(',0,1,...')
    assert runtime.message_to_csv(Strings(many=['a', 'b'])).count(',a,b') == 1
    assert runtime.message_to_csv(Imu(orientation_covariance=range(9))).count(',6.0,7.0,8.0,') == 1


def test_dictionaries():
    values = runtime.message_to_ordereddict(Nested(stamp=Time(sec=1), last=2))
    assert type(values) is OrderedDict and list(values) == ['stamp', 'primitives', 'defaults', 'last']
    assert values['stamp'] == OrderedDict(sec=1, nanosec=0) and values['defaults']['array_value'] == [1, -2, 3]
    assert values['primitives']['byte_value'] == '\x00'
    assert list(runtime.get_message_slot_types(Time())) == ['sec', 'nanosec']


def test_values_are_set_by_dictionaries():
    message = PolygonStamped()
    assert runtime.set_message_fields(message, {
        'header': {'frame_id': 'map', 'stamp': {'sec': '5'}}, 'polygon': {'points': [{'x': 1}, {'y': '2.5'}]}}) == []
    kept = PolygonStamped(header=Header(frame_id='old'))
    runtime.set_message_fields(kept, {'header': {'stamp': {'sec': 3}}})
    assert kept.header == Header(stamp=Time(sec=3))  # from its defaults on
    assert message.header.stamp.sec == 5 and message.polygon.points[0].x == 1.0 and message.polygon.points[1].y == 2.5
    imu = Imu()
    runtime.set_message_fields(imu, {'orientation_covariance': list(range(9))})
    assert imu.orientation_covariance.dtype == numpy.float64 and imu.orientation_covariance[8] == 8.0
    all_of_them = Sequences()
    runtime.set_message_fields(all_of_them, {'uint8_values': [1, 2], 'bool_values': [True], 'strings': [{'text': 'a'}],
                                             'nested_values': [Defaults(plain=3)]})
    assert all_of_them.uint8_values.tolist() == [1, 2] and all_of_them.strings[0].text == 'a'
    assert all_of_them.nested_values[0].plain == 3


def test_wrong_values_are_refused():
    with pytest.raises(TypeError, match="Value '3' is expected to be a dictionary but is a int"):
        runtime.set_message_fields(Time(), 3)
    with pytest.raises(AttributeError):
        runtime.set_message_fields(Time(), {'seconds': 3})
    with pytest.raises(ValueError):
        runtime.set_message_fields(Primitives(), {'int8_value': 'x'})


def test_times_are_set_for_each_message_anew():
    message = PolygonStamped()
    setters = runtime.set_message_fields(message, {'header': 'auto'}, expand_header_auto=True)
    for second in (1, 2):
        for setter in setters:
            setter(Time(sec=second))
        assert message.header.stamp.sec == second
    header = Header()
    (setter,) = runtime.set_message_fields(header, {'stamp': 'now'}, expand_time_now=True)
    setter(Time(sec=7))
    assert header.stamp.sec == 7
