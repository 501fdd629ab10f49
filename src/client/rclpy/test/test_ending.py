"""How processes end: signals, exceptions, the interpreter's end, children."""

import signal

from conftest import wait_until
import pytest

SPINNING = """
import rclpy
from rclpy.executors import ExternalShutdownException
rclpy.init()
node = rclpy.create_node('spinning')
node.create_timer(0.5, lambda: None)
print('ready')
try:
    rclpy.spin(node)
except KeyboardInterrupt:
    print('interrupted')
except ExternalShutdownException:
    print('shut down')
finally:
    node.destroy_node()
    rclpy.try_shutdown()
print('end')
"""


@pytest.mark.parametrize('number, line', [(signal.SIGINT, 'interrupted'), (signal.SIGTERM, 'shut down')])
def test_signals_end_the_spin(run, number, line):
    program = run(SPINNING)
    program.wait_for('ready')
    assert program.end(number) == 0
    assert program.lines == ['ready', line, 'end'] and not program.errors


def test_an_interrupt_that_nobody_catches_ends_the_process(run):
    program = run("import rclpy; rclpy.init(); node = rclpy.create_node('n'); print('ready'); rclpy.spin(node)")
    program.wait_for('ready')
    assert program.end(signal.SIGINT) in (-signal.SIGINT, 130, 1)
    assert 'KeyboardInterrupt' in program.errors[-1]


def test_an_interrupt_ends_the_spin_where_no_signals_are_handled(run):
    program = run(SPINNING.replace('rclpy.init()', 'rclpy.init(signal_handler_options=rclpy.SignalHandlerOptions.NO)'))
    program.wait_for('ready')
    assert program.end(signal.SIGINT) == 0
    assert program.lines == ['ready', 'interrupted', 'end']


def test_the_interpreter_ends_while_threads_spin(run):
    program = run("""
import threading
import rclpy
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from std_msgs.msg import String
rclpy.init()
for i, kind in enumerate([SingleThreadedExecutor, MultiThreadedExecutor]):
    executor = kind()
    node = rclpy.create_node(f'node{i}')
    publisher = node.create_publisher(String, 'topic', 10)
    node.create_subscription(String, 'topic', lambda message: None, 10)
    node.create_timer(0.0001, lambda: publisher.publish(String(data='x')))
    executor.add_node(node)
    threading.Thread(target=executor.spin, daemon=True).start()
print('end')
""")
    assert program.wait() == 0, program.errors
    assert program.lines == ['end']


def test_nodes_are_collected_in_any_order(run):
    program = run("""
import gc
import rclpy
from std_msgs.msg import String
rclpy.init()
for i in range(50):
    node = rclpy.create_node('node')
    parts = [node.create_subscription(String, 'topic', lambda message: None, 10),
             node.create_publisher(String, 'topic', 10), node.create_timer(1, lambda: None), node.get_clock(), node]
    parts[0].circle = parts  # which only the garbage collector frees
    if i % 2:
        rclpy.spin_once(node, timeout_sec=0)
    del node, parts
    gc.collect()
print(len(rclpy.create_node('last').get_node_names()))
""")
    assert program.wait() == 0, program.errors
    assert program.lines == ['1']


def test_children_that_are_spawned_have_nodes_of_their_own(run, tmp_path):
    file = tmp_path / 'children.py'
    file.write_text("""
import multiprocessing
import rclpy
from std_msgs.msg import String

def child(number):
    rclpy.init(args=[])
    node = rclpy.create_node(f'child{number}')
    publisher = node.create_publisher(String, 'topic', 10)
    while not publisher.get_subscription_count():
        rclpy.spin_once(node, timeout_sec=0.01)
    publisher.publish(String(data=str(number)))
    publisher.wait_for_all_acked()

if __name__ == '__main__':
    multiprocessing.set_start_method('spawn')
    rclpy.init(args=[])
    node = rclpy.create_node('parent')
    got = set()
    node.create_subscription(String, 'topic', lambda message: got.add(message.data), 10)
    children = [multiprocessing.Process(target=child, args=(i,)) for i in range(2)]
    for process in children:
        process.start()
    while len(got) < 2:
        rclpy.spin_once(node, timeout_sec=0.1)
    for process in children:
        process.join()
    print(sorted(got))
""")
    program = run(f'import runpy; runpy.run_path({str(file)!r}, run_name="__main__")')
    wait_until(lambda: program.process.poll() is not None)
    assert program.wait() == 0, program.errors
    assert program.lines == ["['0', '1']"]


def test_lines_of_the_log_name_their_place(run):
    program = run("""
import rclpy
def speak(logger):
    for _ in range(3):
        logger.info('once', once=True)
        logger.warning('not the first', skip_first=True)
rclpy.init()
with rclpy.create_node('speaker', namespace='/a') as node:
    speak(node.get_logger())
    node.get_logger().debug('not seen')
""")
    assert program.wait() == 0, program.errors
    assert [line.split('] ')[-1] for line in program.errors] == ['[a.speaker]: once'] + 2 * [
        '[a.speaker]: not the first']
