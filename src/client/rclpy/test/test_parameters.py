"""Parameters: what is declared, what overrides it, and who hears of changes."""

from conftest import spin_until, wait_until
import pytest
import rclpy
from rcl_interfaces.msg import IntegerRange, ParameterDescriptor, ParameterType, SetParametersResult
from rclpy import exceptions
from rclpy.parameter import Parameter
from rclpy.parameter_client import AsyncParameterClient
from rclpy.parameter_event_handler import ParameterEventHandler

OVERRIDDEN = """
import sys
import rclpy
rclpy.init(args=sys.argv)
node = rclpy.create_node('other', namespace='/space')
for name, value in [('a', 1), ('b', 'text'), ('c', 0.5), ('d', False), ('e', ['']), ('f', 6)]:
    print(name, repr(node.declare_parameter(name, value).value))
"""

OTHER = """
import rclpy
from rclpy.parameter import Parameter
rclpy.init()
node = rclpy.create_node('other')
node.declare_parameter('number', 1)
node.declare_parameter('group.name', 'text')
node.declare_parameter('may_go', 1, rclpy.node.ParameterDescriptor(dynamic_typing=True))
print('ready')
rclpy.spin(node)
"""


def answer_to(executor, future):
    executor.spin_until_future_complete(future, 60)
    assert future.done()
    return future.result()


def test_what_is_not_declared_is_refused(node):
    assert not node.has_parameter('number')
    with pytest.raises(exceptions.ParameterNotDeclaredException):
        node.get_parameter('number')
    with pytest.raises(exceptions.ParameterNotDeclaredException):
        node.set_parameters([Parameter('number', value=1)])
    assert node.get_parameter_or('number', Parameter('number', value=5)).value == 5
    node.declare_parameter('number', 1)
    with pytest.raises(exceptions.ParameterAlreadyDeclaredException):
        node.declare_parameter('number', 2)
    node.undeclare_parameter('number')
    assert not node.has_parameter('number')


def test_descriptors_say_what_may_be_set(node):
    node.declare_parameter('ranged', 4, ParameterDescriptor(
        integer_range=[IntegerRange(from_value=0, to_value=10, step=2)]))
    node.declare_parameter('fixed', 1, ParameterDescriptor(read_only=True))

    def is_set(name, value):
        return node.set_parameters([Parameter(name, value=value)])[0].successful

    assert is_set('ranged', 6) and not is_set('ranged', 12) and not is_set('ranged', 5) and not is_set('ranged', 6.0)
    assert not is_set('fixed', 2)
    assert node.get_parameter('ranged').value == 6 and node.get_parameter('fixed').value == 1
    with pytest.raises(exceptions.ParameterImmutableException):
        node.undeclare_parameter('fixed')
    with pytest.raises(exceptions.InvalidParameterValueException):
        node.declare_parameter('beyond', 20, ParameterDescriptor(
            integer_range=[IntegerRange(from_value=0, to_value=10)]))


def test_callbacks_change_refuse_and_follow(node):
    node.declare_parameters('', [('a', 1), ('b', 1)])
    seen = []

    def before(parameters):
        return [Parameter(parameter.name, value=parameter.value * 2) for parameter in parameters]

    def decide(parameters):
        return SetParametersResult(successful=all(parameter.value < 100 for parameter in parameters), reason='large')

    node.add_pre_set_parameters_callback(before)
    node.add_on_set_parameters_callback(decide)
    node.add_post_set_parameters_callback(lambda parameters: seen.append([each.value for each in parameters]))
    result = node.set_parameters_atomically([Parameter('a', value=3), Parameter('b', value=60)])
    assert not result.successful and result.reason == 'large' and seen == []
    assert node.get_parameter('a').value == 1
    assert node.set_parameters_atomically([Parameter('a', value=3), Parameter('b', value=4)]).successful
    assert seen == [[6, 8]] and [each.value for each in node.get_parameters(['a', 'b'])] == [6, 8]
    node.remove_pre_set_parameters_callback(before)
    node.remove_on_set_parameters_callback(decide)
    assert node.set_parameters([Parameter('a', value=200)])[0].successful


def test_the_command_line_and_files_override_those_of_a_process(run, tmp_path):
    file = tmp_path / 'parameters.yaml'
    file.write_text(
        '/space/other:\n  ros__parameters:\n    a: 2\n    b: from file\n    c: 2.5\n    e: [left, right]\n'
        '/elsewhere/other:\n  ros__parameters:\n    f: 7\n')
    program = run(OVERRIDDEN, '--ros-args', '--params-file', str(file), '-p', 'a:=3', '-p', 'd:=true',
                  '-p', 'another:f:=8')
    assert program.wait() == 0, program.errors
    assert program.lines == ['a 3', "b 'from file'", 'c 2.5', 'd True', "e ['left', 'right']", 'f 6']


