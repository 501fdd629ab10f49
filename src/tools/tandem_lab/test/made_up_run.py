#!/usr/bin/python3
"""Makes the folder of a run that never was, with everything that a report can hold: made_up_run.py FOLDER [--small].

Figures are drawn from distributions with a fixed seed; nothing here was measured.
"""

import gzip
import itertools
import json
import sys
from pathlib import Path

import numpy

from tandem_lab.results.histogram import Histogram
from tandem_lab.results.hlog import Entry, write_log

# id, title, kind, version, settings, reason; half a round trip of an empty message (ns), ns a byte, copies
CONTESTANTS = [
    (('tandem', 'Tandem', 'transport', '0.9.0', 'tuned', ''), (9_000, 0.02, 0)),
    (('fastdds', 'Fast DDS', 'transport', '2.9.1', 'tuned', ''), (21_000, 0.35, 2)),
    (('fastdds-vendor', 'Fast DDS, vendor\'s settings', 'transport', '2.9.1', 'vendor', ''), (26_000, 0.55, 2)),
    (('cyclonedds', 'Cyclone DDS', 'transport', '0.10.2', 'tuned', ''), (17_500, 0.42, 2)),
    (('zeromq', 'ZeroMQ', 'transport', '4.3.4', 'tuned', ''), (14_000, 0.9, 3)),
    (('iceoryx2', 'iceoryx2', 'transport', '0.10.0', 'tuned', ''), (7_400, 0.05, 0)),
    (('opensplice', 'OpenSplice', 'transport', '', '', 'its SDK is not installed here'), None),
    (('connext', 'RTI Connext', 'transport', '', '', 'its SDK is not installed here'), None),
    (('floor-futex', 'floor: futex', 'floor', '', 'none', ''), (4_500, 0.0, 0)),
    (('floor-tcp', 'floor: TCP on loopback', 'floor', '', 'none', ''), (11_000, 0.4, 2)),
]
COST = {entry[0]: cost for entry, cost in CONTESTANTS if cost}
SYSTEMS = [entry[0] for entry, _ in CONTESTANTS if entry[2] == 'transport']
ABSENT = [entry[0] for entry, cost in CONTESTANTS if cost is None]
SIZES = [16, 1024, 16384, 65536, 1048576]
LOG = {'x_scale': 'log', 'y_scale': 'log'}


def experiment(name, **fields):
    return {'name': name, 'title': name.capitalize(), 'question': f'What of {name}?', 'source': 'ours',
            'method': 'Nothing was measured: these figures are made up, to test the report.', 'driver': 'peers',
            'scenario': name.replace('-', '_'), 'settings': {}, 'environment': 'host', 'seconds': 1.0, 'timeout': 20,
            'sweep': {}, 'rank': None, 'attest': False, 'repetitions': 3, 'contestants': SYSTEMS, **fields}


EXPERIMENTS = [
    experiment('round-trip', title='Round trip / 2, one to one', source='eProsima', attest=True, repetitions=5,
               question='How long does one message take to one subscriber, by size?',
               contestants=SYSTEMS + ['floor-futex', 'floor-tcp'], sweep={'size': SIZES},
               charts=[{'kind': 'by_point', 'x': 'size', 'y': 'half_round_trip.p50', **LOG},
                       {'kind': 'by_point', 'x': 'size', 'y': 'half_round_trip.p99', **LOG},
                       {'kind': 'by_percentile', 'histogram': 'half_round_trip', 'at': {'size': [16, 1048576]}},
                       {'kind': 'by_point', 'x': 'size', 'y': 'cpu_ns_per_msg', **LOG},
                       {'kind': 'by_point', 'x': 'size', 'y': 'syscalls_per_msg', 'x_scale': 'log'}],
               rank={'metric': 'half_round_trip.p50', 'better': 'lower'}),
    experiment('perf-test-size', title='perf_test, with and without zero-copy', source='TogetheROS.Bot',
               sweep={'size': [1024, 65536, 1048576], 'zero_copy': [False, True]},
               charts=[{'kind': 'by_point', 'x': 'size', 'y': 'service.p50', **LOG},
                       {'kind': 'by_point', 'x': 'size', 'y': 'rss_kib', **LOG}],
               rank={'metric': 'service.p50', 'better': 'lower'}),
    experiment('delay-study', title='5,000 messages back to back', source='OSLL',
               sweep={'characters': [50, 60000]},
               charts=[{'kind': 'by_number', 'samples': 'service', 'at': {'characters': 'all'}},
                       {'kind': 'boxes', 'samples': 'service', 'at': {'characters': 'all'}},
                       {'kind': 'boxes', 'samples': 'service', 'at': {'characters': 60000}, 'per': 500},
                       {'kind': 'jitter', 'samples': 'service', 'at': {'characters': 50}},
                       {'kind': 'queue', 'samples': 'service', 'at': {'characters': 'all'}}],
               rank={'metric': 'service.p50', 'better': 'lower'}),
    experiment('throughput', title='Throughput without loss', source='eProsima', sweep={'size': SIZES},
               contestants=SYSTEMS + ['floor-tcp'],
               charts=[{'kind': 'by_point', 'x': 'size', 'y': 'receiver_bytes_per_s', **LOG}],
               rank={'metric': 'receiver_bytes_per_s', 'better': 'higher'}),
    experiment('pinning', title='Pinning', source='OSLL, later scenarios',
               sweep={'pinned': ['none', 'both', 'subscriber', 'publisher']},
               charts=[{'kind': 'bars', 'y': 'service.p50', 'at': {'pinned': 'all'}},
                       {'kind': 'bars', 'y': 'lost'}], rank={'metric': 'service.p50', 'better': 'lower'}),
    experiment('subscribers', title='Subscribers', sweep={'subscribers': [1, 2, 4, 8, 16]}, repetitions=2,
               charts=[{'kind': 'by_point', 'x': 'subscribers', 'y': 'service.p99', 'y_scale': 'log'},
                       {'kind': 'by_point', 'x': 'subscribers', 'y': 'cpu_ns_per_msg', 'y_scale': 'log'}],
               rank={'metric': 'service.p99', 'better': 'lower'}),
    experiment('wire', title='What is on the wire', source='eProsima', environment='veth', repetitions=1,
               contestants=['fastdds', 'cyclonedds', 'zeromq', 'floor-tcp'], sweep={'mode': ['unicast', 'multicast']},
               charts=[{'kind': 'bars', 'y': 'header_bytes', 'at': {'mode': 'all'}}]),
    experiment('layers', title='What each layer costs', contestants=['tandem'], repetitions=1,
               sweep={'layer': ['floor', 'core', 'transport', 'rclcpp']},
               charts=[{'kind': 'by_layer', 'y': 'half_round_trip.p50'}]),
]


