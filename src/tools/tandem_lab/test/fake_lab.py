"""A laboratory for tests: contestants that are fake_peer.py, experiments, the command line as a process."""

import json
import os
import pathlib
import subprocess
import sys

TEST = pathlib.Path(__file__).resolve().parent
SOURCE = TEST.parent
BEHAVIOURS = ('good', 'other', 'crash', 'hang', 'deaf', 'garbage', 'flood', 'unsupported', 'daemon', 'stall')
EXPERIMENT = """name: {name}
title: A test
question: Does it work?
driver: peers
scenario: {scenario}
contestants: [{contestants}]
sweep:
  size: [{sizes}]
settings: {{count: 10, seconds: {pause}}}
repetitions: {repetitions}
seconds: 0.1
timeout: {timeout}
charts:
  - {{kind: bars, y: cpu_ns_per_msg, at: {{size: all}}}}
"""


class Lab:
    """`folder` holds contestants.yaml and experiments/; runs go to folder/runs."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / 'experiments').mkdir()
        (self.folder / 'suites').mkdir()
        (self.folder / 'contestants.yaml').write_text('contestants:\n' + ''.join(
            '  - {id: %s, title: %s, kind: faulty, link: %s}\n' % (name, name, name) for name in BEHAVIOURS))
        self.env = {**os.environ, 'LAB_DATA': str(self.folder), 'TANDEM_ROOT': str(self.folder),
                    'PYTHONPATH': str(SOURCE), 'LAB_PEER': '%s %s' % (sys.executable, TEST / 'fake_peer.py'),
                    'PYTHONPYCACHEPREFIX': str(self.folder.parent / 'pycache'), 'PYTHONDONTWRITEBYTECODE': ''}

    def experiment(self, name='trying', **fields):
        values = {'name': name, 'scenario': 'one_way', 'contestants': 'good', 'sizes': '64', 'repetitions': 1,
                  'timeout': 20, 'pause': 0, **fields}
        path = self.folder / 'experiments' / (name + '.yaml')
        path.write_text(EXPERIMENT.format(**values))
        return path

    def start(self, *words, **options):
        command = 'import sys; from tandem_lab.cli import main; sys.exit(main())'
        return subprocess.Popen([sys.executable, '-c', command, *map(str, words)], env=self.env, cwd=self.folder,
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, *words):
        """(exit status, standard output, standard error)"""
        process = self.start(*words)
        self.pid = process.pid
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def suite(self, *names):
        path = self.folder / 'suites' / 'together.yaml'
        path.write_text('name: together\ntitle: Together\nexperiments:\n' + ''.join(
            '  - use: %s\n' % name for name in names))
        return path

    def shared_folders(self, pid=None):
        """What the last lab, or this one, has in /dev/shm."""
        return [name for name in os.listdir('/dev/shm') if name.startswith('tandem-lab-%d-' % (pid or self.pid))]

    @property
    def run_folder(self):
        return self.folder / 'run'

    def records(self):
        path = self.run_folder / 'results.jsonl'
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def processes_with(text):
    """{pid: command line} of living processes whose command line holds a text."""
    found = {}
    for entry in os.listdir('/proc'):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                line = pathlib.Path('/proc', entry, 'cmdline').read_bytes().replace(b'\0', b' ').decode('latin1')
                state = pathlib.Path('/proc', entry, 'stat').read_text().rpartition(')')[2].split()[0]
            except OSError:
                continue
            if text in line and state != 'Z':
                found[int(entry)] = line
    return found
