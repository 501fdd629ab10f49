"""What disturbs a measurement on the system's side: limits, memory, load, clocks, and tools that are missing."""

import re

from . import facts
from .facts import GIB, MIB, size_text
from .processor_findings import Finding

CAP_SYS_NICE, CAP_IPC_LOCK, CAP_SYS_ADMIN, CAP_PERFMON = 23, 14, 21, 38
CLOCKS = ('tsc', 'arch_sys_counter', 'riscv_clocksource')
SOCKET_BUFFER = 4 * MIB
TOOLS = {'strace': ('strace', 'system calls and copied bytes are not counted'),
         'ip': ('iproute2', 'no experiments over a virtual cable'),
         'tc': ('iproute2', 'no experiments over a virtual cable'),
         'tcpdump': ('tcpdump', 'what is on the wire is not looked at')}


def capable(sysfs, capability):
    found = re.search(r'^CapEff:\s*([0-9a-f]+)', sysfs.read('/proc/self/status') or '', re.MULTILINE)
    return bool(found) and bool(int(found.group(1), 16) >> capability & 1)


def limit(sysfs, name):
    """A soft limit of this process; infinity when there is none, None when unknown."""
    found = re.search(rf'^{name}\s+(\d+|unlimited)', sysfs.read('/proc/self/limits') or '', re.MULTILINE)
    if not found:
        return None
    return float('inf') if found.group(1) == 'unlimited' else int(found.group(1))


def limits(sysfs):
    found = []
    names = ('Max realtime priority', 'Max locked memory', 'Max open files')
    rtprio, memlock, files = (limit(sysfs, name) for name in names)
    if rtprio == 0 and not capable(sysfs, CAP_SYS_NICE):
        found.append(Finding('info', 'RLIMIT_RTPRIO', '0: no SCHED_FIFO, other processes may take the processor away',
                             'rtprio 98 for this user in /etc/security/limits.d, and log in again'))
    if memlock is not None and memlock < 64 * MIB and not capable(sysfs, CAP_IPC_LOCK):
        found.append(Finding('info', 'RLIMIT_MEMLOCK', f'{size_text(memlock)}: larger buffers cannot be kept in memory',
                             'memlock unlimited for this user in /etc/security/limits.d, and log in again'))
    if files is not None and files < 4096:
        found.append(Finding('warning', 'RLIMIT_NOFILE', f'{files} open files: too few for experiments with many '
                             'processes', 'ulimit -n 65536'))
    return found or [Finding('ok', 'limits', 'real-time priority, locked memory and open files are sufficient')]


def socket_buffers(sysfs):
    found = []
    for name in ('rmem_max', 'wmem_max'):
        value = sysfs.number(f'/proc/sys/net/core/{name}')
        if value is not None and value < SOCKET_BUFFER:
            found.append(Finding('warning', f'net.core.{name}', f'{size_text(value)}: datagrams of large messages are '
                                 'lost, and sent again by the reliable systems',
                                 f'sysctl -w net.core.{name}={4 * SOCKET_BUFFER}'))
    return found


def shared_memory(sysfs):
    disk = sysfs.disk('/dev/shm')
    if disk is None:
        return [Finding('warning', '/dev/shm', 'is not there: the systems that share memory cannot run')]
    total, free = disk
    if total < GIB or free < GIB // 2:
        return [Finding('warning', '/dev/shm', f'{size_text(total)}, {size_text(free)} free: large messages with many '
                        'subscribers may not fit', 'mount -o remount,size=2G /dev/shm (docker: --shm-size=2g)')]
    return [Finding('ok', '/dev/shm', f'{size_text(free)} free')]


def load(sysfs):
    words, cpus = (sysfs.read('/proc/loadavg') or '').split(), len(facts.online(sysfs))
    if not words or not cpus:
        return []
    if float(words[0]) > 0.5 * cpus:
        return [Finding('warning', 'load', f'{words[0]} over the last minute on {cpus} processors: something else runs',
                        'end it, or wait')]
    return [Finding('ok', 'load', f'{words[0]} over the last minute on {cpus} processors')]


def cpu_times(sysfs):
    """{'busy', 'idle', 'steal', 'total'} of all processors since boot, in ticks; {} when unknown."""
    line = next((line for line in sysfs.lines('/proc/stat') if line.startswith('cpu ')), '')
    ticks = [int(word) for word in line.split()[1:]]
    if len(ticks) < 8:
        return {}
    total, idle = sum(ticks[:8]), ticks[3] + ticks[4]
    return {'busy': total - idle - ticks[7], 'idle': idle, 'steal': ticks[7], 'total': total}


def steal(sysfs):
    times = cpu_times(sysfs)
    share = times['steal'] / times['total'] if times.get('total') else 0
    if share < 0.01:
        return []
    return [Finding('warning', 'steal time', f'{share:.1%} of processor time since boot went to other '
                    'virtual machines', 'measure where no other machine shares the processors')]


def swap(sysfs):
    devices = [line.split() for line in sysfs.lines('/proc/swaps')[1:]]
    used = sum(int(words[3]) for words in devices if len(words) > 3)
    if used:
        return [Finding('warning', 'swap', f'{size_text(used * 1024)} in use: a page that returns takes milliseconds',
                        'swapoff -a, where memory suffices')]
    return [Finding('ok', 'swap', 'nothing is swapped out' if devices else 'none')]


def huge_pages(sysfs):
    mode = re.search(r'\[(\w+)\]', sysfs.read('/sys/kernel/mm/transparent_hugepage/enabled') or '')
    if mode and mode.group(1) == 'always':
        return [Finding('info', 'transparent huge pages', 'always: first use of large buffers, and memory, vary',
                        'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled')]
    return []


def clock(sysfs):
    name = sysfs.read('/sys/devices/system/clocksource/clocksource0/current_clocksource')
    if not name:
        return []
    if name in CLOCKS:
        return [Finding('ok', 'clock source', f'{name}: a time stamp takes tens of nanoseconds')]
    if name == 'kvm-clock' or name.startswith('hyperv'):
        return [Finding('info', 'clock source', f'{name}: usually read without a system call, but less exact than tsc')]
    return [Finding('warning', 'clock source', f'{name}: each time stamp is a system call, which is in every figure',
                    'boot with tsc=reliable, if the machine\'s tsc is')]


def counters(sysfs):
    """Whether cycles and instructions can be counted."""
    devices = sysfs.glob('/sys/bus/event_source/devices/cpu*') + sysfs.glob('/sys/bus/event_source/devices/arm*')
    if not devices:
        return [Finding('info', 'hardware counters', 'this machine has none: no cycles and instructions per message',
                        'measure on the bare machine')]
    paranoid = sysfs.number('/proc/sys/kernel/perf_event_paranoid')
    if paranoid is not None and paranoid > 2 and not (capable(sysfs, CAP_SYS_ADMIN) or capable(sysfs, CAP_PERFMON)):
        return [Finding('info', 'hardware counters', f'perf_event_paranoid is {paranoid}: not allowed for this user',
                        'sysctl -w kernel.perf_event_paranoid=1')]
    return [Finding('ok', 'hardware counters', 'cycles and instructions can be counted')]


def tools(sysfs):
    missing = [name for name in TOOLS if not sysfs.tool(name)]
    if not missing:
        return [Finding('ok', 'tools', f'{", ".join(TOOLS)} are there')]
    return [Finding('info', name, f'is not there: {TOOLS[name][1]}', f'apt-get install {TOOLS[name][0]}')
            for name in missing]


CHECKS = (limits, socket_buffers, shared_memory, load, steal, swap, huge_pages, clock, counters, tools)
