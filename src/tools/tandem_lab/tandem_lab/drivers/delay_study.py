"""Driver delay_study: a burst of strings, and how late each is; the examples test_sub_and_pub and zmq_testing.

Transports run by `ros2 launch`, ZeroMQ itself as ./sub and ./pub, in the trial's folder, where both leave publisher.txt
and subscriber.txt. RTI's Connector, which no example has, runs as two lab_peers, whose stamps are written likewise. The
differences of the stamps are the delays.
"""

import gzip
import os
import re
import signal
import socket
from pathlib import Path

import numpy

from tandem_lab import paths
from tandem_lab.results.histogram import Histogram
from tandem_lab.results.hlog import Entry, write_log
from tandem_lab.trials.processes import Failed, Unsupported

SETTINGS = ('messages', 'characters', 'publisher_cpu', 'subscriber_cpu', 'priority')
PRIORITY = 98
PATIENCE = 10  # seconds for what is a matter of milliseconds: writing a file, an end after Ctrl-C


def run(trial):
    if trial.attest:
        raise Unsupported('the attest pass does not know the delay study')
    study = {
        'messages': trial.value('messages', 5000),
        'characters': trial.value('characters', 50),
        'publisher_cpu': trial.value('publisher_cpu', 1),
        'subscriber_cpu': trial.value('subscriber_cpu', 0),
        'priority': allowed_priority(trial),
    }
    if trial.contestant.rmw:
        run_launch(trial, study)
    elif trial.contestant.kind == 'zeromq':
        run_zeromq(trial, study)
    elif trial.contestant.kind == 'connector':
        run_peers(trial, study)
    else:
        raise Unsupported("the delay study runs over transports, ZeroMQ and RTI's Connector only")
    sent, received = read_stamps(trial.folder / 'publisher.txt'), read_stamps(trial.folder / 'subscriber.txt')
    if len(sent) != study['messages'] or len(received) != study['messages']:
        raise Failed(f'publisher.txt has {len(sent)} stamps and subscriber.txt {len(received)}, '
                     f'{study["messages"]} were to be')
    fill(trial, sent, received, study['characters'])


def allowed_priority(trial, settings=Path('/proc/sys/kernel/sched_rt_runtime_us')):
    """0 unless the lab may change settings; and where the kernel would let real-time processes have all processors for
    as long as they like, and where the two would have to share one."""
    priority = trial.value('priority', PRIORITY)
    if priority and not trial.machine:
        trial.note('no real-time priority: settings were not allowed (--allow-settings)')
        return 0
    if priority and len(os.sched_getaffinity(0)) < 2:
        trial.note('no real-time priority: there is one processor only')
        return 0
    try:
        throttled = int(settings.read_text()) >= 0
    except (OSError, ValueError):
        throttled = False
    if priority and not throttled:
        trial.note('no real-time priority: this kernel leaves other processes no time beside real-time ones')
        return 0
    return priority


# ---- transports -----------------------------------------------------------------------------------------------------

def run_launch(trial, study):
    ros2 = next((path for prefix in paths.prefixes() if (path := prefix / 'bin' / 'ros2').exists()), None)
    if ros2 is None or not paths.program('test_sub_and_pub', 'publisher'):
        raise Failed('the example test_sub_and_pub is not installed beside the laboratory: make build')
    launch = trial.launch('launch', [
        ros2, 'launch', 'test_sub_and_pub', 'run_test1_3.launch.py', f'message_number:={study["messages"]}',
        f'message_length:={study["characters"]}', *(f'{key}:={study[key]}' for key in (
            'publisher_cpu', 'subscriber_cpu', 'priority'))],
        env={**trial.env, 'ROS_LOG_DIR': str(trial.folder / 'log')})
    while not (is_complete(trial.folder / 'publisher.txt') and is_complete(trial.folder / 'subscriber.txt')):
        check_nodes(launch)
        if launch.wait(0.05) is not None:
            raise launch.failure(' before all messages had passed')
    # As Ctrl-C does; the publisher waits for it.
    launch.signal(signal.SIGINT)
    if launch.wait(PATIENCE) is None:
        trial.note('ros2 launch did not end on SIGINT')
    said = launch.text() + launch.err.read_text(errors='replace')
    ran = set(re.findall(r'messages of \d+ characters over (\w+)', said))
    if ran != {trial.contestant.rmw}:
        raise Unsupported(f'{trial.contestant.rmw} was asked for, but {", ".join(sorted(ran)) or "nothing known"} ran')
    note_warnings(trial, said)


def check_nodes(launch):
    """A node that has failed leaves the other one waiting."""
    said = launch.text() + launch.err.read_text(errors='replace')
    fatal = re.search(r'\[FATAL\].*?: (.*)', said)
    died = re.search(r'process has died.*?exit code (-?\d+)', said)
    if fatal or died:
        raise Failed(fatal.group(1) if fatal else f'a node has died with exit code {died.group(1)}')


def note_warnings(trial, said):
    for warning in re.findall(r'(not pinned to processor \d+|no real-time priority) \(', said):
        trial.note(f'{warning}: not allowed here')


