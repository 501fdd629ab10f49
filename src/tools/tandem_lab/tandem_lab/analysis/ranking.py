"""Who is better than whom, as far as the intervals say.

"Overlaps" is not transitive: A may overlap B and B overlap C, while A is clearly better than C. Chaining such overlaps
into one tie would hide that difference, and breaking the chain anywhere would invent one. So a rank is one more than
the number of systems that are clearly better: A and B are first, C is second (A is better than it), and `tied` says
that somebody's interval overlaps.
"""

from dataclasses import dataclass

from tandem_lab.results.statistics import Estimate, overlap


@dataclass(frozen=True)
class Row:
    contestant: str
    estimate: Estimate
    rank: int | None  # None: a reference, or too few repetitions to say
    tied: bool
    reference: bool = False


def better_than(one, other, better):
    """True when `one` is clearly better than `other`: their intervals are known and do not overlap."""
    if overlap(one, other) is not False:
        return False
    return one.value < other.value if better == 'lower' else one.value > other.value


def rank(entries, better, floors=()):
    """Rows, best first, of (contestant, Estimate). `floors`: the contestants that are no systems but references."""
    systems = [(name, value) for name, value in entries if name not in floors]
    rows = []
    for name, value in entries:
        if name in floors:
            rows.append(Row(name, value, None, False, True))
            continue
        others = [other for known, other in systems if known != name]
        place = 1 + sum(better_than(other, value, better) for other in others) if value.known else None
        rows.append(Row(name, value, place, any(overlap(other, value) for other in others)))
    sign = 1 if better == 'lower' else -1
    return sorted(rows, key=lambda row: (sign * row.estimate.value, row.contestant))


def certainty(rows, better):
    """Of the first place among the systems: 'clear', 'tie' or 'unknown'; and the rows of who is there."""
    systems = [row for row in rows if not row.reference]
    ranked = [row for row in systems if row.rank is not None]
    if not ranked or len(systems) == 1:
        return 'unknown', systems[:1]
    best = ranked[0].estimate
    for row in systems:
        # Somebody with too few repetitions might be as good.
        value = row.estimate.value
        if row.rank is None and (value <= best.high if better == 'lower' else value >= best.low):
            return 'unknown', systems[:1]
    if len(ranked) == 1:
        return 'unknown', ranked
    leaders = [row for row in ranked if row.rank == 1]
    return ('tie' if len(leaders) > 1 else 'clear'), leaders
