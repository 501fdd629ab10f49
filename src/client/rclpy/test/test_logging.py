"""The log: what lines say, which are written, and /rosout."""

import inspect

from conftest import spin_until, wait_until
import pytest
from rcl_interfaces.msg import Log, LoggerLevel
from rcl_interfaces.srv import GetLoggerLevels, SetLoggerLevels
import rclpy
from rclpy.clock import ROSClock
from rclpy.logging import get_logger, LoggingSeverity
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.time import Time

ROSOUT = QoSProfile(depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL)

SPEAKING = """
import rclpy
from rclpy.logging import get_logger
rclpy.init()
logger = get_logger('speaker')
def speak(text):
    logger.info(text)
speak('first')
logger.debug('a debug')
logger.warning('a warning')
logger.error('an error')
logger.fatal('a fatal')
logger.get_child('child').info('of a child')
rclpy.shutdown()
logger.info('after the end')
"""


@pytest.fixture
def logger(request):
    """A logger that no other test has."""
    return get_logger(request.node.name)


def lines_of(program):
    assert program.wait() == 0, program.errors
    assert program.lines == []
    return program.errors


def test_lines_on_stderr_name_function_file_and_line_of_the_caller(run, tmp_path, monkeypatch):
    file = tmp_path / 'speaking.py'
    file.write_text(SPEAKING)
    monkeypatch.setenv('RCUTILS_CONSOLE_OUTPUT_FORMAT', '{severity}|{name}|{message}|{function_name}|{file_name}|'
                                                        '{line_number}')
    lines = lines_of(run(f'import runpy; runpy.run_path({str(file)!r})'))
    text = SPEAKING.splitlines()

    def line_with(part):
        return next(number for number, line in enumerate(text, 1) if part in line)

    where = f'<module>|{file}|'
    assert lines == [
        f'INFO|speaker|first|speak|{file}|{line_with("logger.info(text)")}',
        f'WARN|speaker|a warning|{where}{line_with("a warning")}',
        f'ERROR|speaker|an error|{where}{line_with("an error")}',
        f'FATAL|speaker|a fatal|{where}{line_with("a fatal")}',
        f'INFO|speaker.child|of a child|{where}{line_with("of a child")}',
        f'INFO|speaker|after the end|{where}{line_with("after the end")}']


def test_the_command_line_sets_levels(run):
    text = """
import sys
import rclpy
rclpy.init(args=sys.argv)
for name in ('loud', 'quiet', 'other'):
    with rclpy.create_node(name) as node:
        node.get_logger().debug(f'debug of {name}')
        node.get_logger().warning(f'warning of {name}')
"""
    lines = lines_of(run(text, '--ros-args', '--log-level', 'loud:=debug', '--log-level', 'quiet:=error'))
    assert [line.split(': ')[-1] for line in lines if 'loud' in line or 'quiet' in line or 'other' in line] == [
        'debug of loud', 'warning of loud', 'warning of other']


def test_a_line_is_written_once(logger):
    assert [logger.info('text', once=True) for _ in range(3)] == [True, False, False]
    assert logger.info('text', once=True)  # another place


def test_the_first_is_skipped(logger):
    assert [logger.error('text', skip_first=True) for _ in range(3)] == [False, True, True]


def test_lines_that_come_too_soon_are_not_written(logger):
    clock = ROSClock()
    clock._set_ros_time_is_active(True)

    def speak_at(seconds):
        clock.set_ros_time_override(Time(seconds=seconds, clock_type=clock.clock_type))
        return logger.info('text', throttle_duration_sec=10, throttle_time_source_type=clock)

    assert [speak_at(seconds) for seconds in (100, 101, 109, 110, 115, 120)] == [
        True, False, False, True, False, True]


def test_filters_are_combined(logger):
    assert [logger.info('text', once=True, skip_first=True) for _ in range(4)] == [False, True, False, False]


def test_a_place_keeps_what_it_asked_for_first(logger):
    def speak(severity=LoggingSeverity.INFO, **options):
        return logger.log('text', severity, **options)

    assert speak(once=True)
    with pytest.raises(ValueError, match='Logger severity cannot be changed between calls.'):
        speak(LoggingSeverity.ERROR, once=True)
    with pytest.raises(ValueError, match='Requested logging filters cannot be changed between calls.'):
        speak(skip_first=True)
    with pytest.raises(TypeError, match='is not one of the recognized logging options'):
        logger.info('text', unknown=1)
    with pytest.raises(TypeError, match='required parameter "throttle_duration_sec" not specified'):
        logger.info('text', throttle_time_source_type=ROSClock())


def test_levels_are_those_of_the_nearest_parent_that_has_one(logger):
    child = logger.get_child('child').get_child('of_it')
    logger.set_level(LoggingSeverity.ERROR)
    assert child.get_effective_level() == LoggingSeverity.ERROR
    assert not child.warning('not seen') and child.error('seen')
    child.set_level(LoggingSeverity.DEBUG)
    assert child.debug('seen') and not logger.warning('not seen')
    child.set_level(LoggingSeverity.UNSET)
    assert not child.is_enabled_for(LoggingSeverity.WARN)


def test_lines_of_nodes_are_on_rosout(node, executor):
    got = []
    node.create_subscription(Log, '/rosout', got.append, ROSOUT)
    line = inspect.currentframe().f_lineno + 1
    node.get_logger().warning('a warning')
    node.get_logger().debug('not seen')
    node.get_logger().get_child('child').error('of a child')
    get_logger('of_no_node').error('not there')
    spin_until(executor, lambda: any(log.msg == 'of a child' for log in got))
    logs = {log.msg: log for log in got}
    log = logs['a warning']
    assert (log.name, log.level, log.line) == ('tested', LoggingSeverity.WARN, line)
    assert log.file == __file__ and log.function == 'test_lines_of_nodes_are_on_rosout' and log.stamp.sec > 0
    assert logs['of a child'].name == 'tested.child' and logs['of a child'].level == LoggingSeverity.ERROR
    assert 'not seen' not in logs and 'not there' not in logs


def test_lines_of_another_process_are_on_rosout_for_those_who_come_late(node, executor, run):
    other = run("""
import sys
import rclpy
rclpy.init()
with rclpy.create_node('other') as node, rclpy.create_node('silent', enable_rosout=False) as silent:
    silent.get_logger().error('not there')
    node.get_logger().error('before')
    print('ready')
    sys.stdin.readline()
""")
    other.wait_for('ready')
    got = []
    node.create_subscription(Log, '/rosout', lambda log: got.append((log.name, log.msg)), ROSOUT)
    spin_until(executor, lambda: got)
    assert got == [('other', 'before')]


def test_other_nodes_ask_for_levels_and_set_them(context, node, executor):
    with rclpy.create_node('levels', context=context, enable_logger_service=True) as other:
        executor.add_node(other)
        ask = node.create_client(GetLoggerLevels, '/levels/get_logger_levels')
        change = node.create_client(SetLoggerLevels, '/levels/set_logger_levels')
        wait_until(lambda: ask.service_is_ready() and change.service_is_ready())
        future = change.call_async(SetLoggerLevels.Request(levels=[
            LoggerLevel(name='levels', level=LoggingSeverity.ERROR), LoggerLevel(name='levels', level=12)]))
        executor.spin_until_future_complete(future, 60)
        assert [result.successful for result in future.result().results] == [True, False]
        assert not other.get_logger().warning('not seen')
        future = ask.call_async(GetLoggerLevels.Request(names=['levels']))
        executor.spin_until_future_complete(future, 60)
        assert future.result().levels[0].level == LoggingSeverity.ERROR
        executor.remove_node(other)
