"""From the folder of a run to analysis.json: everything that the report shows. See docs/reference/lab.md.

What is missing or damaged is left out and said: an analysis can be made of any run, interrupted, failed or empty.
"""

import json
import math
import os
import re
import sys
from collections import Counter
from pathlib import Path

from tandem_lab.analysis import chart_data, sample_charts, study_figures, verdict
from tandem_lab.analysis.metrics import Reader
from tandem_lab.analysis.section_tables import tables
from tandem_lab.results import records

LARGEST_SAMPLES = 4_000_000  # bytes of analysis.json that charts of raw samples may take, about
POINT_BYTES = 24
MOST_COMMANDS = 6
FIGURE_CHARTS = {'by_point': chart_data.by_point, 'bars': chart_data.bars, 'by_layer': chart_data.by_layer,
                 'by_percentile': chart_data.by_percentile}


def build(folder):
    """The analysis of a run's folder, a dict. Raises records.RunError when the folder is no run."""
    run = records.load(folder)
    reader = Reader(run)
    sections, verdicts = [], []
    buckets = _buckets(run)
    for experiment in run.experiments:
        section, found = _section(reader, experiment, buckets)
        sections.append(section)
        verdicts += found
    return _strict({
        'schema': 1, 'run': _run(run, reader),
        'machine': {name: run.machine[name] if isinstance(run.machine.get(name), list) else []
                    for name in ('facts', 'findings', 'settings')},
        'contestants': [_contestant(entry) for entry in run.contestants.values()],
        'headline': verdict.headline(run, verdicts), 'verdict': verdicts, 'sections': sections,
        'failures': _failures(run), 'absent': _absent(run)})


def analyse(folder):
    """Builds and writes analysis.json, replaced as a whole. Returns what is in it."""
    analysis = build(folder)
    path = Path(folder) / 'analysis.json'
    new = path.with_suffix('.json.new')
    new.write_text(json.dumps(analysis, ensure_ascii=False, allow_nan=False, separators=(',', ':')) + '\n')
    os.replace(new, path)
    return analysis


