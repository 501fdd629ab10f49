"""The runner of the long tests: what it finds, how it judges, that it goes on where it was interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import SCRIPTS, make_package

SCRIPT = SCRIPTS / 'testing/torture.py'


@pytest.fixture
def root(tmp_path):
    """A workspace whose build folder holds the given tests: {name: shell command}, each with a limit of 60 s."""

    def make(tests, timeout=60):
        make_package(tmp_path, tests, f'LABELS torture TIMEOUT {timeout} ENVIRONMENT "SCALE=10"')
        return tmp_path

    return make


def start(root, *arguments):
    return subprocess.Popen([sys.executable, '-B', str(SCRIPT), *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, env={**os.environ, 'TANDEM_ROOT': str(root)})


def torture(root, *arguments):
    process = start(root, *arguments)
    return process.communicate()[0], process.returncode


def state(root):
    return json.loads((root / 'log' / 'torture' / 'latest.json').read_text(encoding='utf-8'))['parts']


def test_runs_parts_with_their_environment_and_collects_figures(root):
    workspace = root({'torture_a': 'echo 1/2; echo "figures: $SCALE reuses"', 'torture_b': 'true'})
    output, status = torture(workspace)
    assert status == 0, output
    assert '2 passed' in output and 'short_one' not in output
    assert state(workspace)['a']['figures'] == ['10 reuses']
    assert '10 reuses' in (workspace / 'log' / 'torture' / 'latest.md').read_text(encoding='utf-8')


def test_a_failing_part_fails_the_run_and_shows_its_end(root):
    output, status = torture(root({'torture_a': 'echo torn message; exit 3', 'torture_b': 'true'}))
    assert status == 1
    assert '1 failed, 1 passed' in output and '| torn message' in output


def test_a_part_that_hangs_is_ended_with_its_children(root):
    workspace = root({'torture_a': 'sleep 1000 & echo $! >"$0.pid"; wait'}, timeout=1)
    output, status = torture(workspace)
    assert status == 1 and '1 timeout' in output
    child = int((workspace / 'build' / 'some_package' / 'torture_a.sh.pid').read_text(encoding='utf-8'))
    assert not Path(f'/proc/{child}').exists() or 'Z' in Path(f'/proc/{child}/stat').read_text(encoding='utf-8')


def test_parts_are_chosen_by_the_beginning_of_their_names(root):
    workspace = root({'torture_kill_take': 'true', 'torture_kill_join': 'true', 'torture_soak': 'false'})
    assert '2 passed' in torture(workspace, 'kill')[0]
    output, status = torture(workspace, 'nonsense')
    assert status == 1 and 'kill_take' in output
    assert torture(workspace, '--list')[0].count('at most') == 3


def test_resume_repeats_only_what_has_not_passed_with_the_same_programs(root):
    workspace = root({'torture_a': 'echo a >>"$0.runs"', 'torture_b': 'echo b >>"$0.runs"; exit 1'})
    folder = workspace / 'build' / 'some_package'
    torture(workspace)
    torture(workspace, '--resume')
    assert (folder / 'torture_a.sh.runs').read_text(encoding='utf-8') == 'a\n'
    assert (folder / 'torture_b.sh.runs').read_text(encoding='utf-8') == 'b\nb\n'
    root({'torture_a': 'echo changed >>"$0.runs"', 'torture_b': 'true'})
    assert torture(workspace, '--resume')[1] == 0
    assert (folder / 'torture_a.sh.runs').read_text(encoding='utf-8') == 'a\nchanged\n'


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_process_and_can_be_resumed(root, number):
    workspace = root({'torture_a': 'true', 'torture_b': 'test -e "$0.go" || { touch "$0.begun"; sleep 1000; }'})
    folder = workspace / 'build' / 'some_package'
    process = start(workspace)
    limit = time.monotonic() + 60
    while not (folder / 'torture_b.sh.begun').exists() and time.monotonic() < limit:
        time.sleep(0.05)
    process.send_signal(number)
    output = process.communicate()[0]
    assert process.returncode == 1 and 'RESUME=1' in output
    (folder / 'torture_b.sh.go').touch()
    output, status = torture(workspace, '--resume')
    assert status == 0 and 'passed before' in output


def test_no_part_is_begun_after_the_time_limit(root):
    output, status = torture(root({'torture_a': 'sleep 0.3', 'torture_b': 'true'}), '--time-limit', '0.001')
    assert status == 1 and '1 not run, 1 passed' in output
