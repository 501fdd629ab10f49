"""The machine: what is found out about it, and settings that are undone, on trees of files made up for it."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tandem_lab import machine
from tandem_lab.machine import Plan, Sysfs
from tandem_lab.machine.journal import Journal, read

V1 = '/sys/fs/cgroup/cpuset'
V2 = '/sys/fs/cgroup'
GROUPS = {'publisher': [1], 'subscriber': [0]}


class Tree(Sysfs):
    """Files below a folder. As the kernel's: control groups come with their files, and go with them."""

    def __init__(self, root, files=None):
        super().__init__(root)
        self.failures = {}  # path: errno
        self.log = []
        self.free = (8 << 30, 8 << 30)
        self.pinned = {}
        for name, text in (files or {}).items():
            self.put(name, text)

    def put(self, name, text):
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text)

    def write(self, name, text):
        self.log.append((name, text))
        for end, number in self.failures.items():
            if name.endswith(end):
                raise OSError(number, os.strerror(number))
        if name.endswith('cgroup.subtree_control'):
            words = set((self.read(name) or '').split())
            text = ' '.join(words | {text[1:]} if text[0] == '+' else words - {text[1:]})
        super().write(name, text)

    def mkdir(self, name):
        super().mkdir(name)
        for file in ('cgroup.procs', 'cpuset.cpus', 'cpuset.mems', 'cpuset.cpu_exclusive', 'cpuset.cpus.partition'):
            self.path(f'{name}/{file}').write_text('')

    def rmdir(self, name):
        if not self.exists(name):
            raise FileNotFoundError(errno.ENOENT, name)
        for file in self.path(name).iterdir():
            file.unlink()
        super().rmdir(name)
        self.log.append((name, 'removed'))

    def disk(self, name):
        return self.free

    def architecture(self):
        return 'aarch64'

    def set_affinity(self, pid, cpus):
        self.pinned[pid] = cpus

    def files(self):
        return {str(path.relative_to(self.root)): path.read_text() for path in self.root.rglob('*') if path.is_file()}


BOARD = {
    '/proc/cpuinfo': 'processor\t: 0\nmodel name\t: Some core\n\nprocessor\t: 1\nmodel name\t: Some core\n',
    '/sys/devices/system/cpu/online': '0-1\n',
    '/sys/devices/system/cpu/cpufreq/policy0/scaling_governor': 'schedutil\n',
    '/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_min_freq': '600000\n',
    '/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq': '1500000\n',
    '/sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'powersave\n',
    '/sys/devices/system/cpu/cpufreq/boost': '1\n',
    '/sys/class/devfreq/devfreq0/governor': 'simple_ondemand\n',
    '/sys/devices/system/cpu/cpu0/cpuidle/state0/name': 'WFI\n',
    '/sys/devices/system/cpu/cpu0/cpuidle/state0/latency': '1\n',
    '/sys/devices/system/cpu/cpu0/cpuidle/state1/name': 'sleep\n',
    '/sys/devices/system/cpu/cpu0/cpuidle/state1/latency': '700\n',
    '/sys/devices/system/cpu/smt/active': '1\n',
    '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'hpet\n',
    '/proc/self/status': 'CapEff:\t0000000000000000\nCpus_allowed_list:\t0\n',
    '/proc/self/limits': 'Max realtime priority 0 0\nMax locked memory 65536 65536 bytes\n'
                         'Max open files 1024 4096 files\n',
    '/proc/sys/net/core/rmem_max': '212992\n',
    '/proc/sys/net/core/wmem_max': '212992\n',
    '/proc/loadavg': '3.50 1.00 0.50 2/300 4000\n',
    '/proc/stat': 'cpu  100 0 100 700 0 0 0 100 0 0\n',
    '/proc/swaps': 'Filename Type Size Used Priority\n/dev/sda2 partition 1000 500 -2\n',
    '/proc/meminfo': 'MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n',
    '/sys/kernel/mm/transparent_hugepage/enabled': '[always] madvise never\n',
    '/sys/fs/cgroup/cpu.max': '150000 100000\n',
    '/proc/sys/kernel/perf_event_paranoid': '4\n',
    '/sys/bus/event_source/devices/armv8_pmuv3/type': '8\n',
    '/.dockerenv': '',
    '/usr/bin/strace': '',
    '/var/lib/dpkg/status': 'Package: libzmq5\nStatus: install ok installed\nVersion: 4.3.4-6\n\n'
                            'Package: libddsc0debian\nStatus: deinstall ok config-files\nVersion: 0.9\n',
}