# ---- ZeroMQ itself --------------------------------------------------------------------------------------------------

def run_zeromq(trial, study):
    ends = {}
    endpoint = f'tcp://127.0.0.1:{free_port()}'
    for end, cpu in (('sub', study['subscriber_cpu']), ('pub', study['publisher_cpu'])):
        program = paths.program('zmq_testing', end)
        if not program:
            raise Unsupported('zmq_testing is not built: install the Debian packages cppzmq-dev and libzmq3-dev')
        ends[end] = trial.launch(end, [program, study['characters'], '--messages', study['messages'], '--endpoint',
                                       endpoint, '--cpu', cpu, '--priority', study['priority']])
    while any(process.wait(0.05) is None for process in ends.values()):
        for process in ends.values():
            if process.status() not in (None, 0):
                raise process.failure()
    for process in ends.values():
        if process.status() != 0:
            raise process.failure()
        note_warnings(trial, process.err.read_text(errors='replace'))


def free_port():
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        return free.getsockname()[1]


# ---- RTI's Connector ------------------------------------------------------------------------------------------------

def run_peers(trial, study):
    qos = {'history': 'keep_all', 'reliability': 'reliable', 'durability': 'transient_local'}
    common = {'size': study['characters'], 'count': study['messages'], 'priority': study['priority'], **qos}
    subscriber, publisher = (
        trial.start(role, cpus=[cpu] if cpu >= 0 else [], **common)
        for role, cpu in (('subscribe', study['subscriber_cpu']), ('publish', study['publisher_cpu'])))
    trial.matched([subscriber, publisher])
    publisher.say('go')
    publisher.wait('finished')
    trial.drain([subscriber], publisher.sent)
    trial.end([subscriber, publisher])
    for peer in (publisher, subscriber):
        said = peer.err.read_text(errors='replace')
        for field in re.findall(r"field '(cpus|priority)': .* going on without it", said):
            trial.note({'cpus': 'not pinned', 'priority': 'no real-time priority'}[field] + ': not allowed here')
    write_stamps(trial, publisher, 'sent_ns', 'publisher.txt')
    write_stamps(trial, subscriber, 'received_ns', 'subscriber.txt')


def write_stamps(trial, peer, column, name):
    """One column of a peer's samples, as the examples write it."""
    samples = trial.folder / f'{peer.name}.csv'
    header, *rows = samples.read_text().splitlines()
    index = header.split(',').index(column)
    (trial.folder / name).write_text(' '.join(row.split(',')[index] for row in rows) + '\n')
    samples.unlink()


# ---- stamps ---------------------------------------------------------------------------------------------------------

def is_complete(file):
    """Whether a whole line was written."""
    try:
        with file.open('rb') as stamps:
            stamps.seek(-1, 2)
            return stamps.read() == b'\n'
    except OSError:
        return False


def read_stamps(file):
    """The stamps of the last line, in ns."""
    try:
        lines = file.read_text().splitlines()
        return numpy.array([int(stamp) for stamp in lines[-1].split()] if lines else [], numpy.int64)
    except (OSError, ValueError) as error:
        raise Failed(f'{file.name} cannot be read: {error}') from error


def backlog(sent, received):
    """The most messages that were sent and not yet received at any moment."""
    times = numpy.concatenate([sent, received])
    steps = numpy.concatenate([numpy.ones(len(sent), numpy.int64), -numpy.ones(len(received), numpy.int64)])
    return int(steps[numpy.lexsort((steps, times))].cumsum().max())


def fill(trial, sent, received, characters):
    """Figures, histogram and samples of the record."""
    delays = received - sent
    if delays.min() < 0:
        trial.note(f'{int((delays < 0).sum())} messages were received before they were sent, by their stamps')
    seconds = {'sender': sent[-1] - sent[0], 'receiver': received[-1] - received[0]}
    trial.figure('sent', len(sent))
    trial.figure('received', len(received))
    trial.figure('lost', 0)
    trial.figure('total_ns', int(received[-1] - sent[0]))
    trial.figure('mean_delay_ns', float(delays.mean()))
    trial.figure('max_delay_ns', int(delays.max()))
    trial.figure('greatest_backlog', backlog(sent, received))
    for end, span in seconds.items():
        if span > 0:
            rate = (len(sent) - 1) * 1e9 / float(span)
            trial.figure(f'{end}_msgs_per_s', rate)
            trial.figure(f'{end}_bytes_per_s', rate * characters)
    histogram = Histogram()
    histogram.record(delays)
    write_log(trial.folder / 'delays.hlog', [Entry('service', 0.0, float(received[-1] - sent[0]) / 1e9, histogram)])
    trial.record['histograms']['service'] = 'delays.hlog'
    with gzip.open(trial.folder / 'delays.csv.gz', 'wt', compresslevel=3) as samples:
        samples.write('sequence,sent_ns,received_ns\n')
        samples.writelines(f'{n},{a},{b}\n' for n, (a, b) in enumerate(zip(sent.tolist(), received.tolist()), 1))
    trial.record['samples']['service'] = 'delays.csv.gz'
