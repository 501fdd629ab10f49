#!/usr/bin/python3
"""Sums up what `make test` ran: time of each stage, failed tests with the end of their output, and the count.

Usage: test_report.py LOG_FOLDER

Reads LOG_FOLDER/stages.tsv (name, seconds, result) and, for each stage, the result files that are newer than
LOG_FOLDER/<stage>.started: CTest's own, and the gtest, pytest and ament files (all of them JUnit's XML).
A test program that wrote such a file counts with each of its cases, any other as one test.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

TAIL_LINES = 40


@dataclass
class Outcome:
    """Results of one stage or of all."""

    passed: int = 0
    skipped: int = 0
    failed: list = field(default_factory=list)  # (name, what failed, output of the program)

    def add(self, other):
        self.passed += other.passed
        self.skipped += other.skipped
        self.failed += other.failed


def parse(path):
    """Root element of an XML file; None when it is damaged, as a killed test leaves it."""
    try:
        return ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, OSError):
        return None


def read_cases(path, suite):
    """Outcome of a JUnit file, case by case."""
    outcome = Outcome()
    root = parse(path)
    if root is None:
        outcome.failed.append((f'{suite}', f'the result file {path} is damaged', ''))
        return outcome
    for case in root.iter('testcase'):
        name = f"{suite}: {case.get('classname', '')}.{case.get('name', '')}"
        problems = case.findall('failure') + case.findall('error')
        if problems:
            text = '\n'.join((p.get('message') or '') + '\n' + (p.text or '') for p in problems)
            outcome.failed.append((name, text, ''))
        elif case.find('skipped') is not None or case.get('status') == 'notrun':
            outcome.skipped += 1
        else:
            outcome.passed += 1
    return outcome


def state_of(status, completion):
    """'passed', 'failed' or 'skipped'. A program that could not be run, for whatever reason, failed."""
    if status in ('run', 'passed'):
        return 'passed'
    return 'skipped' if status == 'disabled' or completion.startswith(('SKIP_', 'Disabled')) else 'failed'


def programs_of_dashboard(build):
    """(name, state, output, command line) of each CTest test that `colcon test` ran in a build folder."""
    tag = build / 'Testing' / 'TAG'
    root = parse(build / 'Testing' / tag.read_text().splitlines()[0] / 'Test.xml')
    if root is None:
        yield 'ctest', 'failed', f'{build} has no readable result of CTest', ''
        return
    for test in root.iterfind('Testing/Test'):
        output = ''.join(v.text or '' for v in test.iterfind('Results/Measurement/Value'))
        completion = test.findtext("Results/NamedMeasurement[@name='Completion Status']/Value") or ''
        yield (test.findtext('Name'), state_of(test.get('Status'), completion), output,
               test.findtext('FullCommandLine') or '')


def programs_of_junit(path):
    """The same of a file that `ctest --output-junit` wrote; it has no command lines."""
    root = parse(path)
    if root is None:
        yield 'ctest', 'failed', f'{path} is damaged', ''
        return
    for test in root.iter('testcase'):
        skipped = test.find('skipped')
        completion = skipped.get('message', '') if skipped is not None else ''
        yield test.get('name'), state_of(test.get('status'), completion), test.findtext('system-out') or '', ''


def stem(path):
    """Name of the test that wrote a result file: `ring.gtest.xml` is of `ring`."""
    return path.name.split('.')[0]


def collect(build, programs, newer_than, label):
    """Outcome of one build folder."""
    outcome = Outcome()
    files = [f for f in (build / 'test_results').rglob('*.xml') if f.stat().st_mtime >= newer_than]
    cases_of = {}
    for file in files:
        cases_of[file] = read_cases(file, f'{label}/{stem(file)}')
        outcome.add(cases_of[file])
    for name, state, output, command in programs:
        # A program's result file bears its name, or stands in its command line.
        cases = next((cases_of[f] for f in files if stem(f) == name or f.name in command), None)
        if state == 'failed' and (cases is None or not cases.failed):
            outcome.failed.append((f'{label}/{name}', '', output))
        elif state == 'failed':
            # Its cases are counted; show what the program printed with the first of them.
            index = outcome.failed.index(cases.failed[0])
            outcome.failed[index] = (*cases.failed[0][:2], output)
        elif cases is None and state == 'passed':
            outcome.passed += 1
        elif cases is None:
            outcome.skipped += 1
    return outcome


def collect_stage(stage, newer_than):
    """Outcome of a stage by its name; stages without result files have none."""
    outcome = Outcome()
    if stage == 'packages':
        for build in sorted(p.parent for p in Path('build').glob('*/Testing') if not p.parent.name.startswith('core-')):
            if (build / 'Testing' / 'TAG').is_file() and (build / 'Testing' / 'TAG').stat().st_mtime >= newer_than:
                outcome.add(collect(build, list(programs_of_dashboard(build)), newer_than, build.name))
    elif stage == 'house':
        outcome.add(collect(Path('build/house'), [], newer_than, stage))
    else:
        # One package at the top of the stage's folder, or several below it.
        folder = Path('build', stage)
        for junit in sorted([*folder.glob('ctest.xml'), *folder.glob('*/ctest.xml')]):
            if junit.stat().st_mtime >= newer_than:
                label = str(junit.parent.relative_to('build'))
                outcome.add(collect(junit.parent, list(programs_of_junit(junit)), newer_than, label))
    return outcome


def indented(lines):
    return ''.join(f'    {line}\n' for line in lines)


def excerpt(problem, output):
    """What failed first, then the end of what the program printed."""
    text = indented(problem.strip().splitlines()[:TAIL_LINES])
    end = output.rstrip().splitlines()[-TAIL_LINES:]
    if text and end:
        text += '    ...\n'
    return text + indented(end)


def stage_outcome(logs, stage, result):
    """A stage that failed without a failed test is a failure itself; one without tests that went well, a pass."""
    outcome = collect_stage(stage, (logs / f'{stage}.started').stat().st_mtime)
    counted = outcome.passed + outcome.skipped + len(outcome.failed)
    if result != '0' and not outcome.failed:
        outcome.failed.append((f'stage {stage}', '', (logs / f'{stage}.log').read_text(errors='replace')))
    elif result == '0' and counted == 0:
        outcome.passed += 1
    return outcome


def main():
    logs = Path(sys.argv[1])
    total = Outcome()
    rows = []
    for line in (logs / 'stages.tsv').read_text().splitlines():
        stage, seconds, result = line.split('\t')
        outcome = stage_outcome(logs, stage, result)
        total.add(outcome)
        rows.append((stage, int(seconds) / 60, outcome))
    if os.environ.get('TANDEM_LINT_FAILED', '0') != '0':
        total.failed.append(('lint', 'see its output above', ''))

    for name, problem, output in total.failed:
        print(f'\nFAILED {name}\n{excerpt(problem, output)}', end='')
    print(f"\n{'stage':<14}{'minutes':>8}{'passed':>8}{'failed':>8}{'skipped':>8}")
    for stage, minutes, outcome in rows:
        print(f'{stage:<14}{minutes:>8.1f}{outcome.passed:>8}{len(outcome.failed):>8}{outcome.skipped:>8}')
    print(f"{'all':<14}{sum(r[1] for r in rows):>8.1f}")
    summary = f'{total.passed} passed, {len(total.failed)} failed'
    if total.skipped:
        summary += f', {total.skipped} skipped'
    (logs / 'summary.txt').write_text(summary + '\n')
    print(summary, flush=True)
    return 1 if total.failed else 0


if __name__ == '__main__':
    sys.exit(main())
