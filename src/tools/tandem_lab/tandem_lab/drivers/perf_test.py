"""The driver of perf_test: publishers in one process, subscriptions in another, as two people would start them by hand.

What comes in the first second is warm-up. Latencies are perf_test's own histograms, costs its own getrusage.
"""

import json
import math
import signal

from tandem_lab import paths
from tandem_lab.results.histogram import HistogramError, merged
from tandem_lab.results.hlog import Entry, read_log, write_log
from tandem_lab.trials.processes import Failed, Unsupported

SETTINGS = {'size', 'message', 'rate', 'zero_copy', 'subscribers', 'publishers', 'history_depth', 'reliable',
            'transient', 'through', 'check', 'seconds', 'bytes'}
ARRAYS = {1 << 10: 'Array1k', 4 << 10: 'Array4k', 16 << 10: 'Array16k', 32 << 10: 'Array32k', 60 << 10: 'Array60k',
          64 << 10: 'Array64k', 256 << 10: 'Array256k', 1 << 20: 'Array1m', 2 << 20: 'Array2m', 4 << 20: 'Array4m',
          8 << 20: 'Array8m'}
TAGS = {'service': 'latency', 'intended': 'intended_latency'}  # perf_test's names for ours
REFUSALS = ('lends no messages', 'is not built here')
COSTS = {  # figure of the record: what it is the sum of, and the factor to its unit
    'cpu_ns_per_msg': ('sys_tracker_ru_utime', 'sys_tracker_ru_stime'),
    'user_ns_per_msg': ('sys_tracker_ru_utime',),
    'system_ns_per_msg': ('sys_tracker_ru_stime',),
    'minor_faults_per_msg': ('sys_tracker_ru_minflt',),
    'major_faults_per_msg': ('sys_tracker_ru_majflt',),
    'context_switches_per_msg': ('sys_tracker_ru_nvcsw', 'sys_tracker_ru_nivcsw'),
}


def run(trial):
    if trial.attest:
        raise Unsupported('perf_test has no attest pass')
    if not trial.contestant.rmw:
        raise Unsupported('perf_test runs over transports only')
    publishers, subscribers = int(trial.value('publishers', 1)), int(trial.value('subscribers', 1))
    common = arguments(trial)
    listener = start(trial, 'subscribe', common + ['-p', '0', '-s', str(subscribers)])
    talker = start(trial, 'publish', common + [
        '-p', str(publishers), '-s', '0', '--expected-num-subs', str(subscribers), '--wait-for-matched-timeout', '30',
        '--max-runtime', str(1 + math.ceil(trial.value('seconds', 2)))])
    peaks = [0]
    while talker.wait(0.2) is None:
        peaks += [peak_kib(talker.pid), peak_kib(listener.pid)]
        if listener.ended():
            raise reason(listener, ' before the publisher had')
    if talker.status() != 0 or not (trial.folder / 'publish.log.json').is_file():
        raise reason(talker)
    listener.signal(signal.SIGINT)
    if listener.wait() not in (0, 1) or not (trial.folder / 'subscribe.log.json').is_file():
        raise reason(listener)
    fill(trial, read(trial, 'publish'), read(trial, 'subscribe'), subscribers)
    trial.figure('rss_kib', max(peaks) or None)


def peak_kib(pid):
    """Greatest resident set so far. Not getrusage's: that begins with what the process that started it had."""
    try:
        with open('/proc/%d/status' % pid, encoding='utf-8') as file:
            return next((int(line.split()[1]) for line in file if line.startswith('VmHWM:')), 0)
    except OSError:
        return 0


def arguments(trial):
    """What both processes are given."""
    size = trial.value('size', 1024)
    message = trial.value('message') or ARRAYS.get(size)
    if not message:
        raise Failed('perf_test has no message of %s bytes; there are: %s' % (size, ', '.join(map(str, ARRAYS))))
    words = ['-m', message, '-r', str(trial.value('rate', 100)), '-o', 'json']
    words += ['--reliable'] if trial.value('reliable', True) else []
    words += ['--transient'] if trial.value('transient', False) else []
    words += ['--zero-copy'] if trial.value('zero_copy', False) else []
    words += ['--check-payload'] if trial.value('check', False) else []
    words += ['--keep-last', '--history-depth', str(trial.value('history_depth', 10))]
    words += ['--unbounded-msg-size', str(trial.value('bytes'))] if trial.value('bytes') else []
    if trial.value('through', 'rclcpp') == 'direct':
        words += ['-c', trial.contestant.plugin]
    return words