class Maker:
    def __init__(self, folder, messages, seed=5):
        self.folder, self.messages = Path(folder), messages
        self.random = numpy.random.default_rng(seed)
        self.lines = []

    def delays(self, contestant, size, spread=0.12):
        """ns of each message, in order; each repetition has its own luck."""
        base, per_byte, _ = COST[contestant]
        typical = (base + per_byte * size) * self.random.lognormal(0, 0.03)
        values = typical * self.random.lognormal(0, spread, self.messages)
        late = self.random.random(self.messages) < 0.004
        return values + late * self.random.exponential(20 * typical, self.messages)

    def trial(self, experiment, contestant, point, repetition, attest=False):
        kind = f'{"attest" if attest else "measure"}-{repetition}'
        where = ','.join(f'{key}={value}' for key, value in point.items()) or 'only'
        line = {'schema': 1, 'experiment': experiment['name'], 'contestant': contestant, 'point': point,
                'pass': 'attest' if attest else 'measure', 'repetition': repetition, 'status': 'ok', 'reason': '',
                'started': '2026-01-02T03:04:05Z', 'seconds': 1.2,
                'commands': [f'lab_peer trials/{experiment["name"]}/{contestant}/{where}/{kind}/ping.json'],
                'folder': f'trials/{experiment["name"]}/{contestant}/{where}/{kind}', 'figures': {}, 'histograms': {},
                'samples': {}, 'notes': ['no hardware counters: not supported by this machine']}
        self.fate(line)
        if line['status'] == 'ok':
            self.fill(line, point)
        self.lines.append(line)

    def fate(self, line):
        """Some trials go wrong."""
        who, name, point = line['contestant'], line['experiment'], line['point']
        if who == 'iceoryx2' and name == 'throughput':
            line.update(status='timeout', reason='ended after 20 s: subscribe had not said done', figures={})
        elif who == 'cyclonedds' and name == 'pinning' and line['repetition'] == 1:
            line.update(status='failed', reason='subscribe ended by signal 11: "cannot allocate 4194304 bytes"')
        elif point.get('zero_copy') and COST[who][2]:
            line.update(status='unsupported', reason='this transport does not lend messages')

    def fill(self, line, point):
        name, who = line['experiment'], line['contestant']
        folder = self.folder / line['folder']
        folder.mkdir(parents=True, exist_ok=True)
        base, per_byte, copies = COST[who]
        size = point.get('size', point.get('characters', 1024))
        cost = base + per_byte * size
        figures = line['figures']
        figures.update(sent=self.messages, received=self.messages, lost=0, torn=0)
        if line['pass'] == 'attest':
            figures.update(copied_bytes_per_msg=float(size * copies), kernel_bytes_per_msg=float(size * min(copies, 1)),
                           syscalls_per_msg=(2.0 if who == 'iceoryx2' else 4.0) + 3 * copies, zero_copy=copies == 0)
            return
        figures['cpu_ns_per_msg'] = 1.6 * cost * point.get('subscribers', 1) * self.random.lognormal(0, 0.05)
        figures['rss_kib'] = int(20_000 + size / 256 * (1 + copies))
        figures['context_switches_per_msg'] = 2.0 + self.random.normal(0, 0.01)
        if name == 'throughput':
            figures['receiver_bytes_per_s'] = size / cost * 2e9 * self.random.lognormal(0, 0.04)
        elif name == 'wire':
            header = {'fastdds': 130, 'cyclonedds': 118, 'zeromq': 78, 'floor-tcp': 66}[who]
            figures.update(header_bytes=header, wire_bytes_per_msg=64 + header, wire_packets_per_msg=1.02,
                           discovery_packets={'fastdds': 41, 'cyclonedds': 30}.get(who, 7))
            dds = 'dds' in who
            line['properties'] = {'transport': 'UDP' if dds else 'TCP', 'discovery': 'multicast' if dds else 'none'}
        elif name == 'layers':
            size = {'floor': -200_000, 'core': -150_000, 'transport': -120_000, 'rclcpp': 0}[point['layer']]
            self.histograms(line, folder, half_round_trip=self.delays(who, size))
        elif name == 'delay-study':
            self.burst(line, folder, cost)
        elif name == 'round-trip':
            self.histograms(line, folder, half_round_trip=self.delays(who, size))
        else:
            service = self.delays(who, size * point.get('subscribers', 1), 0.25)
            intended = service.copy()
            if who == 'zeromq' and name == 'subscribers':  # held up: sent late, then as fast as ever
                stalled = len(intended) // 10
                intended[:stalled] += numpy.linspace(80e6, 0, stalled)
            self.histograms(line, folder, service=service, intended=intended)

    def histograms(self, line, folder, **values):
        entries = []
        for name, delays in values.items():
            histogram = Histogram()
            histogram.record(delays)
            entries.append(Entry(name, 0, 1, histogram))
            line['histograms'][name] = 'all.hlog'
        write_log(folder / 'all.hlog', entries)

    def burst(self, line, folder, cost):
        """Messages sent back to back: whoever takes longer to receive than to send builds up a queue."""
        count = 5 * self.messages
        sent = numpy.cumsum(self.random.lognormal(numpy.log(4000 + cost / 8), 0.2, count))
        taking = self.random.lognormal(numpy.log(4300 + cost / 7.5), 0.3, count)
        received = numpy.empty(count)
        free = 0.0
        for i in range(count):
            free = max(sent[i] + cost / 2, free) + taking[i]
            received[i] = free
        start = 10 ** 12
        rows = zip(range(1, count + 1), (sent + start).astype(int), (received + start).astype(int), itertools.repeat(0))
        text = 'sequence,sent_ns,received_ns,lateness_us\n' + ''.join('%d,%d,%d,%d\n' % row for row in rows)
        (folder / 'subscribe.csv.gz').write_bytes(gzip.compress(text.encode(), 1))
        line['samples']['service'] = 'subscribe.csv.gz'
        self.histograms(line, folder, service=received - sent)


