#!/usr/bin/python3
"""Sums up what `make test` ran: failed and unstable tests with what they printed, times of the stages, and the count.

Usage: report.py LOG

Reads LOG/stages.tsv (name, seconds, seconds of processor, result) and what run.py left in LOG/tests. A test program
that wrote a file of results (JUnit's XML) counts with each of its cases, any other as one test.
"""

import datetime
import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

import judge
import times

TAIL_LINES = 40
MOST_UNSTABLE = 3  # more fail the run
MOST_OF_A_LINE = 200  # characters


@dataclass
class Cases:
    """What the cases of a file of results came to."""

    passed: int = 0
    skipped: int = 0
    failed: list = field(default_factory=list)  # (name, what failed)

    def add(self, other):
        self.passed += other.passed
        self.skipped += other.skipped
        self.failed += other.failed


def read_cases(path):
    """Cases of a JUnit file. One that is damaged, as a killed test leaves it, is a failed case."""
    cases = Cases()
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, OSError):
        cases.failed.append(('', f'the result file {path} is damaged'))
        return cases
    for case in root.iter('testcase'):
        problems = case.findall('failure') + case.findall('error')
        if problems:
            text = '\n'.join((p.get('message') or '') + '\n' + (p.text or '') for p in problems)
            cases.failed.append((f"{case.get('classname', '')}.{case.get('name', '')}", text))
        elif case.find('skipped') is not None or case.get('status') == 'notrun':
            cases.skipped += 1
        else:
            cases.passed += 1
    return cases


@dataclass
class Test:
    """A test program that was to be run, and what came of it."""

    number: str
    name: str
    group: str
    outcome: dict  # as one_test.py notes it
    output: str
    cases: Cases

    @property
    def failed(self):
        return self.outcome['result'] not in ('passed', 'skipped') or bool(self.cases.failed)

    @property
    def problems(self):
        """Texts of what failed in it."""
        return [f'{name}\n{text}' if name else text for name, text in self.cases.failed]

    @property
    def fault(self):
        """Why it is not run again though it failed; None if it may be."""
        return judge.fault(self.outcome, self.output, self.problems)

    def counts(self):
        """Its cases; one without, and one that failed after its cases had passed, are a case themselves."""
        cases = Cases(self.cases.passed, self.cases.skipped,
                      [(f'{self.name}: {name}' if name else self.name, text) for name, text in self.cases.failed])
        if self.failed and not cases.failed:
            cases.failed.append((self.name, f"{self.outcome['result']}, exit status {self.outcome['status']}"))
        elif not self.failed and not (cases.passed or cases.skipped):
            cases.skipped += self.outcome['result'] == 'skipped'
            cases.passed += self.outcome['result'] == 'passed'
        return cases


def read_test(path):
    """The test that run.py described in this file. One without an outcome was never ended."""
    test = json.loads(path.read_text())
    noted = path.with_suffix('.result')
    outcome = json.loads(noted.read_text()) if noted.exists() else {'result': 'not run', 'status': None, 'seconds': 0,
                                                                    'processor': 0, 'memory': 0}
    printed = path.with_suffix('.txt')
    cases = Cases()
    for results in test['results']:
        if noted.exists() and os.path.exists(results):
            cases.add(read_cases(results))
    return Test(path.stem, test['name'], test['group'], outcome,
                printed.read_text(errors='replace') if printed.exists() else '', cases)


def read_tests(folder):
    return [read_test(path) for path in sorted(folder.glob('*.json'), key=lambda path: int(path.stem))]


def indented(lines):
    return ''.join(f'    {line}\n' for line in lines)


def excerpt(problem, output):
    """What failed first, then the end of what the program printed."""
    text = indented(problem.strip().splitlines()[:TAIL_LINES])
    end = output.rstrip().splitlines()[-TAIL_LINES:]
    if text and end:
        text += '    ...\n'
    return text + indented(end)


def reason(problem):
    """What went wrong in a line: pytest's first line of that, else the last line."""
    lines = [line.strip() for line in problem.strip().splitlines()] or ['']
    marked = [line[1:].strip() for line in lines if line.startswith('E ')]
    return (marked[0] if marked else lines[-1])[:MOST_OF_A_LINE]


