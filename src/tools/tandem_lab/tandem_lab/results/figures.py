"""From what each peer measured to the figures, histograms and samples of a trial's record: docs/reference/lab.md."""

import gzip
import os
import shutil

SENDERS = ('publish', 'ping')  # whose messages count; a pong's replies are answers, not messages of their own
HISTOGRAMS = {'publish': ('publish',), 'subscribe': ('service', 'intended'), 'ping': ('half_round_trip',)}
SAMPLES = {'publish': 'publish', 'subscribe': 'service', 'ping': 'half_round_trip'}
PER_MESSAGE = {  # figure of the record: figures of a peer that it is the sum of
    'cpu_ns_per_msg': ('user_ns', 'system_ns'),
    'user_ns_per_msg': ('user_ns',),
    'system_ns_per_msg': ('system_ns',),
    'minor_faults_per_msg': ('minor_faults',),
    'major_faults_per_msg': ('major_faults',),
    'context_switches_per_msg': ('voluntary_switches', 'involuntary_switches'),
    'cycles_per_msg': ('cycles',),
    'instructions_per_msg': ('instructions',),
}


def total(peers, *names):
    """Sum over the peers; None unless each of them knows each."""
    values = [peer.figures.get(name) for peer in peers for name in names]
    return sum(values) if values and None not in values else None


def put(record, name, value):
    if value is not None:
        record['figures'][name] = value


def fill(record, folder, peers, size=None):
    """Adds up what these peers (with figures) say."""
    senders = [peer for peer in peers if peer.role in SENDERS]
    receivers = [peer for peer in peers if peer.role in ('subscribe', 'ping')]
    put(record, 'sent', total(senders, 'sent'))
    put(record, 'received', total(receivers, 'received'))
    put(record, 'lost', total(receivers, 'lost'))
    for name in ('torn', 'failed_borrows', 'timeouts', 'copied'):
        values = [peer.figures[name] for peer in peers if peer.figures.get(name) is not None]
        put(record, name, sum(values) if values else None)
    carried = sum(peer.figures.get('sent') or 0 for peer in peers)  # with the replies: they cost as much
    for name, parts in PER_MESSAGE.items():
        value = total(peers, *parts)
        put(record, name, value / carried if carried and value is not None else None)
    resident = [peer.figures.get('rss_kib') for peer in peers]
    put(record, 'rss_kib', max(resident) if resident and None not in resident else None)
    put(record, 'pss_kib', total(peers, 'pss_kib'))
    record['figures'].update(rates('sender', senders, 'sent', size))
    record['figures'].update(rates('receiver', receivers, 'received', size))
    for peer in peers:
        reason = peer.figures.get('counters_reason')
        note = 'no hardware counters: %s' % reason
        if reason and note not in record['notes']:
            record['notes'].append(note)
    fill_histograms(record, folder, peers)
    fill_samples(record, folder, peers)


def rates(end, peers, counted, size):
    """Messages and bytes a second at one end, from the first to the last message of it all."""
    count = total(peers, counted)
    spans = [(peer.figures.get('first_ns'), peer.figures.get('last_ns')) for peer in peers]
    if not count or not spans or any(not first or not last for first, last in spans):
        return {}
    span = max(last for _, last in spans) - min(first for first, _ in spans)
    # The first message of each peer starts the clock.
    count -= len(peers)
    if span <= 0 or count <= 0:
        return {}
    result = {end + '_msgs_per_s': count * 1e9 / span}
    if size:
        result[end + '_bytes_per_s'] = count * size * 1e9 / span
    return result


def fill_histograms(record, folder, peers):
    """Histograms of one kind lie in one file; with several peers, the entries of all: readers merge them."""
    for role, tags in HISTOGRAMS.items():
        files = [peer.name + '.hlog' for peer in peers if peer.role == role]
        files = [name for name in files if (folder / name).is_file()]
        if not files:
            continue
        name = files[0] if len(files) == 1 else 'all-%s.hlog' % role
        if len(files) > 1:
            join_histograms(folder, files, name)
        text = (folder / name).read_text(encoding='utf-8', errors='replace')
        for tag in tags:
            if 'Tag=%s,' % tag in text:
                record['histograms'][tag] = name


def join_histograms(folder, files, name):
    """Entries of all the files after the head of the first."""
    with open(folder / name, 'w', encoding='utf-8') as out:
        for number, file in enumerate(files):
            for line in (folder / file).read_text(encoding='utf-8', errors='replace').splitlines():
                is_entry = line.startswith('Tag=') or line[:1].isdigit()
                if number == 0 or is_entry:
                    out.write(line + '\n')


def fill_samples(record, folder, peers):
    """Samples are kept compressed; the record names those of the first peer of each role."""
    for peer in peers:
        source = folder / (peer.name + '.csv')
        if not source.is_file():
            continue
        compress(source)
        key = SAMPLES.get(peer.role)
        if key:
            record['samples'].setdefault(key, source.name + '.gz')


def compress(path):
    """PATH becomes PATH.gz."""
    with open(path, 'rb') as source, gzip.open(str(path) + '.gz', 'wb', compresslevel=3) as packed:
        shutil.copyfileobj(source, packed)
    os.unlink(path)
