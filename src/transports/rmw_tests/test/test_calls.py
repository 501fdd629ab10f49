"""Services, actions, parameters and lifecycles of a stock ROS 2 over Tandem: among its nodes, and with native ones."""

import pytest

FIBONACCI = [0, 1, 1, 2, 3, 5]

SERVER = '''
from rclpy.action import ActionClient, ActionServer, CancelResponse
from std_srvs.srv import SetBool
from test_msgs.action import Fibonacci
import time

def answer(request, response):
    response.success, response.message = not request.data, "stock"
    return response

def execute(goal):
    """Of a negative order until it is cancelled."""
    numbers, feedback = [0, 1], Fibonacci.Feedback()
    while len(numbers) <= goal.request.order or (goal.request.order < 0 and not goal.is_cancel_requested):
        if goal.request.order >= 0:
            numbers.append(numbers[-1] + numbers[-2])
        feedback.sequence = numbers
        goal.publish_feedback(feedback)
        time.sleep(0.005)
    goal.canceled() if goal.is_cancel_requested else goal.succeed()
    return Fibonacci.Result(sequence=numbers)

service = node.create_service(SetBool, "/stock_bool", answer)
action = ActionServer(node, Fibonacci, "/stock_fibonacci", execute, cancel_callback=lambda goal: CancelResponse.ACCEPT)
'''

CLIENT = '''
from rclpy.action import ActionClient
from std_srvs.srv import SetBool
from test_msgs.action import Fibonacci

clients, calls, feedback, goals, results = {}, [], [], [], []

def call(name, value):
    client = clients.setdefault(name, node.create_client(SetBool, name))
    calls.append(client.call_async(SetBool.Request(data=value)))

def answers():
    return [[c.result().success, c.result().message] for c in calls if c.done()]

def start(name, order):
    client = clients.setdefault(name, ActionClient(node, Fibonacci, name))
    client.wait_for_server()
    for made in feedback, goals, results:
        made.clear()
    sent = client.send_goal_async(Fibonacci.Goal(order=order), lambda m: feedback.append(list(m.feedback.sequence)))
    sent.add_done_callback(accepted)

def accepted(sent):
    goals.append(sent.result())
    goals[-1].get_result_async().add_done_callback(
        lambda f: results.append([f.result().status, list(f.result().result.sequence)]))
'''
SUCCEEDED, CANCELED = 4, 5  # of action_msgs/GoalStatus


@pytest.fixture(scope='module')
def server(b):
    b.do(SERVER)
    return b


@pytest.fixture(scope='module')
def client(a):
    a.do(CLIENT)
    return a


@pytest.mark.parametrize('side', ['stock', 'native'])
def test_services_answer_each_call(client, server, native, side):
    name = {'stock': '/stock_bool', 'native': '/set_bool'}[side]
    client.do(f'calls.clear(); clients[{name!r}] = node.create_client(SetBool, {name!r})')
    client.wait(f'clients[{name!r}].service_is_ready()')
    client.do(f'[call({name!r}, n % 2 == 0) for n in range(50)]')
    client.wait('len(answers()) == 50')
    assert client.ask('answers()') == [[n % 2 == 1, side] for n in range(50)]


def test_native_clients_call_stock_services(world, server):
    output = world.ros2('service', 'call', '/stock_bool', 'std_srvs/srv/SetBool', '{data: false}')
    assert 'success=True' in output and "message='stock'" in output


def test_a_service_that_ends_is_unavailable(client, server):
    server.do('short = node.create_service(SetBool, "/short", answer)')
    client.do('clients["/short"] = node.create_client(SetBool, "/short")')
    client.wait('clients["/short"].service_is_ready()')
    server.do('node.destroy_service(short)')
    client.wait('not clients["/short"].service_is_ready()')


@pytest.mark.parametrize('name', ['/stock_fibonacci', '/native_fibonacci'])
def test_actions_tell_feedback_and_a_result(client, server, native, name):
    client.do(f'start({name!r}, 5)')
    client.wait('results')
    assert client.ask('results') == [[SUCCEEDED, FIBONACCI]]
    assert client.ask('feedback'), 'no feedback has come'
    assert all(FIBONACCI[:len(numbers)] == numbers for numbers in client.ask('feedback'))


@pytest.mark.parametrize('name', ['/stock_fibonacci', '/native_fibonacci'])
def test_actions_are_cancelled(client, server, native, name):
    client.do(f'start({name!r}, -1)')
    client.wait('len(feedback) > 2')
    client.do('cancel = goals[0].cancel_goal_async()')
    client.wait('cancel.done() and results')
    assert client.ask('len(cancel.result().goals_canceling)') == 1
    assert client.ask('results[0][0]') == CANCELED


def test_native_clients_use_stock_actions(world, server):
    output = world.ros2('action', 'send_goal', '-f', '/stock_fibonacci', 'test_msgs/action/Fibonacci', '{order: 5}')
    assert 'SUCCEEDED' in output and 'Feedback' in output
    assert [int(line[2:]) for line in output.split('Result:')[1].splitlines() if line.startswith('- ')] == FIBONACCI


def test_parameters_are_set_and_read_both_ways(world, a, b, native):
    a.do('node.declare_parameter("speed", 1.5); node.declare_parameter("names", ["x", "y"])')
    assert world.ros2('param', 'get', '/a', 'names').strip() == "String values are: ['x', 'y']"
    assert 'successful' in world.ros2('param', 'set', '/a', 'speed', '2.5')
    assert a.ask('node.get_parameter("speed").value') == 2.5
    b.do('from rclpy.parameter import Parameter\nfrom rclpy.parameter_client import AsyncParameterClient')
    for other in '/a', '/native_peer':
        b.do(f'remote = AsyncParameterClient(node, {other!r}); remote.wait_for_services()')
        b.do('done = remote.set_parameters([Parameter("speed", Parameter.Type.DOUBLE, 3.5)])')
        b.wait('done.done()')
        assert b.ask('done.result().results[0].successful')
        b.do('done = remote.get_parameters(["speed"])')
        b.wait('done.done()')
        assert b.ask('done.result().values[0].double_value') == 3.5
    assert a.ask('node.get_parameter("speed").value') == 3.5
    assert '3.5' in world.ros2('param', 'get', '/native_peer', 'speed')


def test_native_commands_lead_a_stock_node_through_its_lifecycle(world, b):
    b.do('from rclpy.lifecycle import LifecycleNode\nled = LifecycleNode("led")\nexecutor.add_node(led)')
    world.eventually('lifecycle', 'nodes', holds=lambda output: '/led' in output)
    for transition, state in ('configure', 'inactive'), ('activate', 'active'), ('deactivate', 'inactive'):
        assert 'successful' in world.ros2('lifecycle', 'set', '/led', transition)
        assert world.ros2('lifecycle', 'get', '/led').startswith(state)
    b.do('executor.remove_node(led); led.destroy_node()')
