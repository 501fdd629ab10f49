"""The separate pass: system calls, bytes that the kernel copied, and whether both ends read from one memory.

Peers run under strace with few messages. What counts lies between the stamp of the first message (after the warm-up)
and the end: when all was received, and the sender has said `done`. So start-up, discovery and the first messages'
set-up are outside; what threads do on the side meanwhile is inside, and so are acknowledgements. This takes one run;
the difference of two runs with N and 2N messages would be disturbed twice by whatever happens at times.

kernel_bytes_per_msg is what read, write, send, receive and their relatives have returned, on all sides together. The
bytes of one message that goes through a socket are counted twice: in and out. It is a lower bound of what was copied:
nobody sees memcpy. Not counted: the lab's own traffic (standard streams, /proc), its pacing, files (rosters that are
read now and then), and io_uring.
"""

import contextlib
import functools
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tandem_lab.results import clocks

# -D: the peer is the process that was started, strace runs beside it: a daemon that a peer leaves behind keeps strace
# going, not the peer.
OPTIONS = ['-D', '-f', '-qq', '-ttt', '-y', '-s', '0', '-e', 'signal=none', '-e', 'abbrev=none']
SENDERS, RECEIVERS = ('publish', 'ping'), ('subscribe', 'pong')

# What these return is a number of bytes that were copied between a process and the kernel (or another process).
COPYING = {'read', 'readv', 'pread64', 'preadv', 'preadv2', 'write', 'writev', 'pwrite64', 'pwritev', 'pwritev2',
           'sendto', 'sendmsg', 'recvfrom', 'recvmsg', 'process_vm_readv', 'process_vm_writev', 'sendfile',
           'copy_file_range'}
MANY = {'sendmmsg', 'recvmmsg'}  # return a number of messages; their bytes are in the arguments

LINE = re.compile(r'(\d+)\s+(\d+\.\d+) (.*)')
CALL = re.compile(r'(\w+)\((.*)\)\s+= (-?\d+|0x[0-9a-f]+|\?)')
UNFINISHED = re.compile(r'(\w+)\((.*?)\s*<unfinished \.\.\.>$')
RESUMED = re.compile(r'<\.\.\. (\w+) resumed>(.*)')
# The lab's own: standard streams, and looking at itself.
OWN = re.compile(r'^[012](<|,|$)|</proc/\d+/|"/proc/self/')
FILE = re.compile(r'\d+</')
PACING = {'clock_nanosleep', 'getrusage'}


@dataclass
class Counts:
    """Of one process with its threads."""

    calls: int = 0
    bytes: int = 0


