"""Executors: whose callback runs when."""

import threading

from conftest import spin_until, wait_until
import pytest
import rclpy
from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.executors import Executor, MultiThreadedExecutor, ShutdownException, TimeoutException
from rclpy.experimental.events_executor import EventsExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.task import Future
from rclpy.waitable import NumberOfEntities, Waitable


class Meeting:
    """Callbacks that note how many of them run at a time."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.running = self.most = self.calls = 0
        self.changed = threading.Condition()

    def callback(self):
        with self.changed:
            self.calls += 1
            self.running += 1
            self.most = max(self.most, self.running)
            self.changed.notify_all()
            if self.calls <= self.wanted:
                self.changed.wait_for(lambda: self.most >= self.wanted, 0.2 if self.wanted == 1 else 60)
        with self.changed:
            self.running -= 1


class AtMostTwo(CallbackGroup):
    """Rules of one's own."""

    def __init__(self):
        super().__init__()
        self.free = 2
        self.lock = threading.Lock()

    def can_execute(self, entity):
        return self.free > 0

    def beginning_execution(self, entity):
        with self.lock:
            if not self.free:
                return False
            self.free -= 1
            return True

    def ending_execution(self, entity):
        with self.lock:
            self.free += 1


@pytest.mark.parametrize('group, most', [
    (MutuallyExclusiveCallbackGroup, 1), (AtMostTwo, 2), (ReentrantCallbackGroup, 3)])
def test_groups_say_how_many_callbacks_run_at_a_time(context, group, most):
    meeting = Meeting(most)
    with rclpy.create_node('tested', context=context) as node, MultiThreadedExecutor(3, context=context) as executor:
        executor.add_node(node)
        group = group()
        for _ in range(3):
            node.create_timer(0.001, meeting.callback, callback_group=group)
        spin_until(executor, lambda: meeting.calls >= 12)
    assert meeting.most == most


def test_coroutines_go_on_when_what_they_wait_for_is_done(node, executor):
    future, steps = Future(), []

    async def callback():
        timer.cancel()
        steps.append('begun')
        steps.append(await future)

    timer = node.create_timer(0.001, callback)
    spin_until(executor, lambda: steps)
    executor.spin_once(timeout_sec=0.01)
    assert steps == ['begun']
    threading.Thread(target=future.set_result, args=('done',)).start()
    spin_until(executor, lambda: len(steps) == 2)
    assert steps == ['begun', 'done']


def test_tasks_wake_who_spins_and_give_results(executor):
    async def add(one, other):
        return one + other

    task = executor.create_task(add, 2, 3)
    spinning = threading.Thread(target=executor.spin_until_future_complete, args=(task,))
    spinning.start()
    spinning.join()
    assert task.result() == 5
    failing = executor.create_task(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        spin_until(executor, failing.done)


def test_triggers_of_other_threads_wake_who_spins(node, executor):
    calls = []
    guard = node.create_guard_condition(lambda: calls.append(1))
    for _ in range(3):
        count = len(calls)
        threading.Thread(target=guard.trigger).start()
        spin_until(executor, lambda: len(calls) > count)


class Ready(Waitable):
    """A waitable of one's own, with a guard condition."""

    def __init__(self, node):
        super().__init__(ReentrantCallbackGroup())
        self.guard = _rclpy.GuardCondition(node.context.handle)
        self.executed = []
        self.index = None
        self.is_triggered = False

    def add_to_wait_set(self, wait_set):
        self.index = wait_set.add_guard_condition(self.guard)

    def is_ready(self, wait_set):
        self.is_triggered = self.is_triggered or wait_set.is_ready('guard_condition', self.index)
        return self.is_triggered

    def take_data(self):
        self.is_triggered = False
        return 'data'

    async def execute(self, taken_data):
        self.executed.append(taken_data)

    def get_num_entities(self):
        return NumberOfEntities(num_gcs=1)


def test_waitables_of_programs_are_executed(node, executor):
    waitable = Ready(node)
    node.add_waitable(waitable)
    executor.spin_once(timeout_sec=0.01)
    assert not waitable.executed
    threading.Thread(target=waitable.guard.trigger_guard_condition).start()
    spin_until(executor, lambda: waitable.executed)
    assert waitable.executed == ['data']
    node.remove_waitable(waitable)


class Own(Executor):
    """An executor of a program, with spin_once() alone."""

    def spin_once(self, timeout_sec=None):
        try:
            handler, entity, node = self.wait_for_ready_callbacks(timeout_sec=timeout_sec)
        except (ShutdownException, TimeoutException):
            return
        self.seen = (entity, node)
        handler()


def test_executors_of_programs_run_callbacks(context):
    with rclpy.create_node('tested', context=context) as node, Own(context=context) as executor:
        executor.add_node(node)
        calls = []
        timer = node.create_timer(0.001, lambda: calls.append(1))
        spin_until(executor, lambda: calls)
        assert executor.seen == (timer, node)
        thread = threading.Thread(target=executor.spin)
        thread.start()
        wait_until(lambda: len(calls) > 5)
        executor.shutdown()
        thread.join()


@pytest.mark.parametrize('kind', [EventsExecutor, MultiThreadedExecutor])
def test_what_is_made_and_destroyed_while_it_spins_is_served(context, kind):
    with rclpy.create_node('tested', context=context) as node, kind(context=context) as executor:
        executor.add_node(node)
        thread = threading.Thread(target=executor.spin)
        thread.start()
        for _ in range(50):
            called = threading.Event()
            timer = node.create_timer(0.0001, called.set)
            assert called.wait(60)
            node.destroy_timer(timer)
        executor.shutdown()
        thread.join()


def test_two_threads_cannot_spin_one_executor(node, executor):
    failures = []

    def nested():
        with pytest.raises(RuntimeError, match='already spinning'):
            executor.spin_once(timeout_sec=0)
        failures.append(1)

    node.create_timer(0.001, nested)
    spin_until(executor, lambda: failures)
