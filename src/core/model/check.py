"""Checks the models with spin: each as it is must hold, and each mutant of it must be caught.

A model that passes with its mutants uncaught proves nothing, so both are one test. A mutant is caught when the first
property that it is found to violate is the one that it is listed with. Each search is complete: no depth limit, no
bitstate, and at most 2 GB for two at once. --mutants takes a random part of the mutants of each model, by the seed that
is printed; TANDEM_TEST_SEED repeats it. Writes a result file as gtest does.
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time
import xml.sax.saxutils

DEADLOCK = 'no_deadlock'

# Of each model: its mutants, the property that each violates, and bounds for the long form.
MODELS = {
    'ring': ({
        'NO_FENCE': 'no_reuse_while_held',
        'FILL_FIRST': 'right_message',
        'ACQUIRE_LOOK': 'no_reuse_while_held',
        'NO_LOOK': 'no_reuse_while_held',
        'RELAXED_PUBLISH': 'right_message',
        'RELEASE_EARLY': 'no_reuse_while_held',
    }, [['MESSAGES=8'], ['READERS=2', 'MESSAGES=3']]),
    'small': ({
        'NO_FENCE': 'right_message',
        'FILL_FIRST': 'right_message',
        'RELAXED_PUBLISH': 'right_message',
        'NO_LOOK': 'right_message',
        'LOOK_EARLY': 'right_message',
    }, [['MESSAGES=8']]),
    'threads': ({
        'NO_LOCK': 'no_false_alarm',
        'RELAXED_UNLOCK': 'no_false_alarm',
        'RELEASE_LOAD': 'no_false_alarm',
    }, [['MESSAGES=5']]),
    'sleep': ({
        'NO_W0': 'no_lost_wake_up',
        'NO_W3': 'no_lost_wake_up',
        'FLAG_LATE': 'no_lost_wake_up',
        'BELL_LATE': 'no_lost_wake_up',
        'HINT_LATE': 'no_lost_wake_up',
        'NO_N2': 'no_lost_wake_up',
        'CLEAR_LATE': 'no_lost_wake_up',
        'HINTS_ALONE': 'no_lost_wake_up',
        'NO_TICK': DEADLOCK,
        'NO_RING_ON_JOIN': 'no_lost_wake_up',
        'NO_HINT_ON_JOIN': 'no_lost_wake_up',
        'NO_RING_ON_ATTACH': 'no_lost_wake_up',
        'NO_FENCE_ON_ATTACH': 'no_lost_wake_up',
        'LOOK_BEFORE_ATTACH': 'no_lost_wake_up',
        'NO_RING_ON_WAKE': 'no_lost_wake_up',
    }, [['MESSAGES=2']]),
    'bias': ({
        'NO_MEMBARRIER': 'one_at_a_time',
        'NO_WAIT': 'one_at_a_time',
        'NO_LOOK': 'one_at_a_time',
        'CLAIM_LATE': 'one_at_a_time',
        'STAYS_INSIDE': DEADLOCK,
        'CLEARED': 'one_at_a_time',
    }, [['ROUNDS=5', 'CLAIMS=4']]),
    'space': ({
        'NO_S0': 'no_lost_wake_up',
        'NO_S1': 'no_lost_wake_up',
        'FLAG_LATE': 'no_lost_wake_up',
        'BELL_LATE': 'no_lost_wake_up',
        'FLAG_NOT_COUNTED': 'no_lost_wake_up',
        'NO_PROBE': 'no_lost_wake_up',
        'CLOSED_IS_OWED': 'no_lost_wake_up',
        'OWED_DEPTH': 'nothing_lost',
        'CURSOR_EARLY': 'nothing_lost',
    }, [['MORE=2'], ['LIMIT=2']]),
    'join': ({
        'NO_ACKNOWLEDGEMENT': 'no_reuse_while_held',
        'LOCK_LATE': 'alive_never_removed',
        'FORGET_REMNANT': 'no_reuse_while_held',
        'DROP_UNREADABLE': 'no_reuse_while_held',
        'DROP_RETAGGED': 'no_reuse_while_held',
        'OLD_SCAN': 'joins_in_the_end',
        'VERSION_LATE': 'joins_in_the_end',
        'NO_RING': 'leaves_in_the_end',
    }, [['ROUNDS=2']]),
    'close': ({
        'FREE_AT_CLOSE': 'no_use_after_free',
        'LOOK_AFTER_RELEASE': 'no_use_after_free',
        'CLOSE_UNLOCKED': 'no_use_after_free',
        'NO_RING': 'freed_in_the_end',
        'NO_TICK': 'freed_in_the_end',
    }, []),
    'history': ({
        'NO_HISTORY': 'whole_history',
        'ADD_UNLOCKED': 'nothing_lost',
        'OWED_WHEN_TAKEN_UP': 'nothing_lost',
        'START_AT_HEAD': 'nothing_lost',
        'LANE_FIRST': 'nothing_lost',
    }, [['MESSAGES=16', 'HISTORY=4']]),
    'death': ({
        'VALID_FIRST': 'whole_message',
        'END_AT_ONCE': 'nothing_lost',
        'LOOK_BEFORE_PROBE': 'nothing_lost',
        'TRUST_HEAD': 'nothing_lost',
    }, [['MESSAGES=12']]),
    'restart': ({
        'INCARNATION_FIRST': 'first_is_ones_own',
        'NO_INCARNATION': 'first_is_ones_own',
        'NO_PROBE': DEADLOCK,
        'KNOWN_BY_NAME': DEADLOCK,
        'FORGET_AT_ONCE': 'no_reuse_while_held',
    }, [['ROUNDS=4']]),
}


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def explore(spin, model, defines, work):
    """Returns (the property violated, '' for none, None when the search failed or was not complete; states; output)."""
    folder = work / '-'.join([model, *defines]).replace('=', '_')
    folder.mkdir(parents=True, exist_ok=True)
    source = next(pathlib.Path(__file__).parent.glob(f'*/{model}.pml'))
    code, output = run([spin, *['-D' + define for define in defines], '-a', str(source)], folder)
    if code != 0 or not (folder / 'pan.c').exists():
        return None, 0, output
    # A mutant is found within moments: compiling takes longer than searching.
    is_long = bool(defines) and '=' in defines[0]
    compiler = ['ccache', 'cc'] if shutil.which('ccache') else ['cc']
    options = ['-O2', '-DCOLLAPSE'] if is_long else ['-O0'] if defines else ['-O1']
    code, output = run([*compiler, *options, '-w', '-DSAFETY', '-DMEMLIM=950', '-o', 'pan', 'pan.c'], folder)
    if code != 0:
        return None, 0, output
    code, output = run(['./pan', '-m1000000', '-w24'], folder)
    states = re.search(r'(\d+) states, stored', output)
    if 'max search depth too small' in output or 'out of memory' in output or 'errors: ' not in output or not states:
        return None, 0, output
    violated = ''
    if 'errors: 0' not in output:
        named = re.search(r'assertion violated .*\|\|(\w+)\)', output)
        violated = named.group(1) if named else DEADLOCK if 'invalid end state' in output else 'unknown'
    return violated, int(states.group(1)), output


def evaluate(violated, wanted, output):
    if violated is None:
        return 'the search failed or was not complete:\n' + output
    if violated == wanted:
        return None
    if not wanted:
        return f'the model does not hold, {violated} is violated:\n' + output
    return f'the mutant violates {violated or "nothing"}, not {wanted}:\n' + output


def searches(long, part, choice):
    """(model, defines, the property that is to be violated): with this part of each model's mutants."""
    for model, (mutants, bounds) in MODELS.items():
        if long:
            yield from ((model, defines, '') for defines in bounds)
        else:
            yield model, [], ''
        chosen = choice.sample(sorted(mutants), math.ceil(part * len(mutants)))
        yield from ((model, [mutant], mutants[mutant]) for mutant in chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--spin', default='spin')
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--output', type=pathlib.Path)
    parser.add_argument('--long', action='store_true', help='larger bounds')
    parser.add_argument('--mutants', type=float, default=1, metavar='PART', help='of each model, from 0 to 1')
    parser.add_argument('--jobs', type=int, default=2)
    arguments = parser.parse_args()
    begin = time.monotonic()
    cases = []
    most = 0
    seed = int(os.environ.get('TANDEM_TEST_SEED') or random.randrange(1, 2**31))
    print(f'seed {seed} (TANDEM_TEST_SEED repeats it)', flush=True)
    todo = list(searches(arguments.long, arguments.mutants, random.Random(seed)))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = [(pool.submit(explore, arguments.spin, model, defines, arguments.work), model, defines, wanted)
                   for model, defines, wanted in todo]
        for future, model, defines, wanted in running:
            violated, states, output = future.result()
            most = max(most, states)
            failure = evaluate(violated, wanted, output)
            name = '.'.join([model, *defines]) if defines else model + '.holds'
            said = failure or f'{states} states' + (f', violates {violated}' if violated else '')
            cases.append((name, failure))
            print(f'{len(cases)}/{len(todo)} {time.monotonic() - begin:.0f} s '
                  f'{"FAILED" if failure else "ok"} {name}: {said}', flush=True)
    failures = sum(1 for _, failure in cases if failure)
    known = sum(len(mutants) for mutants, _ in MODELS.values())
    print(f'figures: {len(cases)} searches, with {sum(1 for *_, wanted in todo if wanted)} of {known} mutants, '
          f'{most} states in the largest, {failures} failed', flush=True)
    if arguments.output:
        write(arguments.output, cases)
    return 1 if failures else 0


def write(path, cases):
    path.parent.mkdir(parents=True, exist_ok=True)
    failures = sum(1 for _, failure in cases if failure)
    with path.open('w', encoding='utf-8') as out:
        out.write(f'<testsuites tests="{len(cases)}" failures="{failures}" errors="0">')
        out.write(f'<testsuite name="Model" tests="{len(cases)}" failures="{failures}" errors="0">')
        for name, failure in cases:
            quoted = xml.sax.saxutils.quoteattr((failure or '')[:2000])
            inner = f'<failure message={quoted}/>' if failure else ''
            out.write(f'<testcase name="{name}" classname="Model" status="run" time="0">{inner}</testcase>')
        out.write('</testsuite></testsuites>\n')


if __name__ == '__main__':
    sys.exit(main())
