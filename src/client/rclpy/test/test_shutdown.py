"""Shutdown of executors, contexts and processes, from wherever it comes, and exceptions that end a program."""

import signal
import threading

from conftest import spin_until
import pytest
import rclpy
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.experimental.events_executor import EventsExecutor
from rclpy.task import Future
from std_msgs.msg import Int32
from std_srvs.srv import Trigger

KINDS = pytest.mark.parametrize('kind', [SingleThreadedExecutor, MultiThreadedExecutor, EventsExecutor])


def spin_quietly(executor):
    """Spin until shutdown, of the executor or of the context."""
    try:
        executor.spin()
    except ExternalShutdownException:
        pass


@KINDS
def test_a_callback_may_shut_down_its_executor(context, kind):
    with rclpy.create_node('tested', context=context) as node, kind(context=context) as executor:
        executor.add_node(node)
        node.create_timer(0.001, executor.shutdown)
        spin_quietly(executor)
        assert context.ok()


@KINDS
def test_a_callback_may_shut_down_its_context(context, kind):
    with rclpy.create_node('tested', context=context) as node, kind(context=context) as executor:
        executor.add_node(node)
        node.create_timer(0.001, context.try_shutdown)
        spin_quietly(executor)
        assert not context.ok()


@KINDS
@pytest.mark.parametrize('of_context', [False, True])
def test_another_thread_may_shut_down_an_idle_executor(context, kind, of_context):
    with rclpy.create_node('tested', context=context) as node, kind(context=context) as executor:
        executor.add_node(node)
        begun = threading.Event()
        executor.create_task(begun.set)
        thread = threading.Thread(target=spin_quietly, args=(executor,))
        thread.start()
        assert begun.wait(60)
        context.shutdown() if of_context else executor.shutdown()
        thread.join()
        assert context.ok() != of_context


def test_shutdown_waits_for_callbacks_that_run(context):
    with rclpy.create_node('tested', context=context) as node, MultiThreadedExecutor(2, context=context) as executor:
        executor.add_node(node)
        begun, go_on, ended = threading.Event(), threading.Event(), []

        def callback():
            timer.cancel()
            begun.set()
            go_on.wait(60)
            ended.append(1)

        timer = node.create_timer(0.001, callback)
        thread = threading.Thread(target=executor.spin)
        thread.start()
        assert begun.wait(60)
        assert executor.shutdown(timeout_sec=0.01) is False
        go_on.set()
        assert executor.shutdown() is True
        assert ended == [1]
        thread.join()


def test_callbacks_of_a_context_are_called_at_its_shutdown():
    class Listening:
        def hear(self):
            called.append('method')

    called, listening, gone = [], Listening(), Listening()
    with rclpy.Context() as context:
        context.on_shutdown(lambda: called.append('function'))
        context.on_shutdown(listening.hear)
        context.on_shutdown(gone.hear)
        del gone
        with pytest.raises(TypeError):
            context.on_shutdown('nothing to call')
        context.shutdown()
        assert sorted(called) == ['function', 'method']
        with pytest.raises(RuntimeError):
            context.shutdown()


def test_who_waits_for_a_service_ends_with_the_context(context):
    with rclpy.create_node('tested', context=context) as node:
        client = node.create_client(Trigger, 'nobody')
        answers = []
        thread = threading.Thread(target=lambda: answers.append(client.wait_for_service()))
        thread.start()
        context.shutdown()
        thread.join()
        assert answers == [False]


@pytest.mark.parametrize('kind', [SingleThreadedExecutor, MultiThreadedExecutor])
def test_an_exception_of_a_callback_leaves_the_spin_and_the_next_spin_goes_on(context, kind):
    with rclpy.create_node('tested', context=context) as node, kind(context=context) as executor:
        executor.add_node(node)
        got = []

        def take(message):
            if message.data == 0:
                raise LookupError('of the callback')
            got.append(message.data)

        node.create_subscription(Int32, 'topic', take, 10)
        publisher = node.create_publisher(Int32, 'topic', 10)
        publisher.publish(Int32(data=0))
        publisher.publish(Int32(data=1))
        with pytest.raises(LookupError, match='of the callback'):
            executor.spin_until_future_complete(Future(), 60)
        spin_until(executor, lambda: got)
        assert got == [1]


