"""Actions: goals, feedback, cancelling, and servers that fail or die."""

import signal
import threading

from action_msgs.msg import GoalStatus
from conftest import spin_until, wait_until
from example_interfaces.action import Fibonacci
import pytest
import rclpy
from rclpy.action import ActionClient, ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor

SERVER = """
import sys
import rclpy
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from example_interfaces.action import Fibonacci
rclpy.init()
node = rclpy.create_node('other')
def execute(handle):
    sequence = [0, 1]
    while len(sequence) < handle.request.order:
        sequence.append(sequence[-1] + sequence[-2])
        handle.publish_feedback(Fibonacci.Feedback(sequence=sequence))
    print('executes')
    if handle.request.order > 20:
        sys.stdin.readline()  # until it is told to go on
    if handle.is_cancel_requested:
        handle.canceled()
    else:
        handle.succeed()
    return Fibonacci.Result(sequence=sequence)
server = ActionServer(node, Fibonacci, 'fibonacci', execute, callback_group=ReentrantCallbackGroup(),
                      cancel_callback=lambda handle: CancelResponse.ACCEPT)
executor = MultiThreadedExecutor(3)
executor.add_node(node)
print('ready')
executor.spin()
"""


@pytest.fixture
def client(node):
    client = ActionClient(node, Fibonacci, 'fibonacci')
    yield client
    client.destroy()


@pytest.fixture
def serve(node):
    """Make servers, which are destroyed at the end."""
    servers = []

    def make(execute, **options):
        servers.append(ActionServer(node, Fibonacci, 'fibonacci', execute, **options))
        return servers[-1]

    yield make
    for server in servers:
        server.destroy()


def result_of(executor, future):
    executor.spin_until_future_complete(future, 60)
    assert future.done()
    return future.result()


def run_goal(executor, client, order=5):
    """Return the response with status and result."""
    assert client.wait_for_server(60)
    goal = result_of(executor, client.send_goal_async(Fibonacci.Goal(order=order)))
    assert goal.accepted
    return result_of(executor, goal.get_result_async())


def test_a_server_in_another_process_executes_goals(executor, client, run):
    run(SERVER).wait_for('ready')
    assert client.wait_for_server(60)
    feedback = []
    goal = result_of(executor, client.send_goal_async(
        Fibonacci.Goal(order=8), lambda message: feedback.append(list(message.feedback.sequence))))
    assert goal.accepted
    response = result_of(executor, goal.get_result_async())
    assert response.status == GoalStatus.STATUS_SUCCEEDED
    assert list(response.result.sequence) == [0, 1, 1, 2, 3, 5, 8, 13]
    assert feedback == [[0, 1, 1, 2, 3, 5, 8, 13][:length] for length in range(3, 3 + len(feedback))]


def test_a_goal_of_another_process_is_cancelled(executor, client, run):
    other = run(SERVER)
    other.wait_for('ready')
    assert client.wait_for_server(60)
    goal = result_of(executor, client.send_goal_async(Fibonacci.Goal(order=30)))
    other.wait_for('executes')
    answer = result_of(executor, goal.cancel_goal_async())
    assert [bytes(info.goal_id.uuid) for info in answer.goals_canceling] == [bytes(goal.goal_id.uuid)]
    spin_until(executor, lambda: goal.status == GoalStatus.STATUS_CANCELING)
    other.process.stdin.write('go on\n')
    other.process.stdin.flush()
    assert result_of(executor, goal.get_result_async()).status == GoalStatus.STATUS_CANCELED
    answer = result_of(executor, goal.cancel_goal_async())
    assert answer.return_code == answer.ERROR_GOAL_TERMINATED and not answer.goals_canceling


def test_a_killed_server_is_gone_and_another_takes_its_place(executor, client, run):
    other = run(SERVER)
    other.wait_for('ready')
    assert client.wait_for_server(60)
    goal = result_of(executor, client.send_goal_async(Fibonacci.Goal(order=30)))
    result = goal.get_result_async()
    other.wait_for('executes')
    assert other.end(signal.SIGKILL) == -signal.SIGKILL
    wait_until(lambda: not client.server_is_ready())
    assert client.wait_for_server(0.01) is False
    executor.spin_until_future_complete(result, 0.01)
    assert not result.done()
    run(SERVER).wait_for('ready')
    assert list(run_goal(executor, client, 4).result.sequence) == [0, 1, 1, 2]


def test_a_goal_may_be_rejected(executor, client, serve):
    serve(lambda handle: pytest.fail('executes'), goal_callback=lambda goal: GoalResponse.REJECT)
    assert client.wait_for_server(60)
    goal = result_of(executor, client.send_goal_async(Fibonacci.Goal(order=1)))
    assert not goal.accepted
    assert result_of(executor, goal.get_result_async()).status == GoalStatus.STATUS_UNKNOWN


