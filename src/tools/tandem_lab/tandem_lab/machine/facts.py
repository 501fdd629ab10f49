"""What the machine is: name and value, in the order in which a reader wants them. What is not known is left out."""

import re
from pathlib import Path

from .sysfs import cpu_list

# Packages whose version decides what is measured.
LIBRARIES = re.compile(r'^(libfastrtps[\d.]+|libfastcdr[\d.]+|libddsc0debian|libddsc\d+|libzmq\d+|libiceoryx-posh\d+|'
                       r'libc6|libstdc\+\+6)$')
KIB, MIB, GIB = 1024, 1024 ** 2, 1024 ** 3


def size_text(count):
    """Bytes, for people."""
    for unit, name in ((GIB, 'GiB'), (MIB, 'MiB'), (KIB, 'KiB')):
        if count >= unit:
            return f'{count / unit:.4g} {name}'
    return f'{count} B'


def processor(sysfs):
    lines = dict(re.findall(r'^([\w ]+?)\s*:\s*(.*)$', sysfs.read('/proc/cpuinfo') or '', re.MULTILINE))
    return lines.get('model name') or sysfs.read('/proc/device-tree/model') or lines.get('Hardware') or None


def online(sysfs):
    """Numbers of the processors that run."""
    cpus = cpu_list(sysfs.read('/sys/devices/system/cpu/online'))
    return cpus or list(range(len(re.findall(r'^processor\s*:', sysfs.read('/proc/cpuinfo') or '', re.MULTILINE))))


def cores(sysfs):
    """Physical cores among those that run, or None."""
    found = set()
    for cpu in online(sysfs):
        folder = f'/sys/devices/system/cpu/cpu{cpu}/topology'
        core = sysfs.read(f'{folder}/core_id')
        if core is None:
            return None
        found.add((sysfs.read(f'{folder}/physical_package_id'), core))
    return len(found)


def cores_text(sysfs):
    cpus, physical = online(sysfs), cores(sysfs)
    if not cpus:
        return None
    if physical is None:
        return f'{len(cpus)} processors'
    threads = ', two threads or more in a core' if len(cpus) > physical else ''
    return f'{len(cpus)} processors, {physical} cores{threads}'


def caches(sysfs):
    found = []
    for folder in sysfs.glob('/sys/devices/system/cpu/cpu0/cache/index*'):
        level, kind, size = (sysfs.read(f'{folder}/{name}') for name in ('level', 'type', 'size'))
        shared = len(cpu_list(sysfs.read(f'{folder}/shared_cpu_list')))
        if level and size:
            letter = {'Data': 'd', 'Instruction': 'i'}.get(kind, '')
            found.append(f'L{level}{letter} {size}' + (f' for {shared} processors' if shared > 1 else ''))
    return ', '.join(found) or None


def meminfo(sysfs, name):
    """Bytes, or None."""
    found = re.search(rf'^{name}:\s+(\d+) kB', sysfs.read('/proc/meminfo') or '', re.MULTILINE)
    return int(found.group(1)) * KIB if found else None


def memory(sysfs):
    total, free = meminfo(sysfs, 'MemTotal'), meminfo(sysfs, 'MemAvailable')
    return None if total is None else size_text(total) + ('' if free is None else f', {size_text(free)} available')


def kernel(sysfs):
    words = [sysfs.read(f'/proc/sys/kernel/{name}') for name in ('ostype', 'osrelease', 'version')]
    return ' '.join([*filter(None, words), sysfs.architecture()]) if any(words) else None


def distribution(sysfs):
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', sysfs.read('/etc/os-release') or '', re.MULTILINE)
    return found.group(1) if found else None


def virtualisation(sysfs):
    """What this machine runs in, or None when nothing shows that it is virtual."""
    if sysfs.exists('/.dockerenv') or sysfs.exists('/run/.containerenv'):
        container = 'a container'
    else:
        container = sysfs.read('/run/systemd/container')
    words = [sysfs.read(f'/sys/class/dmi/id/{name}') for name in ('sys_vendor', 'product_name')]
    product = ' '.join(filter(None, words))
    clocks = sysfs.read('/sys/devices/system/clocksource/clocksource0/available_clocksource') or ''
    machine = sysfs.read('/sys/hypervisor/type')
    if 'kvm-clock' in clocks:
        machine = 'KVM'
    elif 'hyperv' in clocks:
        machine = 'Hyper-V'
    elif re.search(r'KVM|QEMU|VMware|VirtualBox|Amazon EC2|Google Compute|Virtual Machine', product):
        machine = product
    elif re.search(r'^flags\s*:.*\bhypervisor\b', sysfs.read('/proc/cpuinfo') or '', re.MULTILINE):
        machine = machine or 'a virtual machine'
    return ', '.join(filter(None, (machine, container))) or None


def compiler(executable):
    """What an executable says it was compiled with, or None."""
    try:
        found = re.search(rb'(GCC: \([^\0]+|[\w ]*clang version [^\0]+)\0', Path(executable).read_bytes())
    except OSError:
        return None
    return found.group(1).decode(errors='replace') if found else None


def libraries(sysfs):
    """Installed packages and versions, as Debian's package manager has them."""
    found = []
    for block in (sysfs.read('/var/lib/dpkg/status') or '').split('\n\n'):
        fields = dict(re.findall(r'^(Package|Status|Version): (.*)$', block, re.MULTILINE))
        if LIBRARIES.match(fields.get('Package', '')) and fields.get('Status', '').endswith(' installed'):
            found.append(f"{fields['Package']} {fields['Version']}")
    return ', '.join(sorted(set(found))) or None


def frequencies(sysfs):
    found = set()
    for folder in sysfs.glob('/sys/devices/system/cpu/cpufreq/policy*'):
        low, high = (sysfs.number(f'{folder}/cpuinfo_{end}_freq') for end in ('min', 'max'))
        if low and high:
            found.add(f'{low / 1e6:.3g} to {high / 1e6:.3g} GHz')
    return ', '.join(sorted(found)) or None


def shared_memory(sysfs):
    disk = sysfs.disk('/dev/shm')
    return None if disk is None else f'/dev/shm: {size_text(disk[0])}, {size_text(disk[1])} free'


def facts(sysfs, executable=None):
    """[{'name', 'value'}] of what is known; the executable is asked for its compiler."""
    known = [
        ('processor', processor(sysfs)), ('cores', cores_text(sysfs)), ('caches', caches(sysfs)),
        ('clock rates', frequencies(sysfs)), ('memory', memory(sysfs)), ('shared memory', shared_memory(sysfs)),
        ('kernel', kernel(sysfs)), ('distribution', distribution(sysfs)), ('virtualisation', virtualisation(sysfs)),
        ('clock source', sysfs.read('/sys/devices/system/clocksource/clocksource0/current_clocksource')),
        ('compiler', compiler(executable) if executable else None), ('libraries', libraries(sysfs))]
    return [{'name': name, 'value': value} for name, value in known if value]
