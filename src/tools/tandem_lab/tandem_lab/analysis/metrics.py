"""What a metric is called, in which unit, and its values in trials; histograms and raw samples of trials."""

import gzip
import io
import re

import numpy

from tandem_lab.results import hlog
from tandem_lab.results.histogram import merged
from tandem_lab.results.records import ATTEST_ONLY
from tandem_lab.results.statistics import finite

RESOLUTION = 0.001  # of a histogram with three digits, on top of what repetitions differ
TITLES = {
    'service': 'latency', 'intended': 'latency from when it was due', 'half_round_trip': 'round trip / 2',
    'publish': 'time in publish()', 'cpu_ns_per_msg': 'processor time per message',
    'user_ns_per_msg': 'processor time in user mode per message',
    'system_ns_per_msg': 'processor time in the kernel per message', 'rss_kib': 'resident memory of one process',
    'pss_kib': 'memory of all processes together', 'syscalls_per_msg': 'system calls per message',
    'kernel_bytes_per_msg': 'bytes that the kernel copied per message',
    'copied_bytes_per_msg': 'bytes copied at least per message', 'wire_bytes_per_msg': 'bytes on the wire per message',
    'wire_packets_per_msg': 'packets per message', 'discovery_ns': 'time until all have found each other',
    'start_up_ns': 'time from start to first message', 'join_ns': 'time until a late joiner has its first message',
    'recovery_ns': 'time until the subscriber has heard of the new publisher', 'best_rate_hz': 'highest rate',
    'receiver_bytes_per_s': 'throughput, at the receiver', 'sender_bytes_per_s': 'throughput, at the sender',
    'receiver_msgs_per_s': 'messages a second, at the receiver',
    'sender_msgs_per_s': 'messages a second, at the sender',
    'context_switches_per_msg': 'context switches per message', 'minor_faults_per_msg': 'minor faults per message',
    'header_bytes': 'bytes beyond the payload per message', 'discovery_packets': 'packets until both have matched',
    'lost': 'lost messages', 'torn': 'torn messages', 'leaked_bytes': 'bytes left in the shared-memory folder',
    'half_round_trip_ns': 'round trip / 2, p50', 'cpu_ns_per_process': 'processor time per process',
    'gap_ns': 'longest pause', 'size': 'message size', 'characters': 'message length',
}
UNITS = (('_bytes_per_s', 'byte/s'), ('_msgs_per_s', '1/s'), ('bytes_per_msg', 'byte'), ('_ns_per_msg', 'ns'),
         ('_ns_per_process', 'ns'), ('_per_msg', ''), ('_bytes', 'byte'), ('_kib', 'KiB'), ('_ns', 'ns'), ('_us', 'us'),
         ('_hz', 'Hz'))
KEY_UNITS = {'size': 'byte', 'characters': 'byte', 'rate': 'Hz', 'delay_us': 'us'}


def split(metric):
    """(histogram, statistic) of 'service.p99'; (None, None) of a figure."""
    name, dot, statistic = metric.partition('.')
    return (name, statistic) if dot else (None, None)


def label(metric):
    name, statistic = split(metric)
    if name:
        return f'{TITLES.get(name, name.replace("_", " "))}, {statistic}'
    return TITLES.get(metric) or re.sub('_(ns|us|hz|kib)$', '', metric).replace('_', ' ')


def unit(metric):
    if split(metric)[0]:
        return 'ns'
    return next((known for suffix, known in UNITS if metric.endswith(suffix)), '')


def resolution(metric):
    return RESOLUTION if split(metric)[0] else 0.0