def test_a_server_may_abort(executor, client, serve):
    def execute(handle):
        handle.abort()
        return Fibonacci.Result(sequence=[9])

    serve(execute)
    response = run_goal(executor, client)
    assert response.status == GoalStatus.STATUS_ABORTED and list(response.result.sequence) == [9]


def test_a_goal_whose_state_is_not_set_is_aborted(executor, client, serve, capfd):
    serve(lambda handle: Fibonacci.Result(sequence=[7]))
    response = run_goal(executor, client)
    assert response.status == GoalStatus.STATUS_ABORTED and list(response.result.sequence) == [7]
    wait_until(lambda: 'Goal state not set, assuming aborted.' in capfd.readouterr().err)


def test_a_goal_whose_callback_raises_is_aborted_and_the_spin_goes_on(executor, client, serve, capfd):
    def execute(handle):
        if handle.request.order == 0:
            raise LookupError('of the callback')
        handle.succeed()
        return Fibonacci.Result(sequence=[1])

    serve(execute)
    response = run_goal(executor, client, 0)
    assert response.status == GoalStatus.STATUS_ABORTED and list(response.result.sequence) == []
    assert 'Error raised in execute callback: of the callback' in capfd.readouterr().err
    assert run_goal(executor, client, 1).status == GoalStatus.STATUS_SUCCEEDED


def test_a_cancel_that_the_server_rejects_changes_nothing(node, client, serve):
    go_on = threading.Event()

    def execute(handle):
        go_on.wait(60)
        assert not handle.is_cancel_requested
        handle.succeed()
        return Fibonacci.Result()

    with MultiThreadedExecutor(3, context=node.context) as executor:
        executor.add_node(node)
        serve(execute, callback_group=ReentrantCallbackGroup(), cancel_callback=lambda _: CancelResponse.REJECT)
        assert client.wait_for_server(60)
        goal = result_of(executor, client.send_goal_async(Fibonacci.Goal(order=1)))
        answer = result_of(executor, goal.cancel_goal_async())
        assert answer.return_code == answer.ERROR_REJECTED and not answer.goals_canceling
        go_on.set()
        assert result_of(executor, goal.get_result_async()).status == GoalStatus.STATUS_SUCCEEDED


def test_goals_may_be_kept_and_executed_later(executor, client, serve):
    kept = []

    async def execute(handle):
        handle.succeed()
        return Fibonacci.Result(sequence=[handle.request.order])

    serve(execute, handle_accepted_callback=kept.append)
    assert client.wait_for_server(60)
    goals = [result_of(executor, client.send_goal_async(Fibonacci.Goal(order=order))) for order in (1, 2)]
    assert [handle.request.order for handle in kept] == [1, 2] and all(handle.is_active for handle in kept)
    results = [goal.get_result_async() for goal in goals]
    for handle in reversed(kept):
        handle.execute()
    assert [list(result_of(executor, result).result.sequence) for result in results] == [[1], [2]]


def test_results_are_kept_only_for_a_time(executor, client, serve):
    def execute(handle):
        handle.succeed()
        return Fibonacci.Result(sequence=[1])

    serve(execute, result_timeout=0.05)
    assert client.wait_for_server(60)
    goal = result_of(executor, client.send_goal_async(Fibonacci.Goal(order=1)))

    def is_forgotten():
        return result_of(executor, goal.get_result_async()).status == GoalStatus.STATUS_UNKNOWN

    spin_until(executor, is_forgotten)


def test_goals_of_another_type_are_refused(client):
    with pytest.raises(TypeError):
        client.send_goal_async(Fibonacci.Result())


def test_send_goal_waits_while_another_thread_spins(executor, client, serve):
    def execute(handle):
        handle.succeed()
        return Fibonacci.Result(sequence=[3])

    serve(execute)
    assert client.wait_for_server(60)
    responses = []
    thread = threading.Thread(target=lambda: responses.append(client.send_goal(Fibonacci.Goal(order=1))))
    thread.start()
    spin_until(executor, lambda: responses)
    thread.join()
    assert list(responses[0].result.sequence) == [3]


def test_the_graph_has_actions(node, client, serve):
    serve(lambda handle: None)
    expected = ('/fibonacci', ['example_interfaces/action/Fibonacci'])
    wait_until(lambda: expected in rclpy.action.get_action_names_and_types(node))
    assert expected in rclpy.action.get_action_server_names_and_types_by_node(node, 'tested', '/')
    assert expected in rclpy.action.get_action_client_names_and_types_by_node(node, 'tested', '/')
