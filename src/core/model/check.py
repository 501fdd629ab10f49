"""Checks the models with spin: each as it is must hold, and each mutant of it must be caught.

A model that passes with its mutants uncaught proves nothing, so both are one test. Writes a result file as gtest does.
"""
import argparse
import pathlib
import subprocess
import sys
import xml.sax.saxutils

MODELS = {
    'ring': ['NO_FENCE', 'FILL_FIRST', 'EARLY_LOOK', 'NO_LOOK'],
    'sleep': ['FLAG_LATE', 'NO_PUBLISHER_FENCE', 'NO_READER_FENCE', 'BELL_LATE', 'NO_RING_ON_JOIN'],
    'join': ['NO_ACKNOWLEDGEMENT', 'FORGET_REMNANT', 'LOCK_LATE'],
}


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def explore(spin, model, mutant, work):
    """Returns (errors found, or None when the search itself failed; its output)."""
    folder = work / (model + '-' + (mutant or 'good'))
    folder.mkdir(parents=True, exist_ok=True)
    source = pathlib.Path(__file__).parent / (model + '.pml')
    define = ['-D' + mutant] if mutant else []
    code, output = run([spin, *define, '-a', str(source)], folder)
    if code != 0 or not (folder / 'pan.c').exists():
        return None, output
    code, output = run(['cc', '-O1', '-DSAFETY', '-DVECTORSZ=2048', '-o', 'pan', 'pan.c'], folder)
    if code != 0:
        return None, output
    code, output = run(['./pan', '-m200000', '-w22'], folder)
    if 'max search depth too small' in output or 'errors: ' not in output:
        return None, output
    return int(output.split('errors: ')[1].split()[0]), output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--spin', default='spin')
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--output', type=pathlib.Path)
    arguments = parser.parse_args()
    cases = []
    for model, mutants in MODELS.items():
        for mutant in [None, *mutants]:
            errors, output = explore(arguments.spin, model, mutant, arguments.work)
            name = f'{model}.{mutant or "holds"}'
            failure = None
            if errors is None:
                failure = 'the search failed:\n' + output
            elif mutant and errors == 0:
                failure = 'the mutant was not caught'
            elif not mutant and errors != 0:
                failure = 'the model does not hold:\n' + output
            print(f'{"FAILED" if failure else "ok":7}{name}' + (': ' + failure if failure else ''), flush=True)
            cases.append((name, failure))
    if arguments.output:
        write(arguments.output, cases)
    return 1 if any(failure for _, failure in cases) else 0


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