class Reader:
    """Values of trials. Keeps what it has read; what cannot be read is said once, in `problems`."""

    def __init__(self, run):
        self.run = run
        self.problems = []
        self._histograms = {}
        self._samples = {}
        self._paths = {}

    def value(self, trial, metric):
        """A number, or None."""
        name, statistic = split(metric)
        if not name:
            value = trial['figures'].get(metric)
            value = int(value) if isinstance(value, bool) else value
            return next(iter(finite([value])), None)
        counted = self.histogram(trial, name)
        if counted is None or not counted.count:
            return None
        if statistic in ('min', 'max', 'mean'):
            return float(getattr(counted, statistic))
        try:
            value = counted.percentile(float(statistic.removeprefix('p')))
        except ValueError:
            return None
        return None if value is None else float(value)

    def values(self, trials, metric):
        return [v for v in (self.value(t, metric) for t in trials if t['status'] == 'ok') if v is not None]

    def trials(self, experiment, contestant, at, metric):
        """The trials that have this metric: of the pass that it belongs to."""
        return self.run.of(experiment, contestant, at, measured=metric not in ATTEST_ONLY)

    def histogram(self, trial, name):
        """None when the trial has none, or none that can be read."""
        path = self._path(trial, 'histograms', name)
        if path is None:
            return None
        if path not in self._histograms:
            self._histograms[path] = self._read(path, lambda: _histograms(path)) or {}
        found = self._histograms[path]
        # A log with one untagged histogram can only mean this one.
        return found.get(name, found.get(''))

    def samples(self, trial, name):
        """{column: numpy array} of the raw samples in order of their sequence; None when there are none."""
        path = self._path(trial, 'samples', name)
        if path is None:
            return None
        if path not in self._samples:
            self._samples[path] = self._read(path, lambda: _samples(path))
        return self._samples[path]

    def forget(self):
        """Frees the samples that were read: they are large."""
        self._samples = {}

    def forget_all(self):
        """Frees the histograms too."""
        self._samples, self._histograms, self._paths = {}, {}, {}

    def delays(self, trial, name):
        """(sequence, delay in ns) of the raw samples; None when there are none."""
        # A subscriber's file has what both need.
        columns = self.samples(trial, 'service' if name == 'intended' else name)
        if columns is None or not len(columns['sequence']):
            return None
        end = 'published_ns' if name == 'publish' else 'received_ns'
        if 'sent_ns' not in columns or end not in columns:
            return None
        delay = columns[end] - columns['sent_ns']
        if name == 'intended':
            if 'lateness_us' not in columns:
                return None
            delay = delay + columns['lateness_us'] * 1000
        return columns['sequence'], delay / 2 if name.startswith('half_') else delay

    def _path(self, trial, kind, name):
        file = trial[kind].get(name)
        if not isinstance(file, str) or not file:
            return None
        key = str(trial['folder']), file
        if key not in self._paths:
            self._paths[key] = self._resolved(trial, file)
        return self._paths[key]

    def _resolved(self, trial, file):
        path = (self.run.folder / str(trial['folder']) / file).resolve()
        if not path.is_relative_to(self.run.folder.resolve()):
            self._say(f'{file} of {trial["folder"]} lies outside of the run and is not read.')
            return None
        return path

    def _read(self, path, how):
        try:
            return how()
        except (OSError, ValueError, EOFError, IndexError) as error:
            try:
                path = path.relative_to(self.run.folder.resolve())
            except ValueError:
                pass
            reason = getattr(error, 'strerror', None) or str(error).removeprefix(str(path) + ':')
            self._say(f'{path} cannot be used: {reason}.')
            return None

    def _say(self, text):
        if text not in self.problems:
            self.problems.append(text)


def _histograms(path):
    """{tag: histogram of all its entries}."""
    entries = {}
    for entry in hlog.read_log(path):
        entries.setdefault(entry.tag, []).append(entry.histogram)
    return {tag: merged(found) for tag, found in entries.items()}


def _samples(path):
    data = path.read_bytes()
    if path.suffix == '.gz':
        try:
            data = gzip.decompress(data)
        except Exception as error:  # gzip raises zlib.error, EOFError and OSError for the same thing
            raise ValueError(f'damaged: {error}') from error
    header, _, body = data.decode(errors='replace').partition('\n')
    names = [name.strip() for name in header.split(',')]
    if 'sequence' not in names:
        raise ValueError('it has no column "sequence"')
    if not body.strip():
        return {name: numpy.array([], numpy.int64) for name in names}
    # The last line may be cut off.
    body = body if body.endswith('\n') else body[:body.rfind('\n') + 1]
    table = numpy.loadtxt(io.StringIO(body), delimiter=',', dtype=numpy.int64, ndmin=2)
    if table.size and table.shape[1] != len(names):
        raise ValueError('its lines have not as many columns as its header')
    table = table[numpy.argsort(table[:, names.index('sequence')], kind='stable')] if table.size else table
    return {name: table[:, i] for i, name in enumerate(names)}