def run_json():
    names = ('id', 'title', 'kind', 'version', 'settings', 'reason')
    return {
        'schema': 1,
        'run': {'id': '2026-01-02-made-up', 'title': 'A run that never was', 'suite': 'made-up', 'seed': 5,
                'started': '2026-01-02T03:04:05Z', 'finished': '2026-01-02T03:19:05Z',
                'command': 'tandem lab run made-up',
                'complete': True},
        'machine': {'facts': [{'name': 'processor', 'value': 'none, 2 threads'}, {'name': 'kernel', 'value': '6.1.0'}],
                    'findings': [{'severity': 'warning', 'subject': 'governor', 'text': 'the governor is powersave',
                                  'advice': 'tandem lab run --set sets it to performance and back'},
                                 {'severity': 'note', 'subject': 'virtualisation', 'text': 'a virtual machine',
                                  'advice': 'measure on real hardware when it matters'}],
                    'settings': ['none: not allowed to change the machine']},
        'contestants': [dict(zip(names, entry)) for entry, _ in CONTESTANTS], 'experiments': EXPERIMENTS}


def make(folder, messages=1000, seed=5, only=None):
    """Writes run.json, results.jsonl and trials/. `only`: names of experiments. Returns the folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(folder, messages, seed)
    run = run_json()
    run['experiments'] = [one for one in EXPERIMENTS if only is None or one['name'] in only]
    for one in run['experiments']:
        points = [dict(zip(one['sweep'], values)) for values in itertools.product(*one['sweep'].values())]
        for repetition, contestant, point in itertools.product(range(one['repetitions']), one['contestants'], points):
            if contestant not in ABSENT:
                maker.trial(one, contestant, point, repetition)
                if one['attest'] and repetition == 0:
                    maker.trial(one, contestant, point, 0, attest=True)
    (folder / 'run.json').write_text(json.dumps(run, indent=1))
    (folder / 'results.jsonl').write_text(''.join(json.dumps(line) + '\n' for line in maker.lines))
    return folder


if __name__ == '__main__':
    from tandem_lab.analysis import analysis
    made = make(sys.argv[1], messages=200 if '--small' in sys.argv else 1000)
    analysis.analyse(made)
    print(f'{made}/analysis.json')