def test_an_override_of_another_type_is_refused(context):
    with rclpy.create_node('tested', context=context, cli_args=['--ros-args', '-p', 'a:=text']) as node:
        with pytest.raises(exceptions.InvalidParameterTypeException):
            node.declare_parameter('a', 1)
        assert node.declare_parameter('a', 1, ignore_override=True).value == 1


def test_overrides_are_declared_by_themselves_if_wanted(context):
    with rclpy.create_node('tested', context=context, cli_args=['--ros-args', '-p', 'group.a:=1', '-p', 'group.b:=x'],
                           automatically_declare_parameters_from_overrides=True) as node:
        group = node.get_parameters_by_prefix('group')
        assert {name: parameter.value for name, parameter in group.items()} == {'a': 1, 'b': 'x'}


def test_another_process_tells_its_parameters(node, executor, run):
    run(OTHER).wait_for('ready')
    client = AsyncParameterClient(node, 'other')
    assert client.wait_for_services(60)
    names = answer_to(executor, client.list_parameters()).result.names
    assert {'number', 'group.name', 'may_go', 'use_sim_time'} <= set(names)
    answer = answer_to(executor, client.list_parameters(['group'], 2))
    assert answer.result.names == ['group.name'] and answer.result.prefixes == ['group']
    types = answer_to(executor, client.get_parameter_types(['number', 'group.name'])).types
    assert list(types) == [ParameterType.PARAMETER_INTEGER, ParameterType.PARAMETER_STRING]
    described = answer_to(executor, client.describe_parameters(['may_go'])).descriptors
    assert described[0].name == 'may_go' and described[0].dynamic_typing
    values = answer_to(executor, client.get_parameters(['number', 'group.name'])).values
    assert values[0].integer_value == 1 and values[1].string_value == 'text'


def test_another_process_lets_its_parameters_be_set(node, executor, run, tmp_path):
    run(OTHER).wait_for('ready')
    client = AsyncParameterClient(node, 'other')
    assert client.wait_for_services(60)
    both = [Parameter('number', value=2), Parameter('group.name', value=3)]
    assert not answer_to(executor, client.set_parameters_atomically(both)).result.successful
    assert answer_to(executor, client.get_parameters(['number'])).values[0].integer_value == 1
    results = answer_to(executor, client.set_parameters(both)).results
    assert [result.successful for result in results] == [True, False]
    assert "expected 'Type.STRING' got 'Type.INTEGER'" in results[1].reason
    file = tmp_path / 'parameters.yaml'
    file.write_text('other:\n  ros__parameters:\n    number: 9\n    group:\n      name: loaded\n')
    results = answer_to(executor, client.load_parameter_file(str(file))).results
    assert all(result.successful for result in results)
    values = answer_to(executor, client.get_parameters(['number', 'group.name'])).values
    assert values[0].integer_value == 9 and values[1].string_value == 'loaded'
    assert answer_to(executor, client.delete_parameters(['may_go'])).results[0].successful
    assert 'may_go' not in answer_to(executor, client.list_parameters()).result.names


def test_changes_of_another_process_are_events(node, executor, run):
    events, numbers = [], []
    handler = ParameterEventHandler(node)
    handler.add_parameter_event_callback(events.append)
    handle = handler.add_parameter_callback('number', '/other', lambda parameter: numbers.append(
        parameter.value.integer_value))
    other = run(OTHER)
    other.wait_for('ready')
    client = AsyncParameterClient(node, 'other')
    assert client.wait_for_services(60)
    (subscription,) = (one for one in node.subscriptions if one.topic_name == '/parameter_events')
    wait_until(lambda: subscription.get_publisher_count() == 2)
    answer_to(executor, client.set_parameters([Parameter('number', value=5)]))
    spin_until(executor, lambda: 5 in numbers)
    answer_to(executor, client.delete_parameters(['may_go']))
    spin_until(executor, lambda: any(event.deleted_parameters for event in events))
    theirs = [event for event in events if event.node == '/other']
    assert [parameter.name for event in theirs for parameter in event.changed_parameters] == ['number']
    assert [parameter.name for event in theirs for parameter in event.deleted_parameters] == ['may_go']
    count = len(numbers)
    handler.remove_parameter_callback(handle)
    with pytest.raises(RuntimeError, match="Callback doesn't exist"):
        handler.remove_parameter_callback(handle)
    seen = len(events)
    answer_to(executor, client.set_parameters([Parameter('number', value=6)]))
    spin_until(executor, lambda: len(events) > seen)
    assert len(numbers) == count
    handler.destroy()


def test_one_s_own_changes_are_events_too(node, executor):
    events = []
    handler = ParameterEventHandler(node)
    handler.add_parameter_event_callback(events.append)
    node.declare_parameter('mine', 1)
    node.set_parameters([Parameter('mine', value=2)])
    spin_until(executor, lambda: len(events) == 2)
    assert events[0].node == '/tested' and events[0].new_parameters[0].value.integer_value == 1
    changed = ParameterEventHandler.get_parameter_from_event(events[1], 'mine', '/tested')
    assert changed.value.integer_value == 2
    handler.destroy()
