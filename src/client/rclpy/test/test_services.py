"""Services: calls, what is awaited, and what happens when one side fails."""

import signal
import threading

from conftest import spin_until, wait_until
from example_interfaces.srv import AddTwoInts
import pytest
import rclpy
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from rclpy.task import Future
from std_srvs.srv import SetBool, Trigger

SERVER = """
import sys
import rclpy
from example_interfaces.srv import AddTwoInts
rclpy.init()
node = rclpy.create_node('other')
def add(request, response):
    print('asked')
    if request.a < 0:
        sys.stdin.readline()  # for ever, but for a signal
    response.sum = request.a + request.b
    return response
node.create_service(AddTwoInts, 'add', add)
print('ready')
rclpy.spin(node)
"""

CLIENT = """
import sys
import rclpy
from example_interfaces.srv import AddTwoInts
rclpy.init()
node = rclpy.create_node('client')
client = node.create_client(AddTwoInts, 'add')
assert client.wait_for_service(60)
base = int(sys.argv[1])
futures = [client.call_async(AddTwoInts.Request(a=base, b=i)) for i in range(100)]
for i, future in enumerate(futures):
    rclpy.spin_until_future_complete(node, future)
    assert future.result().sum == base + i, (i, future.result())
print('done')
"""


def ask(executor, client, request):
    """Return the response."""
    future = client.call_async(request)
    executor.spin_until_future_complete(future, 60)
    return future.result()


def test_each_client_gets_the_answers_to_its_own_requests(node, executor, run):
    def add(request, response):
        response.sum = request.a + request.b
        return response

    node.create_service(AddTwoInts, 'add', add)
    clients = [run(CLIENT, str(base)) for base in (0, 1000)]
    spin_until(executor, lambda: all(client.process.poll() is not None for client in clients))
    for client in clients:
        assert client.wait() == 0, client.errors
        assert client.lines == ['done']


def test_requests_of_another_type_are_refused(node):
    client = node.create_client(AddTwoInts, 'add')
    with pytest.raises(TypeError):
        client.call_async(SetBool.Request())
    with pytest.raises(TypeError):
        client.call(AddTwoInts.Response())


def test_a_request_that_nobody_answers_stays_open_until_it_is_removed(node, executor):
    client = node.create_client(AddTwoInts, 'nobody')
    assert not client.service_is_ready() and client.wait_for_service(0.01) is False
    future = client.call_async(AddTwoInts.Request())
    executor.spin_until_future_complete(future, 0.01)
    assert not future.done()
    client.remove_pending_request(future)
    future = client.call_async(AddTwoInts.Request())
    future.cancel()
    assert future.cancelled()
    assert client.call(AddTwoInts.Request(), timeout_sec=0.01) is None


def test_a_server_that_is_killed_while_it_answers_leaves_the_request_open(node, executor, run):
    other = run(SERVER)
    other.wait_for('ready')
    client = node.create_client(AddTwoInts, 'add')
    assert client.wait_for_service(60)
    future = client.call_async(AddTwoInts.Request(a=-1))
    other.wait_for('asked')
    assert other.end(signal.SIGKILL) == -signal.SIGKILL
    wait_until(lambda: not client.service_is_ready())
    executor.spin_until_future_complete(future, 0.01)
    assert not future.done()
    # Another one takes its place, with the same client.
    other = run(SERVER)
    other.wait_for('ready')
    assert client.wait_for_service(60)
    assert ask(executor, client, AddTwoInts.Request(a=2, b=3)).sum == 5


def test_a_server_that_is_destroyed_is_gone(node, executor):
    service = node.create_service(Trigger, 'service', lambda request, response: response)
    client = node.create_client(Trigger, 'service')
    assert client.wait_for_service(60)
    assert not ask(executor, client, Trigger.Request()).success
    assert node.destroy_service(service)
    wait_until(lambda: not client.service_is_ready())
    assert service not in list(node.services)


def test_a_coroutine_answers_when_what_it_waits_for_is_done(node, executor):
    gate, begun = Future(), []

    async def answer(request, response):
        begun.append(1)
        response.message = await gate
        return response

    node.create_service(Trigger, 'service', answer)
    future = node.create_client(Trigger, 'service').call_async(Trigger.Request())
    spin_until(executor, lambda: begun)
    executor.spin_once(timeout_sec=0.01)
    assert not future.done()
    threading.Thread(target=gate.set_result, args=('opened',)).start()
    executor.spin_until_future_complete(future, 60)
    assert future.result().message == 'opened'


def test_a_callback_may_call_and_wait_if_another_thread_takes_the_answer(context):
    with rclpy.create_node('tested', context=context) as node, MultiThreadedExecutor(2, context=context) as executor:
        executor.add_node(node)
        group = ReentrantCallbackGroup()
        inner = node.create_client(Trigger, 'inner', callback_group=group)

        def answer(request, response):
            response.message = inner.call(Trigger.Request()).message + ' outer'
            return response

        node.create_service(Trigger, 'inner', lambda *_: Trigger.Response(message='inner'), callback_group=group)
        node.create_service(Trigger, 'outer', answer, callback_group=group)
        client = node.create_client(Trigger, 'outer', callback_group=group)
        assert ask(executor, client, Trigger.Request()).message == 'inner outer'


@pytest.mark.parametrize('is_coroutine', [False, True])
def test_an_exception_of_a_callback_leaves_the_spin_and_the_next_is_answered(node, executor, is_coroutine):
    def answer(request, response):
        if not request.data:
            raise LookupError('of the callback')
        return SetBool.Response(message='answered')

    async def answer_later(request, response):
        return answer(request, response)

    node.create_service(SetBool, 'service', answer_later if is_coroutine else answer)
    client = node.create_client(SetBool, 'service')
    lost = client.call_async(SetBool.Request(data=False))
    with pytest.raises(LookupError, match='of the callback'):
        spin_until(executor, lambda: False)
    assert ask(executor, client, SetBool.Request(data=True)).message == 'answered'
    assert not lost.done()


def test_what_is_to_be_done_with_an_answer_is_called_in_the_spin(node, executor):
    node.create_service(Trigger, 'service', lambda *_: Trigger.Response(message='answered'))
    client = node.create_client(Trigger, 'service')
    threads, answers = [], []

    def done(future):
        threads.append(threading.get_ident())
        answers.append(future.result().message)

    client.call_async(Trigger.Request()).add_done_callback(done)
    spin_until(executor, lambda: answers)
    assert answers == ['answered'] and threads == [threading.get_ident()]
    late = client.call_async(Trigger.Request())
    executor.spin_until_future_complete(late, 60)
    late.add_done_callback(done)
    spin_until(executor, lambda: len(answers) == 2)


def test_names_are_checked(node):
    with pytest.raises(rclpy.exceptions.InvalidServiceNameException):
        node.create_client(Trigger, 'not a name')
    with pytest.raises(rclpy.exceptions.InvalidServiceNameException):
        node.create_service(Trigger, '1st', lambda *_: None)
    assert node.create_client(Trigger, '~/mine').service_name == '/tested/mine'
