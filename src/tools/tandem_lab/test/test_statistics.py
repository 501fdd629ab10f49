"""Intervals against known distributions, overlaps and ranks. Simulated with a fixed seed: the outcome is fixed too."""

import numpy
import pytest

from tandem_lab.analysis import ranking
from tandem_lab.results.statistics import Estimate, estimate, finite, noise, overlap, ratio

SEED = 20260102
TIMES = 3000


def bimodal(generator, shape, share=0.3):
    """Most around 1, the rest around 2: a placement in memory that a process has for all of its life, say."""
    second = generator.random(shape) < share
    return numpy.where(second, 2.0, 1.0) * generator.lognormal(0, 0.02, shape)


# name -> (values, true median)
DISTRIBUTIONS = {
    'normal': (lambda g, shape: g.normal(100, 5, shape), 100.0),
    # No figure of the lab is negative; one that may be 0 still has an interval.
    'normal, shifted to 0': (lambda g, shape: numpy.maximum(g.normal(10, 5, shape), 0), 10.0),
    'lognormal': (lambda g, shape: g.lognormal(10, 0.5, shape), float(numpy.exp(10))),
    'lognormal, wide': (lambda g, shape: g.lognormal(10, 2, shape), float(numpy.exp(10))),
    'skewed': (lambda g, shape: 1 + g.exponential(0.1, shape), 1 + 0.1 * float(numpy.log(2))),
    'bimodal': (bimodal, float(numpy.median(bimodal(numpy.random.default_rng(SEED), 1_000_001)))),
}


def coverage(name, n):
    draw, median = DISTRIBUTIONS[name]
    print('seed', SEED)
    rows = draw(numpy.random.default_rng(SEED + n), (TIMES, n)).tolist()
    return sum(found.low <= median <= found.high for found in map(estimate, rows)) / TIMES


@pytest.mark.parametrize('n', [3, 4, 5, 6, 7, 10, 20])
@pytest.mark.parametrize('name', DISTRIBUTIONS)
def test_interval_covers_the_median(name, n):
    """Nominally 95 %; simulated 3000 times, the standard error is 0.4 %."""
    assert coverage(name, n) >= 0.90


def test_the_limit_of_three_repetitions_is_known():
    """Two modes of equal weight: one time in four, three repetitions see the same one and nobody can tell. Six can."""
    generator = numpy.random.default_rng(SEED)
    draws = {n: bimodal(generator, (TIMES, n), 0.5).tolist() for n in (3, 6)}
    covered = {n: sum(e.low <= 1.5 <= e.high for e in map(estimate, rows)) / TIMES for n, rows in draws.items()}
    assert 0.70 < covered[3] < 0.80 and covered[6] > 0.93


@pytest.mark.parametrize('n', [3, 5, 6, 10])
def test_equal_contestants_are_rarely_told_apart(n):
    draw = DISTRIBUTIONS['lognormal'][0]
    generator = numpy.random.default_rng(SEED)
    pairs = zip(draw(generator, (TIMES, n)).tolist(), draw(generator, (TIMES, n)).tolist())
    assert sum(not overlap(estimate(a), estimate(b)) for a, b in pairs) / TIMES < 0.025


@pytest.mark.parametrize('n', [3, 5, 6, 10])
def test_ratio_interval_covers_the_ratio(n):
    generator = numpy.random.default_rng(SEED)
    above, below = generator.lognormal(1, 0.2, (TIMES, n)), generator.lognormal(0, 0.2, (TIMES, n))
    found = [ratio(estimate(a), estimate(b)) for a, b in zip(above.tolist(), below.tolist())]
    assert sum(one.low <= numpy.e <= one.high for one in found) / TIMES >= 0.95
    assert all(one.low <= one.value <= one.high for one in found)


def test_estimate_of_few_or_odd_values():
    assert estimate([]) is None and estimate([float('nan'), None, 'text', float('inf'), True]) is None
    assert estimate([4.0]) == Estimate(4.0, None, None, 1)
    assert estimate([4.0, 6.0]) == Estimate(5.0, None, None, 2)
    assert estimate([2, 2, 2]) == Estimate(2.0, 2.0, 2.0, 3)
    assert estimate([1, 2, 3, 4, 5, 60]) == Estimate(3.5, 1.0, 60.0, 6)
    assert estimate([0, 0, 3]).low == 0.0
    assert estimate([-1, 0, 1]).low < -1
    huge = estimate([1e-300, 1.0, 1e300])
    assert huge.low >= 0 and numpy.isfinite(huge.high)
    assert finite([1, None, float('nan'), '2', False, 2.5]) == [1.0, 2.5]


