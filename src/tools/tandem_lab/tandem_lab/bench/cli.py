"""The command line of `bench`: measures Tandem between processes, against floors taken in the same run."""

import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from tandem_lab import paths
from tandem_lab.bench import figures, python_suites, rounds, tables
from tandem_lab.machine import Sysfs, facts
from tandem_lab.machine.system_findings import cpu_times
from tandem_lab.trials.leftovers import remove_folders
from tandem_lab.trials.runner import shared_memory_folder

STAMP = '%Y-%m-%dT%H:%M:%SZ'


def parser():
    top = argparse.ArgumentParser(prog='bench', description='Measures Tandem between two processes, against floors '
                                  'taken in the same run.')
    top.add_argument('--output', type=pathlib.Path, metavar='FILE', help='write the results as JSON to this file')
    top.add_argument('--markdown', type=pathlib.Path, metavar='FILE', help="put the tables into this Markdown file, "
                     "between its 'tables: begin' and 'tables: end' comments")
    top.add_argument('--from', dest='source', type=pathlib.Path, metavar='FILE',
                     help='show the results in this JSON file instead of measuring')
    top.add_argument('--rounds', type=int, help='bursts of every contestant, 1 to 10000 (default 100); at least 20 for '
                     'good intervals')
    top.add_argument('--only', nargs='+', action='extend', default=[], metavar='GROUP',
                     help='measure these groups only, between spaces or commas (an unknown one lists them); bag, which '
                     'writes gigabytes to the disk, and python, which takes seconds a round, are left out unless they '
                     'are named')
    top.add_argument('--cpus', metavar='N,N', help='the two processors to use (default: the first two)')
    top.add_argument('--quick', action='store_true', help='3 rounds of short bursts, to see that everything works')
    return top


def checked(top):
    """The arguments, with `rounds` and `cpus` as numbers."""
    args = top.parse_args()
    args.rounds = (3 if args.quick else 100) if args.rounds is None else args.rounds
    if not 1 <= args.rounds <= 10000:
        top.error('--rounds: %d is not within 1 to 10000' % args.rounds)
    allowed = sorted(os.sched_getaffinity(0))
    try:
        args.cpus = [int(cpu) for cpu in args.cpus.split(',')] if args.cpus else allowed[:1] + allowed[:2][-1:]
    except ValueError:
        top.error('--cpus wants two processors, for example --cpus 0,1')
    if len(args.cpus) != 2:
        top.error('--cpus wants two processors, for example --cpus 0,1')
    for cpu in args.cpus:
        if cpu not in allowed:
            top.error('this process may not run on processor %d' % cpu)
    args.only = [name for words in args.only for name in words.split(',') if name]
    if args.source and not args.source.exists():
        top.error('--from: %s does not exist' % args.source)
    return args


def chosen(suites, only):
    """Those that are asked for: by name, or by what stands before the name's dot."""
    names = {suite['name'] for suite in suites} | {suite['name'].partition('.')[0] for suite in suites}
    for name in only:
        if name not in names:
            raise rounds.Failed('--only: there is no group %s; groups: %s' % (name, ', '.join(sorted(names))))
    if not only:
        return [suite for suite in suites if not (suite['disk'] or suite.get('named'))]
    return [suite for suite in suites if suite['name'] in only or suite['name'].partition('.')[0] in only]


def describe_machine(compiler):
    """What cannot be found out is 'unknown'."""
    sysfs = Sysfs()
    revision = ''
    with contextlib.suppress(OSError):  # there may be no git
        revision = subprocess.run(['git', 'describe', '--always', '--dirty'], capture_output=True, text=True,
                                  check=False).stdout.strip()
    flags = sysfs.read('/proc/cpuinfo') or ''
    found = {
        'cpu': facts.processor(sysfs), 'processors': len(facts.online(sysfs)),
        'kernel': ' '.join(os.uname()[index] for index in (0, 2, 4)),
        'governor': sysfs.read('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'),
        'clock_source': sysfs.read('/sys/devices/system/clocksource/clocksource0/current_clocksource'),
        # Other processors than x86 do not say.
        'virtualised': ('yes' if ' hypervisor' in flags else 'no') if 'flags' in flags else None,
        'load_before': os.getloadavg()[0], 'revision': revision, 'compiler': compiler}
    return {key: 'unknown' if value in (None, '') else value for key, value in found.items()}


@contextlib.contextmanager
def disk_folder(suites):
    """Where suites write that write to a disk: below TANDEM_BENCH_DISK or the working folder. Workers read the same
    variable. What a killed run has left is removed by the next one."""
    if not any(suite['disk'] for suite in suites):
        yield
        return
    parent = pathlib.Path(os.environ.get('TANDEM_BENCH_DISK') or '.').resolve()
    remove_folders(parent)
    with tempfile.TemporaryDirectory(prefix='tandem-lab-%d-' % os.getpid(), dir=parent) as folder:
        os.environ['TANDEM_BENCH_DISK'] = folder
        yield


def measure(args):
    program = paths.program('tandem_benchmark', 'bench_worker')
    if not program:
        raise rounds.Failed("the benchmark's worker is not installed: make build")
    told = subprocess.run([program, 'list', *(['quick'] if args.quick else [])], capture_output=True, text=True,
                          env={**os.environ, **paths.environment()}, check=False)
    if told.returncode != 0:
        raise rounds.Failed("the benchmark's worker lists no suites: %s" % told.stderr.strip())
    listed = json.loads(told.stdout)
    suites = chosen([*listed['suites'], *python_suites.listed()], args.only)
    if args.cpus[0] == args.cpus[1]:
        print('warning: both sides share one processor; the polling figures then show its scheduler', file=sys.stderr)
    result = {'format': 1, 'machine': describe_machine(listed['compiler']), 'settings': {
        'rounds': args.rounds, 'quick': args.quick, 'cpus': args.cpus,
        'middleware': os.environ.get('RMW_IMPLEMENTATION', 'rmw_tandem_cpp'),
        'qos': 'reliable, volatile, keep last 10', 'TANDEM_SPIN_US': 0},
        'started': time.strftime(STAMP, time.gmtime())}
    ticks, began = cpu_times(Sysfs()), time.monotonic()
    remove_folders()
    with contextlib.ExitStack() as stack:
        stack.enter_context(disk_folder(suites))
        folder = stack.enter_context(shared_memory_folder())
        teams, result['left_out'] = rounds.make_teams(program, suites, args, str(folder), stack)
        bursts = rounds.play(suites, teams, args.rounds)
    result['seconds'] = time.monotonic() - began
    now = cpu_times(Sysfs())
    result['machine']['stolen_percent'] = 100 * (now['steal'] - ticks['steal']) / max(now['total'] - ticks['total'], 1)
    result['series'], result['targets'] = figures.evaluate(suites, bursts)
    return result


def run(args):
    result = json.loads(args.source.read_text()) if args.source else measure(args)
    print(tables.render_terminal(result), end='')
    if args.output:
        tables.write_file(args.output, json.dumps(result, indent=1) + '\n')
    if args.markdown:
        tables.write_markdown(args.markdown, tables.render_markdown(result))
    return 0


def main():
    args = checked(parser())
    rounds.INTERRUPTS.catch()
    try:
        return run(args)
    except rounds.Interrupted as interrupted:
        print('interrupted', file=sys.stderr)
        return 128 + interrupted.args[0]
    except (rounds.Failed, OSError, ValueError) as error:
        print('error: %s' % error, file=sys.stderr)
    except (KeyError, TypeError) as error:
        print('error: %s is no result of bench: %r' % (args.source or "the worker's answer", error), file=sys.stderr)
    return 1