def findings(look):
    return {finding.subject: finding for finding in look.findings}


def test_this_machine_is_described():
    look = machine.preflight(Sysfs(), executable=sys.executable)
    names = {fact['name'] for fact in look.facts}
    assert {'cores', 'kernel', 'memory'} <= names
    assert all(finding.severity in ('ok', 'info', 'warning') for finding in look.findings)
    assert json.loads(json.dumps(look.to_json()))['facts'] == look.facts
    assert look.facts[0]['value'] in look.text()


def test_what_disturbs_is_found_with_advice(tmp_path):
    tree = Tree(tmp_path, BOARD)
    tree.free = (64 << 20, 1 << 20)
    look = machine.preflight(tree)
    found = findings(look)
    warned = {subject for subject, finding in found.items() if finding.severity == 'warning'}
    assert warned == {'CPU governor', 'devfreq governor', 'C-states', 'affinity', 'processor quota', 'RLIMIT_NOFILE',
                      'net.core.rmem_max', 'net.core.wmem_max', '/dev/shm', 'load', 'steal time', 'swap',
                      'clock source'}
    assert 'powersave, schedutil' in found['CPU governor'].text and '--allow-settings' in found['CPU governor'].advice
    assert 'linux-image-rt-arm64' in found['PREEMPT_RT'].advice
    assert '1.5 processors' in found['processor quota'].text
    assert 'apt-get install iproute2' == found['tc'].advice and 'strace' not in found
    assert {'turbo', 'SMT', 'isolated processors', 'RLIMIT_RTPRIO', 'RLIMIT_MEMLOCK', 'transparent huge pages',
            'hardware counters', 'virtualisation'} <= found.keys()
    facts = {fact['name']: fact['value'] for fact in look.facts}
    assert facts['libraries'] == 'libzmq5 4.3.4-6' and facts['clock rates'] == '0.6 to 1.5 GHz'
    assert facts['virtualisation'] == 'a container' and facts['memory'] == '8 GiB, 4 GiB available'
    text = look.text()
    assert text.index('warning CPU governor') < text.index('info    turbo') and '-> ' in text


def test_a_machine_that_is_well_prepared_has_no_warnings(tmp_path):
    good = {**BOARD, '/sys/kernel/realtime': '1', '/proc/loadavg': '0.01 0 0 1/1 1',
            '/proc/stat': 'cpu 1 0 1 900 0 0 0 0',
            '/sys/devices/system/cpu/cpufreq/policy0/scaling_governor': 'performance',
            '/sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'performance',
            '/sys/class/devfreq/devfreq0/governor': 'performance', '/sys/devices/system/cpu/cpufreq/boost': '0',
            '/sys/devices/system/cpu/cpu0/cpuidle/state1/disable': '1', '/sys/devices/system/cpu/isolated': '1',
            '/proc/self/status': 'CapEff:\t000001ffffffffff\nCpus_allowed_list:\t0-1\n', '/proc/swaps': 'Filename\n',
            '/proc/self/limits': 'Max realtime priority 99 99\nMax open files unlimited unlimited files\n',
            '/proc/sys/net/core/rmem_max': '16777216', '/proc/sys/net/core/wmem_max': '16777216',
            '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'arch_sys_counter',
            '/sys/fs/cgroup/cpu.max': 'max 100000'}
    look = machine.preflight(Tree(tmp_path, good))
    assert [finding for finding in look.findings if finding.severity == 'warning'] == []
    assert {'CPU governor', 'PREEMPT_RT', 'hardware counters', 'C-states'} <= {
        finding.subject for finding in look.findings if finding.severity == 'ok'}


def test_an_empty_or_garbled_machine_is_no_error(tmp_path):
    assert machine.preflight(Tree(tmp_path / 'empty')).facts != []  # /dev/shm's size, which the tree says
    look = machine.preflight(Tree(tmp_path / 'garbled', {name: 'x y 0\n' for name in BOARD}))
    assert 'could not be found out' in look.text()