def _strict(value):
    """Without NaN and infinity, which JSON does not have; keys are text."""
    if isinstance(value, dict):
        return {str(key): _strict(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _run(run, reader):
    statuses = Counter(trial['status'] for trial in run.trials)
    here = {name for name, entry in run.contestants.items() if not entry.get('reason')}
    expected = sum(len(e.points()) * e.repetitions * len(here & set(e.contestants)) for e in run.experiments)
    measured = sum(trial['pass'] == 'measure' for trial in run.trials)
    info = {'id': '', 'title': '', 'suite': '', 'started': '', 'finished': '', 'command': '', 'seed': None, **run.info}
    problems = run.problems + reader.problems
    missing = expected - measured
    if not run.trials:
        problems = ['Nothing was measured in this run.', *problems]
    elif not run.info.get('complete', missing <= 0):
        problems = [f'This run was not finished: {missing} of {expected} trials were not measured.' if missing > 0 else
                    'This run was not finished.', *problems]
    broken = statuses['failed'] + statuses['timeout']
    if broken:
        problems.append(f'{broken} of {len(run.trials)} trials failed or were ended after their time.')
    info['complete'] = bool(run.info.get('complete', missing <= 0)) and bool(run.trials)
    info['trials'] = {status: statuses[status] for status in records.STATUSES}
    info['expected'], info['problems'] = expected, problems
    return info


def _contestant(entry):
    return {key: str(entry.get(key) or '') for key in ('id', 'title', 'kind', 'version', 'settings', 'reason')}


def _buckets(run):
    """Into how many stretches a curve of raw samples is divided, so that all of them together stay small."""
    curves = 0
    for experiment in run.experiments:
        kinds = [str(c.get('kind')) for c in experiment.charts if isinstance(c, dict)]
        lines = sum(kind in sample_charts.LINES for kind in kinds)
        curves += lines * len(experiment.contestants) * len(experiment.points())
    # Two points and half a stretch of the band for each.
    return int(min(max(LARGEST_SAMPLES / (POINT_BYTES * 3 * max(curves, 1)), 40), 250))


def _section(reader, experiment, buckets):
    charts, caveats = [], []
    for chart in experiment.charts:
        try:
            made = list(_charts(reader, experiment, chart, buckets))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            caveats.append(f'A chart could not be made ({chart!r}): {error!r}.')
            continue
        for charted, omitted in made:
            charted['id'] = f'{experiment.name}-{len(charts) + 1}'
            charts.append({**charted, 'omitted': omitted, 'csv': f'charts/{charted["id"]}.csv'})
    ranked = verdict.rankings(reader, experiment)
    section = {
        'id': experiment.name, 'title': experiment.title or experiment.name, 'question': experiment.question,
        'source': experiment.source, 'method': experiment.method, 'commands': _commands(reader.run, experiment),
        'caveats': caveats + _caveats(reader, experiment), 'charts': charts, 'ranking': [one for one, _ in ranked],
        'tables': tables(reader, experiment, charts)}
    reader.forget_all()
    return section, [one for _, one in ranked]


def _commands(run, experiment):
    """Of one trial, for all: programs without the folders that they happen to lie in."""
    trials = run.of(experiment.name)
    trial = next((t for t in trials if t['status'] == 'ok' and t['commands']), trials[0] if trials else None)
    commands = dict.fromkeys(map(str, trial['commands'])) if trial else ()
    found = [re.sub(r'(?<!\S)/\S*/(?=[^/\s])', '', command) for command in commands]
    more = len(found) - MOST_COMMANDS
    return [*found[:MOST_COMMANDS], f'... and {more} more'] if more > 0 else found


def _charts(reader, experiment, chart, buckets):
    if chart['kind'] in FIGURE_CHARTS:
        return FIGURE_CHARTS[chart['kind']](reader, experiment, chart)
    if chart['kind'] == 'boxes':
        return sample_charts.boxes(reader, experiment, chart)
    return sample_charts.lines(reader, experiment, chart, buckets)


def _caveats(reader, experiment):
    """What a reader must know before believing this section."""
    found = []
    trials = reader.run.of(experiment.name)
    if not trials:
        return ['Nothing was measured for this section.']
    if experiment.repetitions < 3:
        found.append('Fewer than three repetitions: no intervals, so nothing is ranked.')
    elif experiment.repetitions < 6:
        found.append('Three to five repetitions: intervals are wide, and may miss that a system has two modes.')
    for status, words in (('failed', 'failed'), ('timeout', 'were ended after their time')):
        for name, count in Counter(t['contestant'] for t in trials if t['status'] == status).items():
            tried = sum(t['contestant'] == name for t in trials)
            found.append(f'{reader.run.title(name)}: {count} of {tried} trials {words}'
                         + ('; its figures are of the others.' if count < tried else '.'))
    for figure, words in (('torn', 'torn messages: what was read is not what was written'),
                          ('lost', 'lost messages, which have no latency')):
        for name, count in _sums(trials, figure).items():
            found.append(f'{reader.run.title(name)}: {count:,} {words}.')
    notes = Counter((t['contestant'], str(note)) for t in trials for note in t['notes'])
    everybody = {t['contestant'] for t in trials if t['status'] == 'ok'}
    for note in dict.fromkeys(note for _, note in notes):
        named = [reader.run.title(name) for name, text in notes if text == note]
        found.append(note if len(named) == len(everybody) else f'{", ".join(named)}: {note}')
    return found


def _sums(trials, figure):
    """Of each contestant that has some."""
    total = Counter()
    for trial in trials:
        value = trial['figures'].get(figure)
        if isinstance(value, (int, float)) and math.isfinite(value) and value > 0:
            total[trial['contestant']] += int(value)
    return total


def _failures(run):
    found = Counter()
    for trial in run.trials:
        if trial['status'] in ('failed', 'timeout'):
            point = json.dumps(trial['point'], default=str)
            found[trial['experiment'], trial['contestant'], point, trial['status'], trial['reason']] += 1
    names = ('experiment', 'contestant', 'point', 'status', 'reason')
    failures = [{**dict(zip(names, key)), 'count': count} for key, count in found.items()]
    return [{**one, 'point': json.loads(one['point'])} for one in failures]


def _absent(run):
    """Who could not run here, beside what the studies measured of them."""
    measured = {trial['contestant'] for trial in run.trials if trial['status'] == 'ok'}
    found = []
    for name, entry in run.contestants.items():
        if entry.get('reason') and name not in measured:
            found.append({'contestant': name, 'title': run.title(name), 'reason': str(entry['reason']),
                          'studies': study_figures.of_contestant(name)})
    return found


if __name__ == '__main__':
    analyse(sys.argv[1])