@functools.lru_cache(maxsize=None)
def available():
    """Why strace cannot be used here, or ''."""
    if not shutil.which('strace'):
        return 'strace is not installed (apt-get install strace)'
    try:
        done = subprocess.run(['strace', '-qq', '-o', '/dev/null', 'true'], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        return f'strace does not run: {error}'
    last = done.stderr.strip().splitlines()[-1:]
    return '' if done.returncode == 0 else f'strace does not run: {"".join(last)}'


def prefix(folder, name):
    """What goes before a peer's command; nothing where there is no strace (fill() then says so)."""
    return [] if available() else ['strace', *OPTIONS, '-o', str(file_of(folder, name)), '--']


def file_of(folder, name):
    return Path(folder) / f'{name}.strace'


def finished_calls(lines):
    """(when it returned, in s since the epoch, name, arguments, result) of each system call; without cut lines."""
    begun = {}
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        pid, at, text = match.group(1), float(match.group(2)), match.group(3)
        unfinished, resumed = UNFINISHED.match(text), RESUMED.match(text)
        if unfinished:
            begun[pid] = unfinished.groups()
            continue
        if resumed:
            name, arguments = begun.pop(pid, (resumed.group(1), ''))
            text = f'{name}({arguments}{resumed.group(2)}'
        call = CALL.match(text)
        if call:
            name, arguments, result = call.groups()
            yield at, name, arguments, -1 if result == '?' else int(result, 16 if result.startswith('0x') else 10)


def copied(name, arguments, result):
    """Bytes that this call has copied."""
    if result <= 0 or FILE.match(arguments) or 'MSG_TRUNC' in arguments:  # then more may be told than was copied
        return 0
    if name in COPYING:
        return result
    if name in MANY:
        return sum(int(length) for length in re.findall(r'msg_len=(\d+)', arguments)[:result])
    return 0


def count(lines, begin=0.0, end=float('inf')):
    """Counts of what returned between two times, in seconds since the epoch."""
    counts = Counts()
    for at, name, arguments, result in finished_calls(lines):
        if begin <= at <= end and name not in PACING and not OWN.search(arguments):
            counts.calls += 1
            counts.bytes += copied(name, arguments, result)
    return counts


def memories(attestation):
    """{sequence: (device, inode, offset), None for private memory}."""
    return {one['sequence']: (one['device'], one['inode'], one['offset']) if one.get('inode') else None
            for one in attestation or []}


def compare(senders, receivers):
    """(pairs that lay in the same memory, pairs looked at), a pair being one message at one receiver.

    Both are lists of attestation lists, one of each peer. With several senders a message is looked for at all of them.
    """
    sent = [memories(attestation) for attestation in senders]
    same = looked = 0
    for received in map(memories, receivers):
        for sequence, memory in received.items():
            places = [one[sequence] for one in sent if sequence in one]
            if places:
                looked += 1
                same += memory is not None and memory in places
    return same, looked


def verdict(same, looked):
    """zero_copy: True when every pair lay in the same memory, None when none was looked at."""
    return same == looked if looked else None


def copied_per_message(kernel_bytes, payload, same, looked):
    """A lower bound of the bytes copied for a message; None when nothing is known.

    What the kernel copied may be the very copy that made the memory differ, so the greater of both counts, not the sum.
    """
    moved = payload * (looked - same) / looked if looked and payload else None
    known = [value for value in (kernel_bytes, moved) if value is not None]
    return max(known) if known else None


def window(peers):
    """(begin, end) on CLOCK_MONOTONIC in ns; None when no message was sent or received. See the top of this file."""
    senders = [peer for peer in peers if peer.role in SENDERS]
    firsts = [peer.figures.get('first_ns') for peer in senders]
    lasts = [peer.figures.get('last_ns') for peer in peers]
    lasts += [(peer.seen('done') or {}).get('at') for peer in senders]
    if not any(firsts) or not any(lasts):
        return None
    return min(filter(None, firsts)), max(filter(None, lasts))


def count_files(trial, peers, between, record):
    """Figures of what strace has written of these peers. Returns the kernel's bytes for each message, or None."""
    ahead = clocks.ahead()  # strace's stamps are of the other clock
    begin, end = ((at + ahead) / 1e9 for at in between)
    messages = sum(peer.figures.get('sent') or 0 for peer in peers)  # a pong's replies are messages too
    total = Counts()
    for peer in peers:
        try:
            with open(file_of(trial.folder, peer.name), encoding='utf-8', errors='replace') as file:
                counts = count(file, begin, end)
        except OSError:
            return None
        total.calls += counts.calls
        total.bytes += counts.bytes
    if not messages:
        return None
    record['figures']['syscalls_per_msg'] = total.calls / messages
    record['figures']['kernel_bytes_per_msg'] = total.bytes / messages
    return total.bytes / messages


def fill(trial):
    """After the peers have finished: figures of the attest pass into the trial's record."""
    peers = [peer for peer in trial.peers if peer.figures is not None]
    figures, kernel_bytes = trial.record['figures'], None
    between = window(peers)
    if available():
        trial.note(f'system calls and bytes copied by the kernel were not counted: {available()}')
    elif between:
        kernel_bytes = count_files(trial, peers, between, trial.record)
    senders = [peer.attestation for peer in peers if peer.role in SENDERS]
    receivers = [peer.attestation for peer in peers if peer.role in RECEIVERS]
    same, looked = compare(senders, receivers)
    figures['zero_copy'] = verdict(same, looked)
    if looked and 0 < same < looked:
        trial.note(f'{same} of {looked} messages were read where they were written, the others were copied')
    figures['copied_bytes_per_msg'] = copied_per_message(kernel_bytes, trial.value('size'), same, looked)
    trial.note('the attest pass runs under strace with few messages: its times are not comparable')
    for peer in trial.peers:
        with contextlib.suppress(OSError):
            file_of(trial.folder, peer.name).unlink()  # large, and of no more use