def test_drift_tells_of_stolen_time_and_another_clock(tmp_path):
    tree = Tree(tmp_path, BOARD)
    before = machine.preflight(tree).to_json()
    assert machine.drift(before, before) == []
    tree.put('/proc/stat', 'cpu  200 0 100 800 0 0 0 150 0 0\n')
    tree.put('/sys/devices/system/clocksource/clocksource0/current_clocksource', 'tsc')
    found = {finding.subject: finding for finding in machine.drift(before, machine.preflight(tree).to_json())}
    assert found['steal time'].severity == 'warning' and '20.0%' in found['steal time'].text
    assert 'from hpet to tsc' in found['clock source'].text


def test_governors_are_set_and_restored(tmp_path):
    tree = Tree(tmp_path / 'root', BOARD)
    before = tree.files()
    with machine.settings(Plan(), tmp_path / 'journal', tree) as applied:
        assert tree.read('/sys/devices/system/cpu/cpufreq/policy0/scaling_governor') == 'performance'
        assert tree.read('/sys/class/devfreq/devfreq0/governor') == 'performance'
        assert applied.done == ['CPU governor: performance on 2 of 2', 'devfreq governor: performance on 1 of 1']
        before_each = [entry['before'] for entry in read(tmp_path / 'journal')[1:]]
        assert before_each == ['schedutil', 'powersave', 'simple_ondemand']
    assert tree.files() == before and applied.problems == [] and not (tmp_path / 'journal').exists()
    assert [text for _, text in tree.log[3:]] == ['simple_ondemand', 'powersave', 'schedutil']


@pytest.mark.parametrize('number', [errno.EACCES, errno.EBUSY, errno.EINVAL])
def test_what_is_refused_is_said_and_the_rest_goes_on(tmp_path, number):
    tree = Tree(tmp_path / 'root', BOARD)
    tree.failures['policy0/scaling_governor'] = number
    with machine.settings(Plan(), tmp_path / 'journal', tree) as applied:
        assert tree.read('/sys/devices/system/cpu/cpufreq/policy1/scaling_governor') == 'performance'
        assert os.strerror(number) in applied.refused[0] and 'policy0' in applied.refused[0]
        tree.failures.clear()
    assert tree.read('/sys/devices/system/cpu/cpufreq/policy1/scaling_governor') == 'powersave'
    assert tree.read('/sys/devices/system/cpu/cpufreq/policy0/scaling_governor') == 'schedutil'


def version1(root):
    return Tree(root, {**BOARD, '/proc/self/mounts': f'cgroup {V1} cgroup rw,cpuset 0 0\n', f'{V1}/cgroup.procs': '',
                       f'{V1}/cpuset.mems': '0\n', '/proc/self/cgroup': '3:cpuset:/\n'})


def version2(root):
    return Tree(root, {**BOARD, '/proc/self/mounts': f'cgroup2 {V2} cgroup2 rw 0 0\n', f'{V2}/cgroup.procs': '',
                       f'{V2}/cgroup.controllers': 'cpuset cpu\n', f'{V2}/cgroup.subtree_control': 'cpu\n'})


@pytest.mark.parametrize('make', [version1, version2])
def test_cpusets_hold_peers_and_go(tmp_path, make):
    tree = make(tmp_path / 'root')
    before = tree.files()
    with machine.settings(Plan(governors=False, cpusets=GROUPS), tmp_path / 'journal', tree) as applied:
        applied.join(4711, 'publisher')
        applied.join(4712, 'nobody')
        folder = next(path for path in tree.root.rglob('pub_cpuset'))
        assert (folder / 'cpuset.cpus').read_text() == '1\n' and (folder / 'cgroup.procs').read_text() == '4711\n'
        assert applied.done == ['cpusets: publisher on 1, subscriber on 0'] and applied.refused == []
        if make is version1:
            assert (folder / 'cpuset.cpu_exclusive').read_text() == '1\n'
            assert (folder / 'cpuset.mems').read_text() == '0\n'
        else:
            assert (folder / 'cpuset.cpus.partition').read_text() == 'root\n'
            assert 'cpuset' in tree.read(f'{V2}/cgroup.subtree_control').split()
    assert tree.read((V1 if make is version1 else V2) + '/cgroup.procs') == '4711'  # what still ran went to the parent
    tree.put((V1 if make is version1 else V2) + '/cgroup.procs', '')
    assert tree.files() == before
    assert [Path(name).name for name, text in tree.log if text == 'removed'] == ['sub_cpuset', 'pub_cpuset']


