"""Runs one trial: fresh processes in a fresh environment, ended after its time, always a record of what happened."""

import contextlib
import importlib
import os
import pathlib
import shutil
import tempfile
import time
import traceback

from tandem_lab import paths
from tandem_lab.results import store
from tandem_lab.trials import leftovers
from tandem_lab.trials.peers import Trial
from tandem_lab.trials.processes import Crew, Failed, TimedOut, Unsupported

# Each trial has another domain: nothing late of the last one is heard. DDS' ports stay below the ephemeral ones.
FIRST_DOMAIN = 70
DOMAINS = 30
# What a shell may have set for a middleware: here only the contestant decides.
FOREIGN = ('RMW_', 'ROS_', 'TANDEM_', 'CYCLONEDDS_', 'FASTRTPS_', 'FASTDDS_', 'ZENOH_', 'IOX2_', 'RCUTILS_', 'APEX_')


def make_environment(contestant, shm, number):
    """Environment of a trial's processes."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
    env.update(paths.environment())
    env.update(contestant.environment())
    env['TANDEM_SHM_DIR'] = str(shm)
    env['ROS_DOMAIN_ID'] = str(FIRST_DOMAIN + (os.getpid() + number) % DOMAINS)
    return env


@contextlib.contextmanager
def shared_memory_folder():
    """A new TANDEM_SHM_DIR; nothing of it is left afterwards. Its path is short, as iceoryx2 wants it."""
    base = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    before = leftovers.names()
    try:
        folder = pathlib.Path(tempfile.mkdtemp(prefix='tandem-lab-%d-' % os.getpid(), dir=base))
    except OSError as error:
        raise Failed('no folder for shared memory: %s' % error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        leftovers.remove(before)


def network_of(item):
    """A context that gives the network between the peers, or None for a trial on this host."""
    if item.experiment.environment != 'veth':
        return contextlib.nullcontext(None)
    from tandem_lab.trials import network
    return network.open_network(item)


def exclusive(applied, item):
    """A context in which publisher and subscriber have processors of their own: for what pins, where it is allowed."""
    pins = item.experiment.driver == 'delay_study' or (
        item.point.get('pinned', item.experiment.settings.get('pinned')) == 'both')
    if applied and pins:
        return applied.cpusets({'publisher': [1], 'subscriber': [0]})
    return contextlib.nullcontext()


class Runner:
    """Runs items of a plan. `applied`: what machine.settings() yielded, or None."""

    def __init__(self, folder, stop, applied=None):
        self.folder = pathlib.Path(folder)
        self.stop = stop
        self.applied = applied
        self.number = 0

    def run(self, item):
        """The record of one trial. Raises Interrupted, and store.DiskFull when it failed for want of room."""
        self.number += 1
        record = {'schema': 1, 'experiment': item.experiment.name, 'contestant': item.contestant.id,
                  'point': item.point, 'pass': item.pass_name, 'repetition': item.repetition, 'status': 'ok',
                  'reason': '', 'started': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()), 'seconds': 0.0,
                  'commands': [], 'folder': item.folder, 'figures': {}, 'histograms': {}, 'samples': {}, 'notes': []}
        began = time.monotonic()
        try:
            self._attempt(item, record)
        except Unsupported as error:
            record.update(status='unsupported', reason=str(error))
        except TimedOut:
            record.update(status='timeout', reason='ended after %g s: %s' % (item.experiment.timeout, self._waiting))
        except Failed as error:
            record.update(status='failed', reason=str(error))
        except OSError as error:
            if store.is_full(error):
                raise store.DiskFull('%s: no room' % self.folder) from error
            self._broken(item, record, error)
        except Exception as error:  # one trial must not end a run, whatever is wrong with its driver
            self._broken(item, record, error)
        record['seconds'] = round(time.monotonic() - began, 3)
        if record['status'] != 'ok':
            store.Store(self.folder).check_room()
        return record

    def _attempt(self, item, record):
        folder = self.folder / item.folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        driver = importlib.import_module('tandem_lab.drivers.' + item.experiment.driver)
        self._waiting = 'before its first process was started'
        with shared_memory_folder() as shm:
            crew = Crew(folder, make_environment(item.contestant, shm, self.number),
                        time.monotonic() + item.experiment.timeout, self.stop)
            try:
                with network_of(item) as network:
                    trial = Trial(item, crew, record, network)
                    trial.machine = self.applied
                    try:
                        with exclusive(self.applied, item):
                            driver.run(trial)
                        if record['figures'].get('torn'):
                            raise Failed('%d messages were torn: their bytes changed while they were read'
                                         % record['figures']['torn'])
                    finally:
                        self._waiting = describe(crew)
                        crew.end()
            finally:
                crew.close()

    def _broken(self, item, record, error):
        record.update(status='failed', reason='the driver %s: %s: %s' % (
            item.experiment.driver, type(error).__name__, error))
        try:
            (self.folder / item.folder / 'error.txt').write_text(traceback.format_exc(), encoding='utf-8')
        except OSError:
            pass


def describe(crew):
    """What the processes had come to, for a trial that was ended."""
    words = []
    for process in crew.processes:
        if process.alive():
            events = list(getattr(process, 'events', {}))
            words.append('%s was running%s' % (process.name, ' (last said: %s)' % events[-1] if events else ''))
    return ', '.join(words) or 'no process was running'