class Summary:
    """All that was run, by stage; that of the tests by group."""

    def __init__(self, logs):
        self.logs = logs
        self.stages = times.read_stages(logs)
        self.tests = read_tests(logs / 'tests')
        self.unstable = [test for test in self.tests if 'unstable' in test.outcome]
        self.total = Cases()
        self.rows = []  # (stage or group, its cases)
        self._outputs = {}  # of what failed
        for stage in self.stages:
            self._add_stage(stage)
        if not self.stages:
            self._fail(self.total, 'nothing was run', '')
        if os.environ.get('TANDEM_LINT_FAILED', '0') != '0':
            self._fail(self.total, 'lint', 'see its output above')
        if len(self.unstable) > MOST_UNSTABLE:
            self._fail(self.total, f'{len(self.unstable)} unstable tests', f'more than {MOST_UNSTABLE}')

    def _add_stage(self, stage):
        """Adds its cases. A stage without cases is one itself, and so is one that failed without a failed case."""
        cases = Cases()
        results = self.logs / f'{stage.name}.xml'
        if results.exists():
            cases = read_cases(results)
        elif stage.name == 'tests':
            for group in dict.fromkeys(test.group for test in self.tests):
                self.rows.append((group, self._cases_of_group(group)))
                cases.add(self.rows[-1][1])
        elif not stage.failed:
            cases.passed = 1
        if stage.failed and not cases.failed:
            log = self.logs / f'{stage.name}.log'
            self._fail(cases, f'stage {stage.name}', '', log.read_text(errors='replace') if log.exists() else '')
        self.rows.append((stage.name, cases))
        self.total.add(cases)

    def _cases_of_group(self, group):
        cases = Cases()
        for test in self.tests:
            if test.group == group:
                counts = test.counts()
                cases.add(counts)
                self._outputs.update((name, test.output) for name, _ in counts.failed[:1])
        return cases

    def _fail(self, cases, name, problem, output=''):
        cases.failed.append((name, problem))
        self._outputs[name] = output

    def print_failures(self):
        for name, problem in self.total.failed:
            print(f'\nFAILED {name}\n{excerpt(problem, self._outputs.get(name, ""))}', end='')

    def print_reasons(self):
        """Once more at the end, a line each: of a log that is shown elsewhere that is often all one gets to see."""
        for name, problem in self.total.failed:
            print(f'failed: {name}: {reason(problem)}')
        for test in self.unstable:
            print(f'unstable: {test.name}: {reason(chr(10).join(test.outcome["unstable"]))}')

    def print_unstable(self):
        for test in self.unstable:
            first = (self.logs / 'tests' / f'{test.number}.first.txt').read_text(errors='replace')
            seeds = ''.join(f' ({seed})' for seed in judge.seeds(first))
            print(f'\nUNSTABLE {test.name}{seeds}: failed, and passed when run again\n'
                  f'{excerpt(chr(10).join(test.outcome["unstable"]), first)}', end='')
        if self.unstable:
            with (self.logs / 'unstable.txt').open('a') as kept:
                for test in self.unstable:
                    first = ' '.join(' '.join(test.outcome['unstable']).split())[:200]
                    kept.write(f'{datetime.date.today()}  {test.name}  {first}\n')

    def print_table(self):
        minutes = {stage.name: stage.seconds / 60 for stage in self.stages}
        print(f"\n{'stage':<14}{'minutes':>8}{'passed':>8}{'failed':>8}{'skipped':>8}")
        for name, cases in self.rows:
            time = f'{minutes[name]:>8.1f}' if name in minutes else ' ' * 8
            print(f'{name:<14}{time}{cases.passed:>8}{len(cases.failed):>8}{cases.skipped:>8}')
        print(f"{'all':<14}{sum(minutes.values()):>8.1f}")


def main():
    logs = Path(sys.argv[1])
    summary = Summary(logs)
    summary.print_failures()
    summary.print_unstable()
    summary.print_table()
    (logs / 'times.txt').write_text(times.page(logs, summary.stages, summary.tests))
    print(f'times of stages, tests and compile units: {logs}/times.txt')
    if summary.unstable:
        print(f'{len(summary.unstable)} unstable, kept in {logs}/unstable.txt')
    summary.print_reasons()
    line = f'{summary.total.passed} passed, {len(summary.total.failed)} failed'
    if summary.total.skipped:
        line += f', {summary.total.skipped} skipped'
    (logs / 'summary.txt').write_text(line + '\n')
    print(line, flush=True)
    return 1 if summary.total.failed else 0


if __name__ == '__main__':
    sys.exit(main())
