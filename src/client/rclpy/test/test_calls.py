"""Services, actions and parameters, also of other processes."""

import signal
import threading

from conftest import spin_until, wait_until
from example_interfaces.action import Fibonacci
import pytest
import rclpy
from rclpy.action import ActionClient, ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.parameter_client import AsyncParameterClient
from std_srvs.srv import SetBool

SERVER = """
import rclpy
from std_srvs.srv import SetBool
rclpy.init()
node = rclpy.create_node('other')
node.declare_parameter('number', 1)
def answer(request, response):
    response.success = request.data
    return response
node.create_service(SetBool, 'service', answer)
print('ready')
rclpy.spin(node)
"""


def test_a_service_of_another_process_answers(node, executor, run):
    run(SERVER).wait_for('ready')
    client = node.create_client(SetBool, 'service')
    assert client.wait_for_service(60)
    future = client.call_async(SetBool.Request(data=True))
    executor.spin_until_future_complete(future, 60)
    assert future.result().success


def test_a_killed_server_leaves(node, run):
    other = run(SERVER)
    other.wait_for('ready')
    client = node.create_client(SetBool, 'service')
    assert client.wait_for_service(60)
    other.end(signal.SIGKILL)
    wait_until(lambda: not client.service_is_ready())
    assert client.wait_for_service(0.1) is False


def test_a_call_waits_in_another_thread_than_the_one_that_spins(node, executor):
    node.create_service(SetBool, 'service', lambda request, response: SetBool.Response(message='done'))
    client = node.create_client(SetBool, 'service')
    answers = []
    thread = threading.Thread(target=lambda: answers.append(client.call(SetBool.Request())))
    thread.start()
    spin_until(executor, lambda: answers)
    thread.join()
    assert answers[0].message == 'done'
    assert client.call(SetBool.Request(), timeout_sec=0.05) is None  # nobody spins


def test_a_service_may_wait_for_another(node, executor):
    group = ReentrantCallbackGroup()
    client = node.create_client(SetBool, 'inner', callback_group=group)

    async def answer(request, response):
        inner = await client.call_async(request)
        response.message = inner.message + ' outer'
        return response

    node.create_service(SetBool, 'inner', lambda *_: SetBool.Response(message='inner'), callback_group=group)
    node.create_service(SetBool, 'outer', answer, callback_group=group)
    future = node.create_client(SetBool, 'outer', callback_group=group).call_async(SetBool.Request())
    executor.spin_until_future_complete(future, 60)
    assert future.result().message == 'inner outer'


def test_a_response_of_another_type_leaves_the_spin(node, executor):
    node.create_service(SetBool, 'service', lambda request, response: 'no response')
    node.create_client(SetBool, 'service').call_async(SetBool.Request())
    with pytest.raises(TypeError):
        spin_until(executor, lambda: False)


def test_parameters_are_set_from_another_node(node, executor, run):
    run(SERVER).wait_for('ready')
    client = AsyncParameterClient(node, '/other')
    wait_until(client.services_are_ready)
    future = client.set_parameters([Parameter('number', value=7), Parameter('unknown', value=1)])
    executor.spin_until_future_complete(future, 60)
    assert [result.successful for result in future.result().results] == [True, False]
    future = client.get_parameters(['number'])
    executor.spin_until_future_complete(future, 60)
    assert future.result().values[0].integer_value == 7


def test_arguments_and_files_override_parameters(context, tmp_path):
    file = tmp_path / 'parameters.yaml'
    file.write_text('/**:\n  ros__parameters:\n    a: 1\n    b: [left, right]\n')
    arguments = ['--ros-args', '--params-file', str(file), '-p', 'a:=2']
    with rclpy.create_node('tested', context=context, cli_args=arguments) as node:
        assert node.declare_parameter('a', 0).value == 2
        assert node.declare_parameter('b', ['']).value == ['left', 'right']
        assert not node.set_parameters([Parameter('a', value='text')])[0].successful
        assert node.get_parameter('a').value == 2


class Counting:
    """A server of an action that counts to the order, a feedback for each number."""

    def __init__(self, node):
        self.steps = threading.Event()
        self.server = ActionServer(
            node, Fibonacci, 'count', self.count, callback_group=ReentrantCallbackGroup(),
            cancel_callback=lambda handle: CancelResponse.ACCEPT)

    def count(self, handle):
        for i in range(handle.request.order):
            if handle.request.order > 100:
                self.steps.wait(60)
            if handle.is_cancel_requested:
                handle.canceled()
                return Fibonacci.Result(sequence=list(range(i)))
            handle.publish_feedback(Fibonacci.Feedback(sequence=list(range(i))))
        handle.succeed()
        return Fibonacci.Result(sequence=list(range(handle.request.order)))


def test_an_action_tells_its_progress_and_its_result(node, executor):
    counting = Counting(node)
    client = ActionClient(node, Fibonacci, 'count')
    assert client.wait_for_server(60)
    feedback = []
    future = client.send_goal_async(Fibonacci.Goal(order=5), lambda message: feedback.append(message.feedback))
    executor.spin_until_future_complete(future, 60)
    assert future.result().accepted
    future = future.result().get_result_async()
    executor.spin_until_future_complete(future, 60)
    assert list(future.result().result.sequence) == [0, 1, 2, 3, 4]
    spin_until(executor, lambda: len(feedback) == 5)
    client.destroy()
    counting.server.destroy()


def test_an_action_is_cancelled(context):
    with rclpy.create_node('tested', context=context) as node, MultiThreadedExecutor(3, context=context) as executor:
        executor.add_node(node)
        counting = Counting(node)
        client = ActionClient(node, Fibonacci, 'count', callback_group=ReentrantCallbackGroup())
        goal = client.send_goal_async(Fibonacci.Goal(order=1000))
        executor.spin_until_future_complete(goal, 60)
        cancelled = goal.result().cancel_goal_async()
        executor.spin_until_future_complete(cancelled, 60)
        assert len(cancelled.result().goals_canceling) == 1
        counting.steps.set()
        result = goal.result().get_result_async()
        executor.spin_until_future_complete(result, 60)
        assert result.result().status == 5  # STATUS_CANCELED
        client.destroy()
        counting.server.destroy()
