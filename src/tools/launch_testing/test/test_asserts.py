"""Assertions and texts, without processes."""

import re
import threading
from types import SimpleNamespace

import pytest
from launch.actions import ExecuteProcess
from launch.events.process import ProcessExited, ProcessStarted, ProcessStderr, ProcessStdout
from launch_testing import ActiveIoHandler, ActiveProcInfoHandler, IoHandler, ProcInfoHandler, ReadyAggregator
from launch_testing.asserts import NO_CMD_ARGS, SequentialTextChecker, assertExitCodes, assertInStderr, assertInStdout
from launch_testing.tools import basic_output_filter, expect_output, expected_output_from_file
from launch_testing.util import NoMatchingProcessException, resolveProcesses


def process(name, *words):
    action = ExecuteProcess(cmd=['program', *words])
    action.process_details = {'action': action, 'name': name, 'cmd': ['program', *words], 'cwd': None, 'env': {},
                              'pid': 1}
    return action


def wrote(action, text, kind=ProcessStdout):
    return kind(text=text if isinstance(text, bytes) else text.encode(), **action.process_details)


def output_of(action, *texts, kind=ProcessStdout):
    handler = IoHandler()
    for text in texts:
        handler.append(wrote(action, text, kind))
    return handler


def test_output_that_is_expected():
    talker = process('talker-1')
    output = output_of(talker, 'one\ntw', 'o\n\x1b[31mthr', 'ee\x1b[0m\r\n')
    for expected in ('two', 'three\n', re.compile('^t.o$', re.M), ['one', 'three'], [re.compile('o.e'), 'two']):
        assertInStdout(output, expected, talker)
        assertInStdout(output, expected, 'talker')
        assertInStdout(output, expected, None)
    for expected in ('four', ['three', 'one'], re.compile('x')):
        with pytest.raises(AssertionError, match='talker-1'):
            assertInStdout(output, expected, talker)
    with pytest.raises(AssertionError):
        assertInStderr(output, 'one', talker)
    assertInStdout(output, 'one\nthree', talker, output_filter=basic_output_filter(['tw']))
    with pytest.raises(ValueError):
        assertInStdout(output, 3, talker)


def test_characters_that_are_split_or_broken():
    talker = process('talker-1')
    data = 'größer'.encode()
    assertInStderr(output_of(talker, data[:3], data[3:], b'\xff!', kind=ProcessStderr), ['größer', '!'], talker)


def test_exit_codes():
    info = ProcInfoHandler()
    good, bad, runs = process('good-1'), process('bad-2'), process('runs-3')
    info.append(ProcessExited(returncode=0, **good.process_details))
    assertExitCodes(info)
    info.append(ProcessExited(returncode=-2, **bad.process_details))
    assertExitCodes(info, process=good)
    assertExitCodes(info, [0, -2])
    with pytest.raises(AssertionError, match='Proc bad-2 exited with code -2'):
        assertExitCodes(info)
    info.append(ProcessStarted(**runs.process_details))
    with pytest.raises(AssertionError, match='Proc runs-3 has not ended'):
        assertExitCodes(info, process='runs')
    assert info['bad'].returncode == -2 and info[good].returncode == 0
    with pytest.raises(KeyError):
        info['other']


def test_processes_by_name_and_arguments():
    one, two, other = process('node-1'), process('node-2', '-a', '-b'), process('other-3')
    known = SimpleNamespace(processes=lambda: [one, two])
    assert resolveProcesses(known) == [one, two]
    assert resolveProcesses(known, process=two) == [two]
    assert resolveProcesses(known, process='node', cmd_args=['-a', '-b']) == [two]
    assert resolveProcesses(known, process='node', cmd_args='-b') == [two]
    assert resolveProcesses(known, process='node', cmd_args=NO_CMD_ARGS) == [one]
    assert resolveProcesses(known, process='node', strict_proc_matching=False) == [one, two]
    with pytest.raises(Exception, match='Found multiple processes: node-1, node-2 -a -b'):
        resolveProcesses(known, process='node')
    for wrong in (other, 'other'):
        with pytest.raises(NoMatchingProcessException):
            resolveProcesses(known, process=wrong)
    with pytest.raises(NoMatchingProcessException):
        resolveProcesses(SimpleNamespace(processes=lambda: []))
    with pytest.raises(TypeError):
        resolveProcesses(known, process=3)


