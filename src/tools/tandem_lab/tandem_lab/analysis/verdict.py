"""Rankings and the sentences of the verdict: who wins what, by how much, how sure; and why ours is not first.

Causes are never inferred: `why` says what was measured beside (system calls, copies, processor time ...) where it
differs, or that the intervals overlap, or that no cause was measured.
"""

from tandem_lab.analysis import metrics, ranking
from tandem_lab.analysis.chart_data import absence, amount, number
from tandem_lab.analysis.facets import described
from tandem_lab.results.statistics import estimate, overlap, ratio

OURS = 'tandem'
POLLING = 'floor-cache-line'  # burns a processor to be early: no measure for who sleeps
# What may explain a difference, and how to say it. Those of the attest pass are single observations: they count when
# they differ by half; the others when their intervals do not overlap.
CAUSES = (('copied_bytes_per_msg', 'copied at least'), ('syscalls_per_msg', 'system calls'),
          ('kernel_bytes_per_msg', 'copied by the kernel'), ('context_switches_per_msg', 'context switches'),
          ('minor_faults_per_msg', 'minor page faults'), ('instructions_per_msg', 'instructions'),
          ('cpu_ns_per_msg', 'of processor time'), ('wire_packets_per_msg', 'packets on the wire'),
          ('wire_bytes_per_msg', 'on the wire'))


def is_ours(contestant):
    return contestant == OURS or contestant.startswith(OURS + '-')


def rankings(reader, experiment):
    """One ranking a point, as docs/design/laboratory.md has them, with the verdict on it: [(ranking, verdict)]."""
    if not experiment.rank:
        return []
    return [_point(reader, experiment, point) for point in experiment.points()]


def _point(reader, experiment, point):
    metric, better = experiment.rank['metric'], experiment.rank.get('better', 'lower')
    entries = []
    for contestant in experiment.contestants:
        values = reader.values(reader.trials(experiment.name, contestant, point, metric), metric)
        found = estimate(values, metrics.resolution(metric))
        if found:
            entries.append((contestant, found))
    # A variant of a system is shown beside it: being ahead of oneself is no place.
    beside = {name for name, _ in entries
              if reader.run.is_floor(name) or reader.run.is_variant(name, experiment.contestants)}
    rows = ranking.rank(entries, better, beside)
    certainty, leaders = ranking.certainty(rows, better)
    ours = _ours(reader, experiment, point, rows, (certainty, leaders))
    unit = metrics.unit(metric)
    ranked = {'point': point, 'metric': metric, 'label': metrics.label(metric), 'unit': unit, 'better': better,
              'rows': [_row(row) for row in rows], 'ours': ours}
    floors = [row for row in rows if reader.run.is_floor(row.contestant) and row.contestant != POLLING]
    floor = _floor(floors, leaders, better)
    if floor:
        ranked['floor'] = floor
    return ranked, _verdict(reader, experiment, ranked, (rows, certainty, leaders))


def _row(row):
    return {'contestant': row.contestant, 'value': number(row.estimate.value), 'low': number(row.estimate.low),
            'high': number(row.estimate.high), 'n': row.estimate.n, 'rank': row.rank, 'tied': row.tied,
            'reference': row.reference}


def _floor(references, leaders, better):
    """The best reference, and how far the leader is from it."""
    if not references or not leaders:
        return None
    found = gain(leaders[0].estimate, references[0].estimate, 'lower' if better == 'higher' else 'higher')
    if found is None:
        return None
    return {'contestant': references[0].contestant, 'leader': leaders[0].contestant, **_limits(found)}


def gain(one, other, better):
    """How many times better `one` is than `other`."""
    return ratio(other, one) if better == 'lower' else ratio(one, other)


def _limits(found):
    return {'ratio': number(found.value, 3), 'ratio_low': number(found.low, 3), 'ratio_high': number(found.high, 3)}


def _verdict(reader, experiment, ranked, result):
    rows, certainty, leaders = result
    systems = [row for row in rows if not row.reference]
    # Of a tie or an unknown, the best value is compared with the next one; of a clear lead likewise.
    first = leaders[0] if leaders else None
    second = next((row for row in systems if row is not first), None)
    found = gain(first.estimate, second.estimate, ranked['better']) if first and second else None
    return {'experiment': experiment.name, 'question': experiment.question, 'point': ranked['point'],
            'text': _sentence(reader, experiment, ranked, (rows, certainty, leaders, second, found)),
            'winner': first.contestant if certainty == 'clear' else None,
            'runner_up': second.contestant if second else None,
            **(_limits(found) if found else {'ratio': None, 'ratio_low': None, 'ratio_high': None}),
            'certainty': certainty, 'ours': ranked['ours']}