@KINDS
def test_all_that_a_callback_uses_may_be_destroyed_and_made_anew_in_it(context, kind):
    with rclpy.create_node('tested', context=context) as node, kind(context=context) as executor:
        executor.add_node(node)
        made, counted, before, done = [], [], len(list(node.services)), Future()

        def callback():
            for destroy, entity in zip((node.destroy_timer, node.destroy_subscription, node.destroy_publisher,
                                        node.destroy_service, node.destroy_client), made.pop() if made else ()):
                assert destroy(entity)
            made.append((node.create_timer(0.001, count),
                         node.create_subscription(Int32, 'topic', lambda message: None, 10),
                         node.create_publisher(Int32, 'topic', 10),
                         node.create_service(Trigger, 'service', lambda request, response: response),
                         node.create_client(Trigger, 'service')))
            made[-1][2].publish(Int32())

        def count():
            callback()
            counted.append(1)
            if len(counted) == 30:
                made[-1][0].cancel()
                done.set_result(None)

        callback()
        executor.spin_until_future_complete(done, 60)
        assert executor.shutdown()  # when the last callback has ended
        assert done.done() and len(list(node.services)) == before + 1


def test_a_node_may_be_destroyed_while_another_thread_spins_it(context):
    for _ in range(20):
        with SingleThreadedExecutor(context=context) as executor:
            node = rclpy.create_node('tested', context=context)
            called = threading.Event()
            node.create_timer(0.0001, called.set)
            executor.add_node(node)
            thread = threading.Thread(target=spin_quietly, args=(executor,))
            thread.start()
            assert called.wait(60)
            node.destroy_node()
            executor.shutdown()
            thread.join()


def test_an_exception_that_nobody_catches_ends_the_process(run):
    program = run("""
import rclpy
rclpy.init()
node = rclpy.create_node('failing')
def fail():
    raise LookupError('of the callback')
node.create_timer(0.001, fail)
rclpy.spin(node)
""")
    assert program.wait() == 1
    assert program.errors[-1] == 'LookupError: of the callback'


@pytest.mark.parametrize('kind', ['SingleThreadedExecutor', 'MultiThreadedExecutor', 'EventsExecutor'])
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_signals_end_all_executors(run, kind, number):
    program = run(f"""
import time
import rclpy
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.experimental.events_executor import EventsExecutor
rclpy.init()
executor = {kind}()
executor.add_node(rclpy.create_node('spinning'))
executor.create_task(print, 'ready')
try:
    executor.spin()
except (KeyboardInterrupt, ExternalShutdownException):
    pass
while rclpy.ok():  # another thread shuts down, maybe a moment later
    time.sleep(0.001)
print('end')
""")
    program.wait_for('ready')
    assert program.end(number) == 0, program.errors
    assert program.lines == ['ready', 'end'] and not program.errors


def test_an_interrupt_while_the_first_thread_of_a_pool_starts_ends_the_process(run):
    program = run("""
import os
import signal
import rclpy
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
rclpy.init()
executor = MultiThreadedExecutor()
executor.add_node(rclpy.create_node('spinning'))
executor.create_task(lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    executor.spin()
except (KeyboardInterrupt, ExternalShutdownException):
    pass
print('end')
""")
    assert program.wait() == 0, program.errors
    assert program.lines == ['end'] and not program.errors


def test_a_thread_that_is_waited_for_ends_with_the_context(run):
    program = run("""
import threading
import rclpy
from rclpy.executors import ExternalShutdownException
rclpy.init()
node = rclpy.create_node('spinning')
def spin():
    try:
        rclpy.spin(node)
    except ExternalShutdownException:
        print('shut down')
thread = threading.Thread(target=spin)
thread.start()
called = threading.Event()
node.create_timer(0.001, called.set)
called.wait()
rclpy.shutdown()
thread.join()
print('end')
""")
    assert program.wait() == 0, program.errors
    assert program.lines[-1] == 'end' and not program.errors


@pytest.mark.parametrize('executor', ['SingleThreadedExecutor', 'MultiThreadedExecutor'])
def test_the_interpreter_ends_quietly_while_a_daemon_thread_calls_back(run, executor):
    program = run(f"""
import threading
import rclpy
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
rclpy.init()
executor = {executor}()
node = rclpy.create_node('spinning')
called = threading.Event()
node.create_timer(0.0001, called.set)
executor.add_node(node)
threading.Thread(target=executor.spin, daemon=True).start()
called.wait()
print('end')
""")
    assert program.wait() == 0, program.errors
    assert program.lines == ['end'] and not program.errors
