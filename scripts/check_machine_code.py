#!/usr/bin/python3
"""Looks at the machine code of the built core for what the compiler once left out without a word.

Prefetches are there, in the function that wants them; and the library exports nothing but what its headers declare.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / 'install' / 'lib' / 'libtandem_core.so.0'
# Of each machine: what a prefetch for writing and one for reading look like.
PREFETCHES = {'x86-64': ('prefetchw', 'prefetcht0'), 'aarch64': ('prfm\tpst', 'prfm\tpld')}
PUBLIC = re.compile(r'((typeinfo (name )?|vtable|guard variable) for )?(std::|__gnu_cxx::|tandem::(inspection::)?'
                    r'(HostLock|Loan|Participant|Publisher|Sample|Subscription|WaitSet|Domain|KeptRegion|'
                    r'RegionKeeper|allocate|'
                    r'allocate_shared_memory|clean|copy_message|deallocate|heap_statistics|inspect|'
                    r'is_shared_allocation|layout_version|open_writable|set_log_sink|shared_memory_folder|'
                    r'to_string|worse)\b)')


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def missing_prefetches():
    code = output_of('objdump', '-d', '--no-show-raw-insn', str(LIBRARY))
    machine = next((name for name in PREFETCHES if name in code[:400]), None)
    if machine is None:
        return
    to_write, to_read = PREFETCHES[machine]
    for instruction, least, where in ((to_write, 1, 'PublisherImpl::enqueue, of the next free block'),
                                      (to_read, 2, 'Lane::take, of the message and of the next slot')):
        found = code.count(instruction)
        if found < least:
            yield f'{found} {instruction!r} in the machine code, not {least}: {where}'


def private_exports():
    for line in output_of('nm', '-DC', '--defined-only', str(LIBRARY)).splitlines():
        name = line.split(maxsplit=2)[2]
        if not PUBLIC.match(name):
            yield f'{name} is exported, but in no public header (src/core/tandem_core.map)'


def main():
    if not LIBRARY.is_file():
        sys.exit(f'{LIBRARY} is missing: run make build first')
    findings = [*missing_prefetches(), *private_exports()]
    print('\n'.join(findings) or f'{LIBRARY.name}: all is there')
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