def _sentence(reader, experiment, ranked, result):
    rows, certainty, leaders, second, found = result
    title, unit = reader.run.title, ranked['unit']
    where = described(ranked['point'])
    where = f' at {where}' if where else ''
    if not leaders:
        reasons = [f'{title(name)}: {absence(reader, experiment, name, ranked["point"], ranked["metric"])}'
                   for name in experiment.contestants if not reader.run.is_floor(name)]
        return f'No system has a figure{where} ({"; ".join(reasons[:3]) or "none takes part"}).'
    first = leaders[0]
    value = amount(first.estimate.value, unit)
    if second is None:
        text = f'Only {title(first.contestant)} was measured{where} ({value}): nothing to compare with.'
    elif certainty == 'clear':
        how = f'{_times(found, ranked)} {title(second.contestant)} {_interval(found)}' if found else \
            f'{value} against {amount(second.estimate.value, unit)} of {title(second.contestant)}'
        text = f'{title(first.contestant)} is first{where}: {how.strip()}.'
    elif certainty == 'tie':
        names = [title(row.contestant) for row in leaders]
        text = (f'{", ".join(names[:-1])} and {names[-1]} are tied{where}: their intervals overlap, '
                'no order can be told.')
    else:
        least = min(row.estimate.n for row in (first, second))
        text = (f'{title(first.contestant)} has the best figure{where} ({value}), '
                f'{title(second.contestant)} {amount(second.estimate.value, unit)}; with {least} '
                f'repetition{"s" if least > 1 else ""} nobody can tell whether that is chance.')
    floor = ranked.get('floor')
    if floor and floor['ratio'] is not None:
        text += f' {_to_floor(title, floor, ranked["better"])}'
    return text


def _times(found, ranked):
    fast = metrics.unit(ranked['metric']) in ('ns', 'us') or ranked['metric'].endswith('_per_s')
    words = 'as fast as' if fast else 'as much as' if ranked['better'] == 'higher' else 'as good as'
    return f'{amount(found.value, "")} times {words}'


def _interval(found):
    return f'({amount(found.low, "")} to {amount(found.high, "")})' if found.low is not None else ''


def _to_floor(title, floor, better):
    leader, reference = title(floor['leader']), title(floor['contestant'])
    if better == 'lower':
        return f'{leader} takes {amount(floor["ratio"], "")} times as long as the fastest floor, {reference}.'
    return f'{leader} has {amount(1 / max(floor["ratio"], 1e-9), "")} times what the best floor has, {reference}.'


def _ours(reader, experiment, point, rows, first):
    """Our place at a point and, unless it is the first alone, why."""
    certainty, leaders = first
    ours = next((row for row in rows if is_ours(row.contestant) and not row.reference), None)
    if ours is None:
        name = next((name for name in experiment.contestants if is_ours(name)), None)
        if name is None:
            return {'rank': None, 'why': 'not a contestant of this experiment'}
        reason = absence(reader, experiment, name, point, experiment.rank['metric'])
        return {'rank': None, 'why': f'no figure: {reason}'}
    if certainty == 'clear' and leaders[0] is ours:
        return {'rank': 1, 'why': ''}
    if all(row.reference or row is ours for row in rows):
        return {'rank': ours.rank, 'why': 'nobody to compare with'}
    if ours.rank is None or certainty == 'unknown':
        return {'rank': ours.rank, 'why': 'too few repetitions to tell the order'}
    if ours.rank == 1:
        others = [reader.run.title(row.contestant) for row in leaders if row is not ours]
        return {'rank': 1, 'why': f'tied: its interval overlaps with that of {", ".join(others)}'}
    return {'rank': ours.rank, 'why': why(reader, experiment, point, ours.contestant, leaders[0].contestant)}


def why(reader, experiment, point, ours, leader):
    """What was measured beside and is greater for ours than for the leader."""
    found = []
    for metric, words in CAUSES:
        mine, theirs = (estimate(reader.values(reader.trials(experiment.name, name, point, metric), metric))
                        for name in (ours, leader))
        if mine is None or theirs is None or mine.value <= theirs.value:
            continue
        differ = not overlap(mine, theirs) if mine.known and theirs.known else mine.value >= 1.5 * theirs.value
        if differ:
            unit = metrics.unit(metric)
            found.append(f'{amount(mine.value, unit)} {words} against {amount(theirs.value, unit)}')
    if not found:
        return f'behind {reader.run.title(leader)}; no cause measured'
    return f'behind {reader.run.title(leader)}; measured beside, per message: ' + ', '.join(found)


def headline(run, verdicts):
    """The whole in a few sentences: how often who is first."""
    if not verdicts:
        return ['Nothing was ranked in this run.']
    alone, ties = {}, sum(v['certainty'] == 'tie' for v in verdicts)
    for verdict in verdicts:
        if verdict['winner']:
            alone[verdict['winner']] = alone.get(verdict['winner'], 0) + 1
    text = [f'{run.title(name)} is clearly first in {times} of {len(verdicts)} comparisons.'
            for name, times in sorted(alone.items(), key=lambda entry: (-entry[1], entry[0]))]
    ours = [v['ours']['rank'] for v in verdicts if v['certainty'] != 'unknown' and v['ours']['rank'] is not None]
    if ours:
        text.append(f'{run.title(OURS)} is first, alone or tied, in {ours.count(1)} of the {len(ours)} that rank it.')
    unknown = len(verdicts) - ties - sum(alone.values())
    if ties:
        text.append(f'{ties} {"is a tie" if ties == 1 else "are ties"}: the intervals overlap.')
    if unknown:
        text.append(f'{unknown} cannot be decided: too few repetitions, or nobody to compare with.')
    return text
