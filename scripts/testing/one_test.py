#!/usr/bin/python3
"""Runs one test of `make test` in a world of its own (isolated.sh), and notes what came of it.

Usage: one_test.py FOLDER NUMBER

FOLDER holds what run.py has written of the test, NUMBER.json: its name, command, folder, environment, and its timeout
in seconds. NUMBER.txt gets what it prints, NUMBER.result its outcome. Exit status for CTest: 0 passed, 1 failed, 77
skipped.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

ISOLATED = Path(__file__).resolve().parents[1] / 'isolated.sh'
SKIPPED = 77


def prepare_child():
    """A group of its own, so that it is ended whole; what a shell (or nohup) has ignored works in it all the same."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def execute(test, output):
    """Exit status; None when it did not end in time."""
    command = [str(ISOLATED), *test['command']]
    with open(output, 'wb') as out:
        process = subprocess.Popen(command, cwd=test['folder'], env=test['environment'], stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT, preexec_fn=prepare_child)
        try:
            return process.wait(test['timeout'])
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def run(folder, number):
    """The outcome of a test, as it is noted too."""
    test = json.loads((folder / f'{number}.json').read_text())
    for path in test['results']:  # an old one must not count
        Path(path).unlink(missing_ok=True)
    started = time.monotonic()
    status = execute(test, folder / f'{number}.txt') if test['command'] else 127
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    skipped = status is not None and status == test['skip_status']
    outcome = {
        'name': test['name'],
        'result': 'skipped' if skipped else 'passed' if status == 0 else 'hung' if status is None else 'failed',
        'status': status,
        'seconds': round(time.monotonic() - started, 2),
        'processor': round(usage.ru_utime + usage.ru_stime, 2),  # seconds
        'memory': usage.ru_maxrss >> 10,  # MiB of its largest process
    }
    (folder / f'{number}.result').write_text(json.dumps(outcome))
    return outcome


def main():
    result = run(Path(sys.argv[1]), sys.argv[2])['result']
    return {'passed': 0, 'skipped': SKIPPED}.get(result, 1)


if __name__ == '__main__':
    sys.exit(main())
