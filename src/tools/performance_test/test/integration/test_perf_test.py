"""perf_test in real processes, over the default middleware and others. Counts are asserted, never rates or times."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

PERF_TEST = os.environ['PERF_TEST']
DEMO = os.environ['DEMO']
SANDBOX = os.environ['ICEORYX_SANDBOX']
TIMEOUT = 120
QOS = ['--reliable', '--keep-last', '--history-depth', '10']
# However slow the machine is: first the match, then the run.
MATCHED = ['--expected-num-subs', '1', '--expected-num-pubs', '1']


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    """Shared memory that nobody else sees, and a working folder for logs."""
    folder = tempfile.mkdtemp(prefix='perf-test-', dir='/dev/shm')
    monkeypatch.setenv('TANDEM_SHM_DIR', folder)
    monkeypatch.delenv('RMW_IMPLEMENTATION', raising=False)
    monkeypatch.setenv('ROS_DOMAIN_ID', '73')
    monkeypatch.chdir(tmp_path)
    yield
    shutil.rmtree(folder, ignore_errors=True)


def run(*arguments, **more):
    return subprocess.run([PERF_TEST, *arguments], capture_output=True, text=True, timeout=TIMEOUT, **more)


def start(*arguments):
    return subprocess.Popen([PERF_TEST, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    try:
        out, err = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert process.returncode == 0, err
    return out


def summary(path):
    return json.loads(Path(path).read_text())['summary']


def rows_of(path):
    """The lines after the settings, the names of the columns first."""
    text = Path(path).read_text() if Path(path).exists() else ''
    return list(csv.reader(text.partition('---EXPERIMENT-START---\n')[2].splitlines()))


def check_sums(log):
    """Everything that was counted is in one interval."""
    parts = log['analysis_results']
    for count in ('num_samples_sent', 'num_samples_received', 'num_samples_lost'):
        assert sum(part[count] for part in parts) == log['summary'][count]


def check_payloads(log):
    assert log['summary']['num_payloads_torn'] == 0
    assert log['summary']['num_payloads_not_filled'] == 0


@pytest.mark.parametrize('zero_copy', [[], ['--zero-copy']])
def test_tutorial_command_prints_the_tables_and_writes_logs(zero_copy):
    done = run(*zero_copy, *QOS, *MATCHED, '-s', '1', '-m', 'Array4m', '-r', '20', '--max-runtime', '2',
               '--check-payload', '-l', 'log.csv', '--json-logfile', 'log.json', '--hlog-file', 'log.hlog')
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('run time\n\n+--------------+') == len(json.loads(Path('log.json').read_text())[
        'analysis_results'])
    for part in ('Middleware: rmw_tandem_cpp', 'Message size: 4194320', '| recv | sent |', 'subscriber loop',
                 '| p50 ', '| lost | failed borrows |'):
        assert part in done.stdout, part
    assert done.stdout.endswith('Maximum runtime reached. Exiting.\n')
    log = json.loads(Path('log.json').read_text())
    check_sums(log)
    check_payloads(log)
    total = log['summary']
    assert 0 < total['num_samples_received'] <= total['num_samples_sent']
    assert total['latency_min'] > 0
    assert len(rows_of('log.csv')) == 1 + len(log['analysis_results'])
    read = run('--read-hlog', 'log.hlog')
    assert read.returncode == 0 and f'{total["num_samples_received"]:>10}' in read.stdout, read.stdout + read.stderr


def plugins():
    """Name and transport of each, '' for those of rclcpp, and whether it is built."""
    lines = subprocess.run([PERF_TEST, '-c', 'help'], capture_output=True, text=True, check=True).stdout.splitlines()
    for name, over, _, rest in (line.split(maxsplit=3) for line in lines):
        yield name, '' if over == 'rclcpp' else over, 'not built' not in rest


def over(transport):
    return {**os.environ, 'RMW_IMPLEMENTATION': transport, 'ROS_DOMAIN_ID': '73'}


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """Runs over everything at the same time, as most of it is waiting: what each said, and its folder."""
    folder = tmp_path_factory.mktemp('runs')
    shared = tempfile.mkdtemp(prefix='perf-test-', dir='/dev/shm')
    started = {}

    def begin(name, environment, *arguments, before=()):
        (folder / name).mkdir()
        command = [*before, PERF_TEST, *QOS, *MATCHED, '-t', name.replace('-', '_'), '-r', '50', '--max-runtime', '1',
                   '--check-payload', '--json-logfile', 'log.json', '-o', 'stdout', *arguments]
        started[name] = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                         cwd=folder / name, env={**environment, 'TANDEM_SHM_DIR': shared})

    for plugin, transport, is_built in plugins():
        # iceoryx has one daemon on a machine.
        sandbox = [SANDBOX] if plugin == 'iceoryx' and is_built else []
        begin(plugin, over(''), '-c', plugin, '-e', 'INTER_PROCESS', '-m', 'Array4k', before=sandbox)
        if transport and is_built and not sandbox:
            begin(f'rclcpp-over-{transport}', over(transport), '-m', 'PointCloud512k')
    done = {}
    for name, process in started.items():
        out, err = process.communicate(timeout=TIMEOUT)
        done[name] = subprocess.CompletedProcess(process.args, process.returncode, out, err), folder / name
    yield done
    shutil.rmtree(shared, ignore_errors=True)


def check_run(run_and_folder, middleware):
    done, folder = run_and_folder
    assert done.returncode == 0, done.stderr
    assert f'Middleware: {middleware}\n' in done.stdout
    log = json.loads((folder / 'log.json').read_text())
    check_sums(log)
    check_payloads(log)
    assert 0 < log['summary']['num_samples_received'] <= log['summary']['num_samples_sent']


@pytest.mark.parametrize('plugin, transport, is_built', plugins())
def test_each_plugin_measures_or_says_what_it_needs(plugin, transport, is_built, runs):
    done, _ = runs[plugin]
    if done.returncode == 77:
        pytest.skip(done.stderr)  # no namespaces here, so no sandbox
    if is_built:
        check_run(runs[plugin], transport or 'rmw_tandem_cpp')
    else:
        assert done.returncode == 1 and done.stdout == ''
        assert done.stderr.startswith(f'perf_test: -c {plugin} is not built here') and transport in done.stderr
        pytest.skip(done.stderr)


def test_rclcpp_measures_over_each_transport(runs):
    names = [name for name in runs if name.startswith('rclcpp-over-')]
    assert names
    for name in names:
        check_run(runs[name], name.removeprefix('rclcpp-over-'))


@pytest.mark.parametrize('plugin, arguments', [('rclcpp-waitset', ['-e', 'INTRA_THREAD']),
                                               ('tandem', ['-e', 'INTRA_THREAD']),
                                               ('tandem', ['--zero-copy', '-s', '2'])])
def test_plugins_without_an_executor_do_the_same(plugin, arguments):
    done = run('-c', plugin, *QOS, '-m', 'Array64k', '-r', '50', '--max-runtime', '1', '--check-payload', *arguments,
               '--expected-num-subs', '1', '--expected-num-pubs', '1', '-o', 'json', '--json-logfile', 'log.json')
    assert done.returncode == 0, done.stderr
    log = json.loads(Path('log.json').read_text())
    check_sums(log)
    check_payloads(log)
    assert log['summary']['num_samples_received'] > 0


def test_loans_that_a_middleware_has_not_are_refused_before_the_run():
    built = [name for name, _, is_built in plugins() if is_built]
    if 'CycloneDDS' not in built and 'ZeroMQ' not in built:
        pytest.skip('needs a transport that lends no strings')
    plugin = 'ZeroMQ' if 'ZeroMQ' in built else 'CycloneDDS'
    done = run('-c', plugin, '--zero-copy', '-m', 'UnboundedString', '--max-runtime', '1')
    assert done.returncode == 1 and done.stdout == ''
    assert done.stderr.count('\n') == 1 and 'lends no messages of type UnboundedString' in done.stderr


def test_two_publishers_and_two_subscribers_in_processes_of_their_own():
    done = run(*QOS, '-e', 'INTER_PROCESS', '-p', '2', '-s', '2', '-m', 'Struct16', '-r', '50', '--max-runtime', '2',
               '--zero-copy', '--check-payload', '--expected-num-subs', '2', '--expected-num-pubs', '2',
               '-o', 'json', '--json-logfile', 'log.json')
    assert done.returncode == 0, done.stderr
    log = json.loads(Path('log.json').read_text())
    check_sums(log)
    check_payloads(log)
    total = log['summary']
    assert 0 < total['num_samples_received'] <= 2 * total['num_samples_sent']


def test_one_thread_publishes_and_receives():
    done = run(*QOS, *MATCHED, '-e', 'INTRA_THREAD', '-m', 'PointCloud512k', '-r', '50', '--max-runtime', '1',
               '--check-payload', '--check-memory', '--json-logfile', 'log.json')
    assert done.returncode == 0, done.stderr
    log = json.loads(Path('log.json').read_text())
    check_payloads(log)
    assert 0 < log['summary']['num_samples_received'] <= log['summary']['num_samples_sent']


@pytest.mark.parametrize('zero_copy', [[], ['--zero-copy']])
@pytest.mark.parametrize('message, size', [(['BoundedSequence64k'], 65536),
                                           (['UnboundedSequence', '--unbounded-msg-size', '300000'], 300000),
                                           (['UnboundedString', '--unbounded-msg-size', '5000'], 5000),
                                           (['UnboundedSequence'], 0)])
def test_messages_of_variable_size_arrive_whole(message, size, zero_copy):
    check = ['--check-payload'] if size else []
    done = run(*zero_copy, *check, *QOS, *MATCHED, '-e', 'INTER_PROCESS', '-m', *message, '-r', '50', '--max-runtime',
               '1', '-o', 'json', '--json-logfile', 'log.json')
    assert done.returncode == 0, done.stderr
    log = json.loads(Path('log.json').read_text())
    check_sums(log)
    check_payloads(log)
    assert 0 < log['summary']['num_samples_received'] <= log['summary']['num_samples_sent']
    assert size <= log['msg_size'] <= size + 64


def test_round_trip_over_two_processes():
    common = [*QOS, '-m', 'Array1k', '-r', '50', '--check-payload', '--zero-copy']
    relay = start(*common, '--roundtrip-mode', 'Relay', '--json-logfile', 'relay.json')
    main = start(*common, *MATCHED, '--roundtrip-mode', 'Main', '--max-runtime', '2', '--json-logfile', 'main.json')
    try:
        finish(main)
    finally:
        relay.send_signal(signal.SIGINT)
        finish(relay)
    main_total, relay_total = summary('main.json'), summary('relay.json')
    assert 0 < main_total['num_samples_received'] <= relay_total['num_samples_sent'] <= main_total['num_samples_sent']
    assert main_total['num_payloads_torn'] == relay_total['num_payloads_torn'] == 0
    assert main_total['latency_mean'] > relay_total['latency_min']


@pytest.mark.parametrize('name, plugin', [(signal.SIGINT, 'rclcpp-single-threaded-executor'),
                                          (signal.SIGTERM, 'rclcpp-single-threaded-executor'),
                                          (signal.SIGINT, 'tandem')])
def test_signal_ends_cleanly_with_complete_logs(name, plugin):
    process = start('-c', plugin, *QOS, *MATCHED, '-r', '100', '-o', 'json', '-o', 'csv', '-o', 'stdout',
                    '-l', 'log.csv', '--json-logfile', 'log.json')
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline and len(rows_of('log.csv')) < 2:
        time.sleep(0.05)
    process.send_signal(name)
    assert finish(process).endswith('Interrupted. Exiting.\n')
    log = json.loads(Path('log.json').read_text())
    check_sums(log)
    assert log['summary']['num_samples_received'] > 0


def test_waits_for_partners_and_gives_up():
    done = run('-s', '0', '--expected-num-subs', '1', '--wait-for-matched-timeout', '1', '-o', 'none')
    assert done.returncode == 1
    assert "waited 1 s for 1 subscriptions of topic 'test_topic'" in done.stderr


@pytest.mark.parametrize('arguments, part', [
    (['--nonsense'], '--nonsense'),
    (['-m', 'UnboundedSequence', '--check-payload'], '--unbounded-msg-size 16 or more'),
    (['-m', 'Array3k'], 'Array4k'),
    (['--with-security'], '--with-security'),
    (['-l', '/no/such/folder/log.csv'], '/no/such/folder/log.csv'),
    (['--read-hlog', __file__], 'line 3'),
])
def test_bad_input_is_one_clear_line(arguments, part):
    done = run(*arguments, '--max-runtime', '1')
    assert done.returncode != 0 and done.stdout == ''
    assert done.stderr.count('\n') == 1 and part in done.stderr


def test_real_time_options_without_the_right_are_only_a_warning():
    # CPU 63 is not there on most machines, and a mask of it alone is refused even to root.
    if (os.cpu_count() or 1) > 63:
        pytest.skip('this machine has the CPU that the test takes for missing')
    done = run('--use-rt-cpus', str(1 << 63), '-r', '10', '--max-runtime', '1', '-o', 'none')
    assert done.returncode == 0
    assert '--use-rt-cpus: this set of CPUs is refused' in done.stderr


def test_lists_messages():
    done = run('--msg-list')
    assert done.returncode == 0 and done.stdout.split()[:2] == ['Array1k', 'Array4k']


def test_demo_compares_both_methods(tmp_path):
    scripts = tmp_path / 'scripts'
    scripts.mkdir()
    shutil.copy(DEMO, scripts / 'demo')
    (scripts / 'perf_test').symlink_to(PERF_TEST)
    done = subprocess.run([sys.executable, scripts / 'demo', '--seconds', '1', '--json'], capture_output=True,
                          text=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    comparison = json.loads(done.stdout)['comparison']
    for method in ('copy', 'zero_copy'):
        assert comparison['torn'][method]['sum'] == 0
        assert 0 < comparison['received'][method]['sum'] <= comparison['sent'][method]['sum']
    assert comparison['latency mean']['ratio'] > 0
