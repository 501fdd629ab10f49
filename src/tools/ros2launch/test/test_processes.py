"""Processes: what they print, how they end, and that they end."""

import signal

import pytest
from conftest import is_alive, wait_for


def lines_of(output, prefix):
    return [line.removeprefix(prefix) for line in output.splitlines() if line.startswith(prefix)]


def test_prefixes_and_ends(launch):
    output = launch.actions("""
        sh('echo one; printf two'),
        ExecuteProcess(cmd=['sh', '-c', 'exit 3'], name='failing'),
    """)
    assert 'All log files can be found below ' + str(launch.log) in output
    assert '[INFO] [sh-1]: process started with pid [' in output
    assert lines_of(output, '[sh-1] ') == ['one', 'two']
    assert '[INFO] [sh-1]: process has finished cleanly [pid ' in output
    assert '[ERROR] [failing-2]: process has died [pid ' in output
    assert "exit code 3, cmd 'sh -c exit 3']." in output


def test_outputs(launch):
    output = launch.actions("""
        sh('echo hidden; echo error >&2', output='log', name='a'),
        sh('echo out; echo err >&2', output={'stdout': 'screen', 'stderr': 'own_log'}, name='b'),
        sh('echo to file', output='own_log', name='c'),
        sh('echo everywhere', output='full', name='d'),
        sh('[ -t 1 ] && echo is a terminal', emulate_tty=True, name='e'),
    """)
    assert lines_of(output, '[a-1] ') == ['error']
    assert lines_of(output, '[b-2] ') == ['out']
    assert lines_of(output, '[c-3] ') == []
    assert lines_of(output, '[d-4] ') == ['everywhere']
    assert lines_of(output, '[e-5] ') == ['is a terminal']
    folder = launch.log / 'latest'
    log = (folder / 'launch.log').read_text()
    assert '[a-1] hidden' in log and '[d-4] everywhere' in log and 'to file' not in log
    assert 'err' in (folder / 'b-2-stderr.log').read_text()
    assert 'to file' in (folder / 'c-3-stdout.log').read_text()
    assert 'everywhere' in (folder / 'd-4-stdout_and_stderr.log').read_text()


def test_handlers_of_processes(launch):
    output = launch.actions("""
        *(lambda first: [
            RegisterEventHandler(OnProcessStart(target_action=first, on_start=[LogInfo(msg='it started')])),
            RegisterEventHandler(OnProcessIO(target_action=first, on_stdout=lambda event: LogInfo(
                msg='it said ' + event.text.decode().strip()))),
            RegisterEventHandler(OnProcessExit(target_action=first, on_exit=[sh('echo next')])),
            RegisterEventHandler(OnExecutionComplete(target_action=first, on_completion=[LogInfo(msg='complete')])),
            first,
        ])(sh('echo hello')),
    """)
    order = [output.index(text) for text in ('it started', 'it said hello', '[sh-2] next')]
    assert order == sorted(order)
    assert 'complete' in output


def test_end_of_one_process_ends_all(launch):
    output = launch.actions("""
        sh('trap "echo ending; exit 0" INT; echo up; while :; do sleep 0.05; done'),
        RegisterEventHandler(OnProcessIO(on_stdout=lambda event:
            sh('exit 5', on_exit=Shutdown(reason='done')) if b'up' in event.text else None)),
        RegisterEventHandler(OnShutdown(on_shutdown=[LogInfo(msg=['because ', LocalSubstitution('event.reason')])])),
    """)
    assert 'process[sh-2] was required: shutting down launched system' in output
    assert 'because done' in output
    assert '[sh-1] ending' in output


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_processes_once(launch, number):
    running = launch.start('sh(\'trap "echo told" INT; echo up; while :; do sleep 0.05; [ -e \' + '
                           'os.environ["ROS_LOG_DIR"] + \'/go ] && exit 0; done\'),')
    running.wait_for('[sh-1] up')
    running.send(number)
    running.wait_for('[sh-1] told')
    (launch.log / 'go').touch()
    assert running.process.wait(120) == 0
    assert running.output().count('told') == 1
    assert "sending signal 'SIGINT' to process[sh-1]" in running.output()


