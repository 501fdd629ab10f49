"""Plays lab_peer without measuring anything: `link.name` says how well it behaves."""

import json
import os
import subprocess
import sys
import time

HEAD = ('#[Logged with a fake]\n#[Histogram log format version 1.3]\n#[StartTime: 0.0 (seconds since epoch)]\n'
        '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n')
TAGS = {'publish': ['publish'], 'subscribe': ['service', 'intended'], 'ping': ['half_round_trip']}
COLUMNS = {'publish': 'sequence,intended_ns,sent_ns,published_ns', 'ping': 'sequence,sent_ns,received_ns',
           'subscribe': 'sequence,sent_ns,received_ns,lateness_us'}


def emit(event, **more):
    print(json.dumps({'event': event, 'at': time.monotonic_ns(), **more}), flush=True)


def words():
    for line in sys.stdin:
        yield line.split()


def misbehave(how, spec):
    """What happens before `matched`."""
    if how == 'crash' and spec['role'] in ('publish', 'ping'):
        print('something went wrong in the fake', file=sys.stderr, flush=True)
        os.abort()
    if how == 'unsupported':
        print('fake: unsupported: not today', file=sys.stderr, flush=True)
        sys.exit(3)
    if how == 'garbage':
        print('this is no JSON', flush=True)
    if how == 'flood':
        os.write(1, b'x' * (20 << 20))
    if how == 'hang':
        time.sleep(600)
    if how == 'deaf':
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if how == 'daemon':
        code = 'import os, signal, time; os.setsid(); signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)'
        child = subprocess.Popen([sys.executable, '-c', code, 'tandem-lab-test-daemon'], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.environ['TANDEM_SHM_DIR'] + '/made', 'w', encoding='utf-8') as file:
            file.write(str(child.pid))
        with open(spec['output'] + '.daemon', 'w', encoding='utf-8') as file:
            file.write(str(child.pid))


def write_records(spec):
    if not spec.get('output'):
        return
    with open(spec['output'] + '.hlog', 'w', encoding='utf-8') as file:
        file.write(HEAD + ''.join('Tag=%s,0.000,1.000,0.000,HISTFAAA\n' % tag for tag in TAGS.get(spec['role'], [])))
    if spec.get('samples', True) and spec['role'] in COLUMNS:
        with open(spec['output'] + '.csv', 'w', encoding='utf-8') as file:
            file.write(COLUMNS[spec['role']] + '\n1,2,3,0\n')


def finished(spec, count):
    write_records(spec)
    is_sender = spec['role'] in ('publish', 'ping')
    emit('finished', figures={
        'sent': count if is_sender else 0, 'received': count if spec['role'] != 'publish' else 0, 'lost': 0,
        'torn': 0, 'failed_borrows': 0, 'timeouts': 0, 'first_ns': 1_000_000_000, 'last_ns': 2_000_000_000,
        'user_ns': 1000 * count, 'system_ns': 500 * count, 'minor_faults': 0, 'major_faults': 0,
        'voluntary_switches': count, 'involuntary_switches': 0, 'rss_kib': 1000, 'pss_kib': 900, 'cycles': None,
        'instructions': None, 'counters_reason': 'this is a fake'}, attestation=[])


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        spec = json.load(file)
    how = spec['link']['name']
    emit('started')
    misbehave(how, spec)
    emit('joined')
    emit('matched')
    count = spec.get('count') or 10
    is_done = False
    for word in words():
        if word[0] == 'go':
            time.sleep(600 if how == 'stall' else spec.get('seconds', 0))
        if word[0] in ('go', 'expect') and not is_done:
            is_done = True
            emit('done')
            finished(spec, count)
        if word[0] == 'stop':
            break
    if not is_done:
        finished(spec, count)


main()
