"""The attest pass: what strace says, made up and for real; and whether both ends read from one memory."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tandem_lab import paths
from tandem_lab.inputs import experiment
from tandem_lab.inputs.contestants import Contestant
from tandem_lab.results import clocks
from tandem_lab.trials import attest, plan, runner
from tandem_lab.trials.processes import Stop

TRACE = """\
100 10.000001 read(3<socket:[5]>, ""..., 4096) = 99
100 20.000001 futex(0x7f00, FUTEX_WAKE_PRIVATE, 1) = 1
100 20.000002 sendto(5<socket:[77]>, ""..., 1000, MSG_NOSIGNAL, NULL, 0) = 1000
101 20.000003 recvmsg(6<socket:[78]>,  <unfinished ...>
100 20.000004 read(0<pipe:[1]>, ""..., 64) = 3
100 20.000005 write(1<pipe:[2]>, ""..., 512) = 512
101 20.000006 <... recvmsg resumed>{msg_name=NULL, msg_iov=[{iov_base=""..., iov_len=2000}], msg_flags=0}, 0) = 1000
100 20.000007 sendmmsg(5<UDP:[1]>, [{msg_hdr={}, msg_len=300}, {msg_hdr={}, msg_len=200}, {msg_hdr={}}], 3, 0) = 2
100 20.000008 openat(AT_FDCWD</x>, "/proc/self/maps", O_RDONLY) = 7</proc/100/maps>
100 20.000009 read(7</proc/100/maps>, ""..., 4096) = 4000
100 20.000010 recvfrom(6<socket:[78]>, 0x7ffc, 10, MSG_DONTWAIT, NULL, NULL) = -1 EAGAIN (Resource unavailable)
100 20.000011 recvfrom(6<socket:[78]>, ""..., 10, MSG_TRUNC, NULL, NULL) = 70000
100 20.000011 read(8</dev/shm/roster.txt>, ""..., 4096) = 256
100 20.000012 clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, {tv_sec=1, tv_nsec=5}, NULL) = 0
101 20.000013 mmap(NULL, 4096, PROT_READ, MAP_SHARED, 9</dev/shm/a>, 0) = 0x7f1234
101 20.000014 umask(022) = 022
101 30.000001 write(5<socket:[77]>, ""..., 50) = 50
101 30.000002 read(5<socket:[77]>,  <unfinished ...>
100 30.000003 +++ exited with 0 +++
101 30.0000"""


def test_calls_and_bytes_between_two_times_are_counted():
    # futex, sendto, recvmsg, sendmmsg, two recvfrom, read of a file, mmap, umask
    assert attest.count(TRACE.splitlines(), 20, 25) == attest.Counts(9, 1000 + 1000 + 500)
    assert attest.count(TRACE.splitlines()) == attest.Counts(11, 99 + 2500 + 50)
    assert attest.count([]) == attest.Counts(0, 0)
    assert attest.count(['', 'nonsense', '1 2.0 <... read resumed>, 5) = 5', '1 2.0 x(']).calls == 1


def at(sequence, inode=7, offset=64, device='00:1b'):
    return {'sequence': sequence, 'device': device, 'inode': inode, 'offset': offset}


def test_the_same_memory_is_zero_copy():
    same, looked = attest.compare([[at(1), at(2)]], [[at(1), at(2)], [at(2), at(9)]])
    assert (same, looked) == (3, 3) and attest.verdict(same, looked) is True
    assert attest.copied_per_message(0.0, 4096, same, looked) == 0


@pytest.mark.parametrize('other', [at(1, inode=8), at(1, offset=128), at(1, device='00:1c'), at(1, inode=0)])
def test_other_memory_is_a_copy(other):
    same, looked = attest.compare([[at(1)]], [[other]])
    assert attest.verdict(same, looked) is False
    assert attest.copied_per_message(0.0, 4096, same, looked) == 4096
    # A socket's copies are the very reason for the other memory: nothing is added to them.
    assert attest.copied_per_message(8192.0, 4096, same, looked) == 8192


def test_private_memory_on_both_sides_is_not_the_same():
    assert attest.compare([[at(1, inode=0)]], [[at(1, inode=0)]]) == (0, 1)


def test_what_nobody_looked_at_is_not_known():
    same, looked = attest.compare([[at(1)]], [[at(2)], []])
    assert attest.verdict(same, looked) is None and attest.copied_per_message(None, 4096, same, looked) is None
    assert attest.copied_per_message(10.0, 4096, same, looked) == 10


def test_with_several_senders_any_may_be_the_one():
    assert attest.compare([[at(1)], [at(1, offset=4096)]], [[at(1, offset=4096), at(1)]]) == (1, 1)


def peer(role, name, attestation, **figures):
    return SimpleNamespace(role=role, name=name, attestation=attestation, figures=figures or None,
                           seen=lambda event: {'at': 25_000_000_000} if event == 'done' else None)


def trial(folder, peers, size=1000):
    notes, record = [], {'figures': {'sent': 2}}
    return SimpleNamespace(folder=folder, peers=peers, record=record, notes=notes, note=notes.append,
                           value={'size': size}.get)


@pytest.fixture
def strange_clock(monkeypatch):
    """strace's clock and the peers' agree."""
    monkeypatch.setattr(clocks, 'ahead', lambda: 0)
    monkeypatch.setattr(attest, 'available', lambda: '')


def test_a_trial_is_filled_in(tmp_path, strange_clock):
    one = trial(tmp_path, [
        peer('publish', 'publish', [at(1)], sent=2, first_ns=20_000_000_000, last_ns=20_500_000_000),
        peer('subscribe', 'subscribe', [at(1, offset=0)], sent=0, first_ns=20_000_000_000, last_ns=21_000_000_000),
        peer('subscribe', 'killed', [])])
    for name in ('publish', 'subscribe'):
        attest.file_of(tmp_path, name).write_text(TRACE)
    attest.fill(one)
    assert one.record['figures'] == {'sent': 2, 'syscalls_per_msg': 9, 'kernel_bytes_per_msg': 2500, 'zero_copy': False,
                                     'copied_bytes_per_msg': 2500}
    assert list(tmp_path.iterdir()) == []


def test_without_strace_memory_is_still_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(attest, 'available', lambda: 'strace is not installed')
    assert attest.prefix(tmp_path, 'publish') == []
    peers = [peer('publish', 'publish', [at(1)], sent=2), peer('subscribe', 'subscribe', [at(1)], sent=0)]
    one = trial(tmp_path, peers)
    attest.fill(one)
    assert one.record['figures'] == {'sent': 2, 'zero_copy': True, 'copied_bytes_per_msg': 0}
    assert 'strace is not installed' in one.notes[0]


def test_missing_files_leave_figures_out(tmp_path, strange_clock):
    one = trial(tmp_path, [peer('publish', 'publish', [], sent=2, first_ns=1, last_ns=2)])
    attest.fill(one)
    assert one.record['figures'] == {'sent': 2, 'zero_copy': None, 'copied_bytes_per_msg': None}


PROGRAM = """
import os, socket, time
a, b = socket.socketpair()
a.send(bytes(5000)); b.recv(9000)
begin = time.monotonic_ns()
for _ in range(10):
    a.send(bytes(1000)); b.recv(2000)
end = time.monotonic_ns()
a.send(bytes(5000)); b.recv(9000)
print(begin, end)
"""


def test_a_real_process_is_counted(tmp_path):
    if attest.available():
        pytest.skip(attest.available())
    command = [*attest.prefix(tmp_path, 'it'), sys.executable, '-c', PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    ahead = clocks.ahead()
    begin, end = ((int(word) + ahead) / 1e9 for word in done.stdout.split())
    # Not exactly the two times: the clocks are compared later, and the file's stamps have microseconds.
    counts = attest.count(attest.file_of(tmp_path, 'it').read_text().splitlines(), begin - 2e-5, end + 2e-5)
    assert counts.bytes in range(18000, 31000, 1000) and 18 <= counts.calls <= 26


@pytest.mark.parametrize('contestant, point, zero_copy, least', [
    (Contestant('tandem', 'T', 'transport', 'rmw_tandem_cpp', 'tuned'), {'loan': True, 'message': 'fixed'}, True, 0),
    (Contestant('copies', 'copies', 'faulty', 'copies'), {'loan': True}, False, 4096),
    (Contestant('floor-unix', 'floor', 'floor', 'unix'), {'loan': False, 'message': 'bytes'}, False, 2 * 4096)])
def test_peers_are_attested(tmp_path, contestant, point, zero_copy, least):
    if not os.access(paths.lab_peer()[0], os.X_OK):
        pytest.skip('NOT TESTED: lab_peer is not built')
    what = experiment.load(paths.data() / 'experiments' / 'zero-copy.yaml')
    item = plan.Item(what, contestant, tuple({'size': 4096, **point}.items()), True, 0)
    record = runner.Runner(tmp_path, Stop()).run(item)
    assert record['status'] == 'ok', record
    figures = record['figures']
    assert figures['zero_copy'] is zero_copy and figures['copied_bytes_per_msg'] >= least, figures
    if not attest.available():
        assert figures['syscalls_per_msg'] > 0 and figures['kernel_bytes_per_msg'] >= 0
        if contestant.id == 'floor-unix':  # in and out
            assert 2 * 4096 <= figures['kernel_bytes_per_msg'] < 3 * 4096
