"""What disturbs a measurement on the processor's side: clock rates, sleep states, who may run where, and when.

Each check returns findings; nothing is said of what the machine does not show.
"""

from dataclasses import dataclass

from . import facts
from .sysfs import cpu_list

CPUFREQ = '/sys/devices/system/cpu/cpufreq/policy*/scaling_governor'
DEVFREQ = '/sys/class/devfreq/*/governor'
# Debian's kernels with PREEMPT_RT.
RT_PACKAGES = {'x86_64': 'linux-image-rt-amd64', 'aarch64': 'linux-image-rt-arm64', 'armv7l': 'linux-image-rt-armmp',
               'i686': 'linux-image-rt-686-pae'}
DEEP_SLEEP_US = 10
LETTING = 'or let the lab do it while it runs: --allow-settings'


@dataclass
class Finding:
    severity: str  # ok, info or warning
    subject: str
    text: str
    advice: str = ''


def governors(sysfs, pattern, subject):
    """Whether all governors of a kind are `performance`."""
    files = sysfs.glob(pattern)
    found = sorted({sysfs.read(file) or 'unreadable' for file in files})
    if found == ['performance']:
        return [Finding('ok', subject, f'all {len(files)} are at performance')]
    if not files:
        return []
    advice = f'for g in {pattern}; do echo performance > $g; done, {LETTING}'
    return [Finding('warning', subject, f'{", ".join(found)}: the clock follows the load, so figures depend on what '
                    'ran before', advice)]


def cpu_governor(sysfs):
    return governors(sysfs, CPUFREQ, 'CPU governor') or [
        Finding('info', 'CPU governor', 'no frequency scaling is visible here; in a virtual machine the host decides')]


def devfreq_governor(sysfs):
    return governors(sysfs, DEVFREQ, 'devfreq governor') or [
        Finding('ok', 'devfreq governor', 'no device (memory bus) whose clock could be scaled')]


def turbo(sysfs):
    no_turbo = sysfs.number('/sys/devices/system/cpu/intel_pstate/no_turbo')
    boost = sysfs.number('/sys/devices/system/cpu/cpufreq/boost')
    if no_turbo is None and boost is None:
        return []
    if no_turbo == 1 or (no_turbo is None and boost == 0):
        return [Finding('ok', 'turbo', 'off')]
    command = ('echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo' if no_turbo is not None
               else 'echo 0 > /sys/devices/system/cpu/cpufreq/boost')
    return [Finding('info', 'turbo', 'on: the clock depends on temperature and on what the other cores do',
                    f'{command}, for figures that vary less')]


def sleep_states(sysfs):
    """The deepest sleep state that is allowed, by the time that it takes to wake from it."""
    states = []
    for folder in sysfs.glob('/sys/devices/system/cpu/cpu0/cpuidle/state*'):
        if sysfs.number(f'{folder}/disable') != 1:
            states.append((sysfs.number(f'{folder}/latency') or 0, sysfs.read(f'{folder}/name') or folder))
    if not states:
        return [Finding('info', 'C-states', 'none are visible; what idling costs is decided elsewhere')]
    latency, name = max(states)
    if latency <= DEEP_SLEEP_US:
        return [Finding('ok', 'C-states', f'the deepest, {name}, takes {latency} us to wake from')]
    return [Finding('warning', 'C-states', f'the deepest, {name}, takes {latency} us to wake from: that is in every '
                    'latency after a pause', f'cpupower idle-set --disable-by-latency {DEEP_SLEEP_US}')]


def preempt_rt(sysfs):
    if sysfs.number('/sys/kernel/realtime') == 1 or 'PREEMPT_RT' in (sysfs.read('/proc/sys/kernel/version') or ''):
        return [Finding('ok', 'PREEMPT_RT', 'this kernel is fully preemptible')]
    package = RT_PACKAGES.get(sysfs.architecture())
    advice = f'apt-get install {package} and boot it, for shorter worst cases' if package else ''
    return [Finding('info', 'PREEMPT_RT', 'not running: the longest latencies include what the kernel does in between',
                    advice)]


def isolated(sysfs):
    cpus = sysfs.read('/sys/devices/system/cpu/isolated')
    if cpus:
        return [Finding('ok', 'isolated processors', f'{cpus}: nothing runs there but what is put there')]
    return [Finding('info', 'isolated processors', 'none: other processes may interrupt those that are measured',
                    'boot with isolcpus= nohz_full= rcu_nocbs= for the processors to measure on')]


def core_count(sysfs):
    cpus = facts.online(sysfs)
    if len(cpus) == 1:
        return [Finding('warning', 'processors', 'one only: publisher and subscriber take turns, and a wake-up is a '
                        'context switch')]
    if len(cpus) in (2, 3):
        return [Finding('info', 'processors', f'{len(cpus)}: two processes that are busy leave little for anything '
                        'else, middleware threads included')]
    return []


def smt(sysfs):
    if sysfs.number('/sys/devices/system/cpu/smt/active') == 1:
        return [Finding('info', 'SMT', 'on: processors of one core share it, so a pair of processes is faster or '
                        'slower by where it lands', 'pin publisher and subscriber to cores of their own')]
    return []


def affinity(sysfs):
    status = dict(line.split(':', 1) for line in sysfs.lines('/proc/self/status') if ':' in line)
    allowed, present = cpu_list(status.get('Cpus_allowed_list')), facts.online(sysfs)
    if not allowed or len(allowed) >= len(present):
        return []
    severity = 'warning' if len(allowed) == 1 else 'info'
    return [Finding(severity, 'affinity', f'the lab may use {len(allowed)} of {len(present)} processors '
                    f'({status["Cpus_allowed_list"].strip()})', 'start it without taskset or a cpuset')]


def quota(sysfs):
    """A share of processor time that a container may not exceed."""
    version2 = (sysfs.read('/sys/fs/cgroup/cpu.max') or 'max').split()
    period = sysfs.number('/sys/fs/cgroup/cpu/cpu.cfs_period_us')
    limit = sysfs.number('/sys/fs/cgroup/cpu/cpu.cfs_quota_us')
    if len(version2) == 2 and version2[0] != 'max':
        limit, period = map(int, version2)
    if not period or not limit or limit <= 0:
        return []
    return [Finding('warning', 'processor quota', f'{limit / period:.3g} processors, then everything stands still '
                    f'until {period / 1000:.3g} ms are over', 'run without a limit of processor time')]


def virtual(sysfs):
    name = facts.virtualisation(sysfs)
    if not name:
        return []
    if not (name.endswith('container') and ',' not in name):
        return [Finding('warning', 'virtualisation', f'{name}: waking a process on another core asks the host, which '
                        'takes many microseconds; compare systems with each other here, not with other machines',
                        'measure on the bare machine for absolute figures')]
    return [Finding('info', 'virtualisation', f'{name}: limits and /dev/shm may be smaller than the machine\'s')]


CHECKS = (cpu_governor, turbo, devfreq_governor, sleep_states, preempt_rt, core_count, smt, isolated, affinity, quota,
          virtual)