def test_a_partition_that_the_kernel_does_not_grant_is_said(tmp_path):
    tree = version2(tmp_path / 'root')
    write = tree.write

    def refuse(name, text):
        write(name, 'root invalid (no cpu left)' if text == 'root' else text)
    tree.write = refuse
    with machine.settings(Plan(governors=False, cpusets=GROUPS), tmp_path / 'journal', tree) as applied:
        assert applied.refused[0] == 'cpuset publisher: not exclusive (root invalid (no cpu left))'
        assert applied.done == ['cpusets: publisher on 1, subscriber on 0']


@pytest.mark.parametrize('make', [version1, version2, lambda root: Tree(root, BOARD)])
def test_without_cpusets_there_is_affinity(tmp_path, make):
    tree = make(tmp_path / 'root')
    before = tree.files()
    tree.failures['sub_cpuset/cpuset.cpus'] = errno.EACCES  # half-way: the publisher's group is there already
    with machine.settings(Plan(governors=False, cpusets=GROUPS), tmp_path / 'journal', tree) as applied:
        applied.join(4711, 'subscriber')
        assert tree.pinned == {4711: [0]}
        assert applied.done == ['affinity: publisher on 1, subscriber on 0']
        assert applied.refused[0].endswith('plain affinity instead')
        assert tree.files() == before
    assert tree.files() == before


def test_priority_needs_the_right_and_never_takes_every_core(tmp_path):
    plan = Plan(governors=False, priority=50)
    tree = Tree(tmp_path, BOARD)
    with machine.settings(plan, tmp_path / 'journal', tree) as applied:
        assert applied.priority == 0 and 'RLIMIT_RTPRIO is 0' in applied.refused[0]
    tree.put('/proc/self/limits', 'Max realtime priority 60 60\n')
    with machine.settings(plan, tmp_path / 'journal', tree) as applied:
        assert applied.priority == 50 and applied.refused == []
    assert machine.priority_refused(0, 9, 1) == '' and machine.priority_refused(50, 1, 2) == ''
    assert 'would leave none' in machine.priority_refused(50, 2, 2)
    assert '1 to 99' in machine.priority_refused(100, 0, 2)


def test_an_exception_restores(tmp_path):
    tree = version1(tmp_path / 'root')
    before = tree.files()
    with pytest.raises(KeyboardInterrupt):
        with machine.settings(Plan(cpusets=GROUPS), tmp_path / 'journal', tree):
            raise KeyboardInterrupt
    assert tree.files() == before


VICTIM = """
import sys, time
sys.path[:0] = sys.argv[1:3]
from test_machine import GROUPS, Tree
from tandem_lab import machine
tree = Tree(sys.argv[3])
with machine.settings(machine.Plan(cpusets=GROUPS), sys.argv[4], tree):
    print('set', flush=True)
    while True:
        time.sleep(0.02)
"""


