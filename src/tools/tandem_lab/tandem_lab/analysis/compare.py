"""`tandem lab compare A B`: what changed from run A to run B, for people and for CI.

Rows are those of the rankings: experiment, point, contestant and the metric that the experiment ranks by. A row has
changed when the intervals do not overlap and it is better or worse by more than the threshold: a factor beyond
1 + threshold, so that 10 % faster and 10 % slower are as far away. A trial that had a figure in A and fails in B is
worse as well. Floors are the machine: when they change, so did that, and what they say decides nothing.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

from tandem_lab.analysis import analysis
from tandem_lab.analysis.chart_data import amount
from tandem_lab.analysis.facets import described
from tandem_lab.results import records
from tandem_lab.results.statistics import Estimate, finite, overlap, ratio

VERDICTS = ('worse', 'better', 'same', 'unknown')
VOLATILE = ('memory', 'shared memory')  # facts whose second half changes all the time


@dataclass
class Row:
    experiment: str
    contestant: str
    point: dict
    metric: str
    unit: str
    better: str
    a: Estimate
    b: Estimate | None
    verdict: str  # one of VERDICTS
    reason: str = ''
    reference: bool = False

    @property
    def change(self):
        """How many times as large B is as A; None when it has no figure."""
        return ratio(self.b, self.a) if self.b else None


@dataclass
class Comparison:
    a: str
    b: str
    threshold: float
    warnings: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    error: str = ''  # why they cannot be compared
    titles: dict = field(default_factory=dict)  # of contestants

    @property
    def status(self):
        """Exit status: 0 nothing is worse, 1 something is, 2 they cannot be compared."""
        if self.error:
            return 2
        return 1 if any(row.verdict == 'worse' and not row.reference for row in self.rows) else 0


def compare(a, b, threshold=10.0):
    """a, b: folders of runs, or their analysis.json. threshold in percent. Never raises for what is in them."""
    found = Comparison(str(a), str(b), threshold)
    try:
        if not 0 <= threshold < float('inf'):
            raise records.RunError(f'the threshold {threshold} is no percentage')
        one, other = _analysis(a), _analysis(b)
        found.warnings = _warnings(one, other)
        found.titles = {c['id']: c['title'] for document in (one, other) for c in document['contestants']}
        found.rows = _rows(one, other, 1 + threshold / 100)
    except records.RunError as error:
        found.error = str(error)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        found.error = f'an analysis.json is not as it should be ({error!r}); make the report of both runs again'
    if not found.error and not found.rows:
        found.error = 'the two runs have no experiment, point and contestant in common that was ranked'
    elif not found.error and all(row.verdict == 'unknown' for row in found.rows):
        found.error = 'no row has three repetitions in both runs: nobody can tell a change from chance'
    return found


def _analysis(where):
    """From the trials when they are there, since analysis.json may be older than they are."""
    path = Path(where)
    if path.is_dir() and not (path / 'results.jsonl').exists() and (path / 'analysis.json').exists():
        path = path / 'analysis.json'
    if path.is_dir() or not path.exists():
        return analysis.build(path)
    try:
        document = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise records.RunError(f'{path} cannot be read: {error}') from error
    if not isinstance(document, dict) or document.get('schema') != 1 or 'sections' not in document:
        raise records.RunError(f'{path} is no analysis of a run')
    return document


def _facts(document):
    facts = {}
    for fact in document['machine'].get('facts', []):
        value = str(fact.get('value'))
        facts[fact.get('name')] = value.split(',')[0] if fact.get('name') in VOLATILE else value
    return facts


def _warnings(one, other):
    found = []
    mine, theirs = _facts(one), _facts(other)
    for name in {**mine, **theirs}:
        if mine.get(name) != theirs.get(name):
            found.append(f'different machines: {name} is {mine.get(name, "not known")} in A, '
                         f'{theirs.get(name, "not known")} in B')
    versions = [{c['id']: c for c in document['contestants']} for document in (one, other)]
    for name in versions[0].keys() & versions[1].keys():
        for what in ('version', 'settings'):
            if versions[0][name].get(what) != versions[1][name].get(what):
                found.append(f'{versions[0][name]["title"]}: {what} {versions[0][name].get(what) or "not known"} in A, '
                             f'{versions[1][name].get(what) or "not known"} in B')
    if one['run'].get('suite') != other['run'].get('suite'):
        found.append(f'different suites: {one["run"].get("suite")} and {other["run"].get("suite")}')
    for label, document in (('A', one), ('B', other)):
        if not document['run'].get('complete'):
            found.append(f'{label} was not finished')
    return sorted(found)


def _ranked(document):
    """{key: (ranking, row)} of all rows."""
    found = {}
    for section in document['sections']:
        for ranking in section['ranking']:
            for row in ranking['rows']:
                key = (section['id'], records.key_of(ranking['point']), row['contestant'], ranking['metric'])
                found[key] = ranking, row
    return found


def _estimate(row):
    if not finite([row['value']]):
        raise ValueError(f'{row["value"]!r} is no figure')
    limits = finite([row.get('low'), row.get('high')])
    low, high = limits if len(limits) == 2 else (None, None)
    return Estimate(float(row['value']), low, high, row['n'])


def _rows(one, other, factor):
    mine, theirs = _ranked(one), _ranked(other)
    failures = {(f['experiment'], records.key_of(f['point']), f['contestant']): f for f in other['failures']}
    rows = []
    for key, (ranking, row) in mine.items():
        failed = failures.get(key[:3])
        if key not in theirs and not failed:
            continue
        found = Row(key[0], key[2], ranking['point'], ranking['metric'], ranking['unit'], ranking['better'],
                    _estimate(row), None, 'worse', reference=bool(row.get('reference')))
        if key in theirs:
            found.b = _estimate(theirs[key][1])
            found.verdict = verdict(found.a, found.b, ranking['better'], factor)
        else:
            found.reason = f'has no figure any more: {failed["status"]}: {failed["reason"]}'
        rows.append(found)
    return rows


def verdict(a, b, better, factor):
    """'worse', 'better', 'same' or 'unknown' of two Estimates."""
    together = overlap(a, b)
    if together is None:
        return 'unknown'
    # Compared without dividing, so that 0 is a figure like others.
    small, large = sorted((abs(a.value), abs(b.value)))
    if together or large <= small * factor:
        return 'same'
    return 'worse' if (b.value > a.value) == (better == 'lower') else 'better'


def _line(row, titles):
    point = described(row.point)
    where = f'{row.experiment:<20} {titles.get(row.contestant, row.contestant):<26} {point:<28}'
    if row.b is None:
        return f'{where} {row.reason}'
    change = row.change
    times = '' if change is None else f'x {change.value:.3g}'
    if change is not None and change.low is not None:
        times += f' ({change.low:.3g} to {change.high:.3g})'
    return f'{where} {row.metric} {amount(row.a.value, row.unit)} -> {amount(row.b.value, row.unit)}  {times}'.rstrip()


def render(found):
    """For people; worst news first."""
    lines = [f'A: {found.a}', f'B: {found.b}', *(f'warning: {text}' for text in found.warnings)]
    if found.error:
        return '\n'.join([*lines, f'These runs cannot be compared: {found.error}.'])
    systems = [row for row in found.rows if not row.reference]
    for what, words in (('worse', 'worse'), ('better', 'better')):
        rows = [row for row in systems if row.verdict == what]
        if rows:
            lines += ['', f'{words} by more than {found.threshold:g} %, and the intervals do not overlap:',
                      *('  ' + _line(row, found.titles) for row in rows)]
    moved = [row for row in found.rows if row.reference and row.verdict in ('worse', 'better')]
    if moved:
        lines += ['', 'The floors changed too, so part of this is the machine:',
                  *('  ' + _line(row, found.titles) for row in moved)]
    counts = {what: sum(row.verdict == what for row in systems) for what in VERDICTS}
    lines += ['', f'{len(systems)} rows: {counts["worse"]} worse, {counts["better"]} better, {counts["same"]} not '
              f'changed, {counts["unknown"]} with too few repetitions to tell.']
    return '\n'.join(lines)


def to_json(found):
    """For programs."""
    def estimate(one):
        return None if one is None else {'value': one.value, 'low': one.low, 'high': one.high, 'n': one.n}

    def times(row):
        change = row.change
        return None if change is None else {'value': change.value, 'low': change.low, 'high': change.high}

    rows = [{'experiment': row.experiment, 'contestant': row.contestant, 'point': row.point, 'metric': row.metric,
             'unit': row.unit, 'better': row.better, 'a': estimate(row.a), 'b': estimate(row.b), 'ratio': times(row),
             'verdict': row.verdict, 'reason': row.reason, 'reference': row.reference} for row in found.rows]
    return {'schema': 1, 'a': found.a, 'b': found.b, 'threshold': found.threshold, 'status': found.status,
            'error': found.error, 'warnings': found.warnings, 'rows': rows}


def main(a, b, threshold=10.0, as_json=False):
    """Prints the comparison; returns the exit status."""
    found = compare(a, b, threshold)
    print(json.dumps(to_json(found), ensure_ascii=False) if as_json else render(found))
    return found.status
