"""Where the time of `make test` went: stages, tests, compile units; and how much random tests ran."""

import re
from dataclasses import dataclass
from pathlib import Path

LONGEST = 40


@dataclass
class Stage:
    """A part of the run."""

    name: str
    seconds: float
    processor: float  # seconds, all cores together
    failed: bool
    began: float  # seconds since the epoch


def read_stages(logs):
    table = logs / 'stages.tsv'
    stages = []
    for line in table.read_text().splitlines() if table.exists() else []:
        name, seconds, processor, result = line.split('\t')
        started = logs / f'{name}.started'
        stages.append(Stage(name, float(seconds), float(processor), result != '0',
                            started.stat().st_mtime if started.exists() else 0))
    return stages


def jobs(build, since):
    """(seconds, what was made) of ninja's jobs that ended after `since`, as its logs have them."""
    found = []
    for log in sorted([*build.glob('*/.ninja_log'), *build.glob('*/*/.ninja_log')]):
        latest = {}
        for line in log.read_text(errors='replace').splitlines()[1:]:
            began, ended, made, output, _ = line.split('\t')
            if int(made) / 1e9 > since or int(made) == 0:
                latest[output] = (int(ended) - int(began)) / 1000
        if log.stat().st_mtime > since:
            found += [(seconds, f'{log.parent.relative_to(build)}/{output}') for output, seconds in latest.items()]
    return found


def short(path):
    """CMakeFiles/ros2.dir/src/talk.cpp.o as ros2/src/talk.cpp."""
    return re.sub(r'CMakeFiles/(.+?)\.dir/', r'\1/', path).removesuffix('.o')


def page(logs, stages, tests):
    """The page, as text."""
    lines = ['Stages: minutes, and minutes of processor', '']
    for stage in stages:
        lines.append(f'{stage.seconds / 60:8.1f}{stage.processor / 60:8.1f}  {stage.name}')
    ran = sorted(tests, key=lambda test: -test.outcome['seconds'])
    seconds = sum(test.outcome['seconds'] for test in ran)
    processor = sum(test.outcome['processor'] for test in ran)
    lines += ['', f'Tests: {len(ran)} programs, {seconds:.0f} s one after the other, {processor:.0f} s of processor. '
              'The longest: seconds, of processor, MiB', '']
    for test in ran[:LONGEST]:
        outcome = test.outcome
        lines.append(f"{outcome['seconds']:8.1f}{outcome['processor']:8.1f}{outcome['memory']:6}  {test.name}")
    samples = [(test.name, line.removeprefix('figures: ')) for test in tests for line in test.output.splitlines()
               if line.startswith('figures: ')]
    lines += ['', 'How much the tests ran that take a sample (make torture takes all)', '']
    lines += [f'  {name}: {figures}' for name, figures in samples]
    compiled = [job for job in jobs(Path('build'), min((stage.began for stage in stages), default=0))
                if job[1].endswith(('.o', '.gch'))]
    lines += ['', f'Compile units: {len(compiled)} made, {sum(job[0] for job in compiled):.0f} s. The longest: seconds',
              '']
    lines += [f'{seconds:8.1f}  {short(output)}' for seconds, output in sorted(compiled, reverse=True)[:LONGEST]]
    packages = {}
    for spent, output in compiled:
        package = output.split('/')[0]
        packages[package] = packages.get(package, 0) + spent
    lines += ['', 'Build folders: seconds of compiling', '']
    longest = sorted(packages.items(), key=lambda entry: -entry[1])[:LONGEST]
    lines += [f'{spent:8.1f}  {package}' for package, spent in longest]
    return '\n'.join(lines) + '\n'