def test_waiting_for_another_thread():
    output, info = ActiveIoHandler(), ActiveProcInfoHandler()
    talker = process('talker-1')

    def talk():
        info.append(ProcessStarted(**talker.process_details))
        output.track('talker-1')
        output.append(wrote(talker, 'hello'))
        info.append(ProcessExited(returncode=0, **talker.process_details))
    thread = threading.Timer(0.05, talk)
    thread.start()
    info.assertWaitForStartup(talker, timeout=60)
    output.assertWaitFor('hello', talker, stream='stdout', timeout=60)
    info.assertWaitForShutdown('talker', timeout=60)
    thread.join()
    assert list(output.process_names()) == list(info.process_names()) == ['talker-1']
    assert [event.text for event in output] == [b'hello']
    with pytest.raises(AssertionError, match='Waiting for output timed out'):
        output.assertWaitFor('other', talker, stream='stdout', timeout=0)
    with pytest.raises(Exception, match="nothing is known of a process with the name 'other'"):
        output.assertWaitFor('hello', 'other', timeout=0)
    with pytest.raises(AssertionError, match="process 'other' to start"):
        info.assertWaitForStartup('other', timeout=0)


def test_texts_one_after_the_other():
    checker = SequentialTextChecker(['a 1\na 2\n', 'b 1\n', 'b 2\nc 1\nc 2\n'])
    checker.assertInStdout('a 1')
    with pytest.raises(AssertionError, match='a 1\na 2\nb 1\nb 2$'):
        checker.assertInStdout('a 1')
    checker.assertInText('b 2\n')
    assert checker.get_nearby_lines() == 'b 1\nb 2\nc 1\nc 2'
    checker.assertInStdout('c 2')
    assert checker.get_nearby_lines() == 'c 1\nc 2'


def test_lines_and_texts_strict_or_not():
    text = 'x one\nx two'
    assert expect_output(text, expected_text='two') and not expect_output(text, expected_text='two', strict=True)
    assert expect_output(text, expected_text=text, strict=True)
    assert expect_output(text, expected_lines=['one', 'two'])
    assert not expect_output(text, expected_lines=['two', 'one'])
    assert expect_output(lines=['x one', 'x two'], expected_text=text, strict=True)
    assert expect_output(lines=['\x1b[1mx', 'y'], expected_lines='x')
    assert expect_output(text, expected_lines=[re.compile('x o'), re.compile('x t')], strict=True)
    assert not expect_output('x one\nz\nx two', expected_lines=[re.compile('x'), re.compile('x t')], strict=True)
    assert expect_output(text, expected_lines=re.compile('x'), strict=True)
    with pytest.raises(ValueError):
        expect_output(text, lines=[], expected_text='')
    with pytest.raises(ValueError):
        expect_output(text)


def test_expected_output_from_files(tmp_path):
    (tmp_path / 'both.txt').write_text('a\n[b]\n')
    (tmp_path / 'both.regex').write_text('unused')
    (tmp_path / 'one.regex').write_text('a+\n')
    assert expected_output_from_file(str(tmp_path / 'both')) == ['a', '[b]']
    assert expected_output_from_file(str(tmp_path / 'one')) == [re.compile('a+')]
    with pytest.raises(RuntimeError, match='none.txt'):
        expected_output_from_file(str(tmp_path / 'none'))


def test_filter_leaves_out_lines():
    text = 'pid 3\n[node] hello\nwarning: x\n  warning: y\nlast'
    assert basic_output_filter()(text) == '[node] hello\nwarning: x\n  warning: y\nlast'
    assert basic_output_filter(filtered_patterns=[r'\s*warning', r'.*\[node\]'])(text) == 'last'


def test_ready_when_all_are():
    calls = []
    ready = ReadyAggregator(lambda: calls.append(1), 2)
    ready.ready_fn()
    assert not calls
    ready.ready_fn()
    ready.ready_fn()
    assert calls == [1]