def victim(tmp_path):
    """A process that has made settings; (tree, files before, process)."""
    tree = version1(tmp_path / 'root')
    before = tree.files()
    here = Path(__file__).resolve().parent
    process = subprocess.Popen([sys.executable, '-B', '-c', VICTIM, str(here), str(Path(machine.__file__).parents[2]),
                                str(tree.root), str(tmp_path / 'journal')], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == 'set\n'
    assert tree.files() != before
    return tree, before, process


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores(tmp_path, number):
    tree, before, process = victim(tmp_path)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert tree.files() == before and not (tmp_path / 'journal').exists()


def test_after_a_kill_the_next_run_restores(tmp_path):
    tree, before, process = victim(tmp_path)
    process.kill()
    process.communicate(timeout=60)
    assert tree.files() != before
    with open(tmp_path / 'journal', 'a') as file:
        file.write('{"id": 9, "kind": "wri')  # cut short
    said = machine.restore(tmp_path / 'journal', tree)
    assert len(said) == 1 and '5 changes' in said[0]
    assert tree.files() == before
    assert machine.restore(tmp_path / 'journal', tree) == []


@pytest.mark.parametrize('last', range(5))
def test_a_kill_between_journal_and_change_is_restored_too(tmp_path, last):
    """The journal may be one change ahead of the machine, at each change."""
    tree = version1(tmp_path / 'root')
    before = tree.files()
    journal = Journal(tmp_path / 'journal', tree)
    governors = tree.glob('/sys/devices/system/cpu/*/*/scaling_governor') + tree.glob('/sys/class/devfreq/*/governor')
    steps = [lambda name=name: journal.write(name, 'performance') for name in governors]
    steps += [lambda name=name: journal.mkdir(f'{V1}/tandem-lab-1-{name}', 'cgroup.procs') for name in GROUPS]
    for step in steps[:last]:
        step()
    tree.write = tree.mkdir = lambda *_: (_ for _ in ()).throw(SystemExit('killed'))
    with pytest.raises(SystemExit):
        steps[last]()
    del tree.write, tree.mkdir
    assert len(machine.restore(tmp_path / 'journal', tree)) == 1
    assert tree.files() == before


def test_what_somebody_else_has_changed_since_is_left(tmp_path):
    tree = Tree(tmp_path / 'root', BOARD)
    name = '/sys/devices/system/cpu/cpufreq/policy0/scaling_governor'
    with machine.settings(Plan(), tmp_path / 'journal', tree) as applied:
        tree.put(name, 'conservative')
    assert tree.read(name) == 'conservative' and 'left so' in applied.problems[0]
    assert not (tmp_path / 'journal').exists()


def test_what_cannot_be_restored_stays_in_the_journal(tmp_path):
    tree = Tree(tmp_path / 'root', BOARD)
    before = tree.files()
    with machine.settings(Plan(), tmp_path / 'journal', tree) as applied:
        tree.failures['policy1/scaling_governor'] = errno.EBUSY
    assert 'could not be restored' in applied.problems[0] and (tmp_path / 'journal').exists()
    tree.failures.clear()
    machine.restore(tmp_path / 'journal', tree)
    assert tree.files() == before and not (tmp_path / 'journal').exists()


def test_a_file_that_is_no_journal_is_left_alone(tmp_path):
    file = tmp_path / 'journal'
    for content in (b'notes of mine\n', b'\x80\x04\x95junk', b'{"some": "json"}\n'):
        file.write_bytes(content)
        with pytest.raises(ValueError, match='no journal'):
            machine.restore(file, Tree(tmp_path / 'root', BOARD))
        assert file.read_bytes() == content


def test_cpusets_for_the_time_of_a_trial(tmp_path):
    tree = version1(tmp_path / 'root')
    before = tree.files()
    with machine.settings(Plan(), tmp_path / 'journal', tree) as applied:
        for _ in range(2):
            with applied.cpusets(GROUPS):
                applied.join(4711, 'publisher')
                assert tree.read(f'{V1}/pub_cpuset/cgroup.procs') == '4711'
            tree.put(f'{V1}/cgroup.procs', '')
            assert not tree.exists(f'{V1}/pub_cpuset')
            assert tree.read('/sys/class/devfreq/devfreq0/governor') == 'performance'
        assert applied.done.count('cpusets: publisher on 1, subscriber on 0') == 1
    assert tree.files() == before and not (tmp_path / 'journal').exists()


def test_a_cpuset_of_somebody_else_is_neither_used_nor_removed(tmp_path):
    tree = version1(tmp_path / 'root')
    tree.put(f'{V1}/sub_cpuset/cpuset.cpus', '3\n')
    before = tree.files()
    with machine.settings(Plan(governors=False, cpusets=GROUPS), tmp_path / 'journal', tree) as applied:
        assert 'sub_cpuset is there already; plain affinity instead' in applied.refused[0]
        assert tree.files() == before
    assert tree.files() == before


def test_runs_beside_this_one_are_restored_unless_they_live(tmp_path):
    for owner, restored in ((os.getppid(), False), (None, True)):
        tree = Tree(tmp_path / 'root', BOARD)
        before = tree.files()
        (tmp_path / 'other').mkdir(exist_ok=True)
        (tmp_path / 'other' / 'journal').unlink(missing_ok=True)
        other = Journal(tmp_path / 'other' / 'journal', tree)
        other.write('/sys/class/devfreq/devfreq0/governor', 'performance')
        text = other.file.read_text().replace(str(os.getpid()), str(owner or 4_000_000_000), 1)
        start = machine.start_time(os.getpid()), machine.start_time(owner or 0) or '1'
        other.file.write_text(text.replace(*start, 1))
        assert len(machine.restore(tmp_path / 'mine' / 'journal', tree)) == restored
        assert (tree.files() == before) == restored and other.file.exists() != restored