def start(trial, name, words):
    program = paths.program('performance_test', 'perf_test')
    if not program:
        raise Failed('perf_test is not installed: make build')
    log = ['--json-logfile', str(trial.folder / (name + '.log.json')),
           '--hlog-file', str(trial.folder / (name + '.hlog'))]
    return trial.launch(name, [program, *words, *log])


def reason(process, when=''):
    """The exception for a process that ended as it should not."""
    failure = process.failure(when)
    if any(refusal in str(failure) for refusal in REFUSALS):
        return Unsupported(process.err.read_text(errors='replace').strip().splitlines()[-1])
    return failure


def read(trial, name):
    """A process' JSON log; the middleware must be the one that was asked for."""
    try:
        log = json.loads((trial.folder / (name + '.log.json')).read_text())
        rows, middleware = log['analysis_results'], log['middleware']
    except (OSError, ValueError, KeyError) as error:
        raise Failed('%s: its log is broken: %s' % (name, error)) from error
    if middleware != trial.contestant.rmw:
        raise Failed('%s ran over %s instead of %s' % (name, middleware, trial.contestant.rmw))
    return rows


def measured(rows, counted):
    """The rows after the first one with messages: (the row before them, they)."""
    first = next((number for number, row in enumerate(rows) if row[counted]), None)
    if first is None or first + 1 >= len(rows):
        return None, []
    return rows[first], rows[first + 1:]


def fill(trial, talker, listener, subscribers):
    """Rates, costs and histograms of what came after the warm-up; counts of everything."""
    figures = trial.record['figures']
    figures['sent'] = sum(row['num_samples_sent'] for row in talker)
    figures['received'] = sum(row['num_samples_received'] for row in listener)
    figures['lost'] = sum(row['num_samples_lost'] for row in listener)
    figures['failed_borrows'] = sum(row['num_failed_borrows'] for row in talker)
    if trial.value('check', False):
        figures['torn'] = sum(row['num_payloads_torn'] for row in listener)
    if not figures['received']:
        raise Failed('nothing was received')
    sides = [(*measured(talker, 'num_samples_sent'), 'num_samples_sent', 1, 'sender'),
             (*measured(listener, 'num_samples_received'), 'num_samples_received', subscribers, 'receiver')]
    if not all(rows for _, rows, _, _, _ in sides):
        raise Failed('nothing was received after the first second')
    for name, parts in COSTS.items():
        figures[name] = sum(cost(side, parts) for side in sides)
    for before, rows, counted, _, end in sides:
        seconds = rows[-1]['time_since_start'] - before['time_since_start']
        figures[end + '_msgs_per_s'] = sum(row[counted] for row in rows) / seconds
    fill_histograms(trial, listener)


def cost(side, parts):
    """Of one process, for each message that was sent."""
    before, rows, counted, share, _ = side
    messages = sum(row[counted] for row in rows) / share
    return sum(rows[-1][part] - before[part] for part in parts) / messages if messages else 0.0


def fill_histograms(trial, listener):
    """One entry of each kind: those of the warm-up are left out."""
    before, _ = measured(listener, 'num_samples_received')
    try:
        entries = read_log(trial.folder / 'subscribe.hlog')
    except (OSError, HistogramError) as error:
        raise Failed('its histograms cannot be read: %s' % error) from error
    start = before['time_since_start'] - 0.5  # entries begin where rows end, give or take
    kept = []
    for tag, theirs in TAGS.items():
        histogram = merged(entry.histogram for entry in entries if entry.tag == theirs and entry.start > start)
        kept.append(Entry(tag, 0.0, trial.value('seconds', 2), histogram))
    write_log(trial.folder / 'latency.hlog', kept)
    trial.record['histograms'].update({tag: 'latency.hlog' for tag in TAGS})
