"""Processes that are looked at, and the programs that look."""

import json
import os
import shutil
import signal
import subprocess
import tempfile

import pytest

DOCTOR = os.environ['DOCTOR']
TOP = os.environ['TOP']
ACTOR = os.environ['ACTOR']


class Actor:
    """A process that does as it is told (actor.cpp); killed at the end."""

    def __init__(self, domain=0):
        self.process = subprocess.Popen([ACTOR], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        assert self(f'join {domain}') == 'ok'

    def __call__(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    @property
    def pid(self):
        return self.process.pid

    def signal(self, number):
        self.process.send_signal(number)
        if number == signal.SIGSTOP:
            os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)  # now it stands still

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture
def folder(monkeypatch):
    """A fresh TANDEM_SHM_DIR."""
    path = tempfile.mkdtemp(prefix='tandem_test_', dir='/dev/shm')
    for name in [name for name in os.environ if name.startswith('TANDEM_') or name == 'ROS_DOMAIN_ID']:
        monkeypatch.delenv(name)
    monkeypatch.setenv('TANDEM_SHM_DIR', path)
    monkeypatch.delenv('NO_COLOR', raising=False)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def cast(folder):
    """Makes actors."""
    actors = []

    def make(domain=0):
        actors.append(Actor(domain))
        return actors[-1]
    yield make
    for actor in actors:
        if actor.process.poll() is None:
            actor.kill()


def doctor(*words, **options):
    return subprocess.run([DOCTOR, *words], capture_output=True, text=True, timeout=60, **options)


def doctor_json(*words):
    """The report, checked against the schema, and the exit status against it."""
    import jsonschema
    done = doctor('--json', *words)
    report = json.loads(done.stdout)
    with open(os.path.join(os.path.dirname(__file__), '..', 'schema', 'doctor.schema.json')) as file:
        jsonschema.validate(report, json.load(file))
    assert done.returncode == (0 if report['healthy'] else 1), done.stderr
    return report


def codes(report):
    return sorted(finding['code'] for finding in report['findings'])


def connect(writer, reader, publisher='', subscription='', topic='/topic'):
    assert writer(f'pub p {topic} node=talker {publisher}') == 'ok'
    assert reader(f'sub s {topic} node=listener {subscription}') == 'ok'
    assert writer('matched p 1') == 'ok'
    assert reader('matched s 1') == 'ok'


def serve(actor, service, options=''):
    """Makes the actor the server of a service, the one that `answer` answers."""
    assert actor(f'pub replies rr{service}Reply node=server type=test/srv/Add_Response {options}') == 'ok'
    assert actor(f'sub requests rq{service}Request node=server type=test/srv/Add_Request depth=1000') == 'ok'


def become_client(actor, service):
    assert actor(f'sub replies rr{service}Reply node=client type=test/srv/Add_Response') == 'ok'
    assert actor(f'pub requests rq{service}Request node=client type=test/srv/Add_Request') == 'ok'
    assert actor('matched requests 1') == 'ok' and actor('matched replies 1') == 'ok'