def test_escalates(launch):
    running = launch.start("""
        sh('trap "echo int" INT; trap "echo term" TERM; echo up; while :; do sleep 0.05; done',
           sigterm_timeout='0.3', sigkill_timeout='0.3'),
    """)
    running.wait_for('[sh-1] up')
    status, output = running.end()
    assert status == 0
    assert "after receiving 'SIGINT', escalating to 'SIGTERM'" in output
    assert "after receiving 'SIGTERM', escalating to 'SIGKILL'" in output
    assert 'exit code -9' in output


def test_second_interrupt_hurries(launch):
    running = launch.start("""
        sh('trap "echo int" INT; trap "echo term" TERM; echo up; while :; do sleep 0.05; done',
           sigterm_timeout='3600', sigkill_timeout='3600'),
    """)
    running.wait_for('[sh-1] up')
    for awaited in ('[sh-1] int', '[sh-1] term'):
        running.send(signal.SIGINT)
        running.wait_for(awaited)
    status, output = running.end()
    assert status == 0
    assert 'exit code -9' in output


def test_children_do_not_outlive_a_killed_launch(launch):
    running = launch.start("""
        sh('trap "" INT TERM HUP; echo up; while :; do sleep 0.05; done'),
    """)
    running.wait_for('[sh-1] up')
    pid = running.pid_of('sh-1')
    assert is_alive(pid)
    running.end(signal.SIGKILL)
    wait_for(lambda: not is_alive(pid), 'the end of the child')


def test_what_children_started_ends_as_well(launch):
    running = launch.start("""
        ExecuteProcess(cmd=['sleep 1000 & echo $!; wait'], shell=True, name='shell', output='screen',
                       sigterm_timeout='0.1'),  # a shell has those in the background ignore SIGINT
    """)
    running.wait_for('[shell-1] ')
    line = next(line for line in running.output().splitlines() if line.startswith('[shell-1] '))
    pid = int(line.split()[1])
    assert running.end()[0] == 0
    wait_for(lambda: not is_alive(pid), 'the end of the grandchild')


def test_respawn(launch):
    output = launch.actions("""
        sh('echo life; exit 1', respawn=True, respawn_delay=0.01, respawn_max_retries=2),
    """)
    assert lines_of(output, '[sh-1] ') == ['life'] * 3


def test_environment_folder_and_prefix(launch):
    output = launch.actions("""
        SetEnvironmentVariable('COLOUR', 'red'),
        AppendEnvironmentVariable('COLOUR', 'blue', separator='-'),
        sh('echo $COLOUR $EXTRA $PWD', additional_env={'EXTRA': ['x', 'y']}, cwd='/'),
        UnsetEnvironmentVariable('COLOUR'),
        sh('echo :$COLOUR:'),
        sh('echo unseen', prefix='echo prefixed'),
    """)
    assert '[sh-1] red-blue xy /' in output
    assert '[sh-2] ::' in output
    assert '[sh-3] prefixed sh -c echo unseen' in output


def test_a_command_that_cannot_be_started(launch):
    output = launch.actions("""
        ExecuteProcess(cmd=['no-such-program', 'x'], output='screen'),
        sh('echo others go on'),
    """)
    assert "cannot start 'no-such-program x': " in output
    assert '[sh-2] others go on' in output


def test_as_a_script_of_its_own(launch):
    import subprocess
    import sys
    path = launch.python("sh('echo alone'),", 'alone.launch.py')
    with open(path, 'a') as file:
        file.write('\n\nservice = launch.LaunchService()\n'
                   'service.include_launch_description(generate_launch_description())\n'
                   'raise SystemExit(service.run())\n')
    done = subprocess.run([sys.executable, path], env=launch.env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert '[sh-1] alone' in done.stdout
