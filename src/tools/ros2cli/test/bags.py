"""A domain with a folder for bags, and other programs that read and write them."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import PATIENCE, wait_for

STRING = 'std_msgs/msg/String'
OTHERS = Path(__file__).parents[4] / 'build/python/bin/python'


def others(*arguments):
    """Runs read_bag.py, which is made of other programs' libraries."""
    if not OTHERS.exists():
        pytest.skip('the Python packages of scripts/packages/python.txt are not installed')
    done = subprocess.run([OTHERS, '-B', Path(__file__).with_name('read_bag.py'), *map(str, arguments)],
                          capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode == 77:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


class Bags:
    """A domain with a folder for bags."""

    def __init__(self, domain, folder):
        self.domain = domain
        self.folder = folder

    def path(self, name='bag'):
        return str(self.folder / name)

    def record(self, *arguments, name='bag'):
        """A recorder that has subscribed to its topics."""
        recorder = self.domain.start('bag', 'record', '-o', self.path(name), *arguments)
        wait_for(lambda: 'Recording...' in recorder.errors() or recorder.process.poll() is not None, 'a recorder')
        assert recorder.process.poll() is None, recorder.errors()
        return recorder

    def record_messages(self, count, *options, name='bag', rate=0, topic='/chatter', kind=STRING):
        """A bag of so many messages of a publisher that waits for the recorder."""
        recorder = self.record('--topics', topic, *options, name=name)
        publisher = self.domain.peer('publish', topic, kind, count, rate, 1)
        publisher.wait_for_output(f'published {count} failed 0')
        assert recorder.interrupt() == 0, recorder.errors()
        publisher.end()
        return recorder

    def info(self, name='bag', *options):
        return json.loads(self.domain.out('bag', 'info', '--json', *options, self.path(name)))

    def count(self, name='bag', topic='/chatter'):
        return {row['name']: row['messages'] for row in self.info(name)['topics']}.get(topic)

    def play(self, *arguments, name='bag'):
        return self.domain.start('bag', 'play', self.path(name), *arguments)

    def call(self, service, kind, values='{}'):
        return self.domain.out('service', 'call', service, f'rosbag2_interfaces/srv/{kind}', values)


needs_mcap = pytest.mark.skipif(not os.environ['HAS_MCAP'], reason='built without MCAP: cargo is missing')