def test_resolution_widens_the_interval():
    found = estimate([1000, 1000, 1000], resolution=0.001)
    assert (found.low, found.high) == (999.0, 1001.0)


def test_student_interval_of_three_by_hand():
    """Logarithms 0, 1, 2: mean 1, standard error 1/sqrt(3), t(2) = 4.303."""
    found = estimate(numpy.exp([0.0, 1.0, 2.0]).tolist())
    assert numpy.log(found.low) == pytest.approx(1 - 4.302653 / 3 ** 0.5)
    assert numpy.log(found.high) == pytest.approx(1 + 4.302653 / 3 ** 0.5)


def interval(low, high, n=5):
    return Estimate((low + high) / 2, low, high, n)


def test_overlap():
    assert overlap(interval(1, 2), interval(2, 3)) is True
    assert overlap(interval(1, 2), interval(2.1, 3)) is False
    assert overlap(interval(1, 9), interval(4, 5)) is True
    assert overlap(interval(1, 2), Estimate(9.0, None, None, 2)) is None


def test_ratio():
    found = ratio(interval(10, 12), interval(2, 4))
    assert (found.value, found.low, found.high) == (11 / 3, 2.5, 6.0)
    assert ratio(interval(1, 2), interval(-1, 1)) is None
    assert ratio(Estimate(4.0, None, None, 1), interval(1, 3)).low is None
    assert ratio(interval(1, 3), Estimate(1.0, 0.0, 5.0, 3)).low is None


def ranks(better='lower', floors=(), **entries):
    rows = ranking.rank(list(entries.items()), better, floors)
    return {row.contestant: (row.rank, row.tied) for row in rows}, ranking.certainty(rows, better)


def test_ranks_where_intervals_do_not_overlap():
    found, (certainty, first) = ranks(a=interval(1, 2), b=interval(3, 4), c=interval(5, 6))
    assert found == {'a': (1, False), 'b': (2, False), 'c': (3, False)}
    assert certainty == 'clear' and first[0].contestant == 'a'
    found, (certainty, first) = ranks('higher', a=interval(1, 2), b=interval(3, 4), c=interval(5, 6))
    assert found['c'] == (1, False) and found['a'] == (3, False) and first[0].contestant == 'c'


def test_overlaps_are_not_chained():
    """a overlaps b, b overlaps c, but a is clearly better than c: c is not tied with a."""
    found, (certainty, first) = ranks(a=interval(1, 3), b=interval(2, 5), c=interval(4, 6))
    assert found == {'a': (1, True), 'b': (1, True), 'c': (2, True)}
    assert certainty == 'tie' and [row.contestant for row in first] == ['a', 'b']
    found, _ = ranks(a=interval(1, 3), b=interval(2, 4), c=interval(5, 6))
    assert found == {'a': (1, True), 'b': (1, True), 'c': (3, False)}


def test_floors_are_no_contestants():
    found, (certainty, first) = ranks(floors={'floor'}, floor=interval(0.1, 0.2), a=interval(1, 2), b=interval(3, 4))
    assert found['floor'] == (None, False) and found['a'] == (1, False)
    assert certainty == 'clear' and first[0].contestant == 'a'


def test_too_few_repetitions_are_not_ranked():
    once = Estimate(1.0, None, None, 1)
    found, (certainty, _) = ranks(a=once, b=interval(3, 4), c=interval(5, 6))
    assert found['a'] == (None, False) and found['b'] == (1, False) and certainty == 'unknown'
    _, (certainty, first) = ranks(a=Estimate(9.0, None, None, 1), b=interval(3, 4), c=interval(5, 6))
    assert certainty == 'clear' and first[0].contestant == 'b'  # whoever is measured once is far behind
    assert ranks(a=once)[1][0] == 'unknown' and ranks()[1] == ('unknown', [])
    assert ranks(a=interval(1, 2))[1][0] == 'unknown'


def test_noise_is_what_two_of_three_pairs_stay_below():
    generator = numpy.random.default_rng(SEED)
    groups = [(scale * generator.normal(1, 0.01, 5)).tolist() for scale in (100, 1000, 10_000) for _ in range(10)]
    found = noise(groups)
    # The difference of two of N(1, s) is N(0, s sqrt 2): two times of three its size is below 0.967 s sqrt 2.
    assert found.relative == pytest.approx(0.0137, rel=0.2) and found.pairs == 300
    assert noise([[1.0], [], [float('nan'), 2.0]]) is None
    assert noise([[5, 5, 5], [0, 0]]).value == 0
