"""What repetitions say about a contestant: a median with an interval, ratios of two, and the noise of a chart.

The unit of evidence is the repetition (fresh processes each time), never the message: messages of one trial share a
process, a memory layout and a moment of the machine, so thousands of them say little about the next trial (Georges,
Buytaert, Eeckhout: Statistically Rigorous Java Performance Evaluation, OOPSLA 2007, section 3).

The interval is for the median over repetitions, nominally 95 %:

 * six or more: the two order statistics that enclose the true median, whatever the distribution (David, Nagaraja:
   Order Statistics, 3rd ed., section 7.1). With five even least and greatest only reach 93.75 %, with three 75 %.
 * three to five: Student's t on the logarithms (on the values, when one is 0; no figure here is negative). Durations
   are products of many factors, so their logarithms are closer to a normal distribution, whose median is its mean.
   This assumes a shape, as every method must with so few; it is wide on purpose (three repetitions: 2.5 standard
   deviations to either side). Its limit is a system with two modes: three repetitions may all have seen the same one.
   test_statistics.py has the simulation. Bootstrapping is no way out: its interval stays within the range of the
   values, which holds the median in only 75 % of cases with three.
 * one or two: no interval, and what is made of it is 'unknown'.

Two contestants differ when their intervals do not overlap. That is stricter than 95 % for a single pair (about 99 %),
which is wanted: a report makes hundreds of such comparisons.
"""

import math
from dataclasses import dataclass

LEAST = 3  # repetitions for an interval
# Student's t, 97.5 %, by degrees of freedom.
STUDENT = {2: 4.302653, 3: 3.182446, 4: 2.776445}


@dataclass(frozen=True)
class Estimate:
    """The median of n repetitions. `low` and `high` are None when there are too few of them."""

    value: float
    low: float | None
    high: float | None
    n: int

    @property
    def known(self):
        return self.low is not None


@dataclass(frozen=True)
class Ratio:
    """How many times as large one is as the other; the limits are None when one of them has no interval."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Noise:
    """Two of three pairs of repetitions of the same differ by less than `value`, or `relative` of their mean."""

    value: float
    relative: float
    pairs: int


def finite(values):
    """The numbers among `values`: no None, NaN, infinity, text."""
    return [float(v) for v in values
            if isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v)]


def median(values):
    """Of at least one value."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def estimate(values, resolution=0.0):
    """An Estimate of what is a number among `values`; None when nothing is.

    resolution: the relative error that each value may have besides (0.001 for what comes from a histogram); it widens
    the interval, so that equal readings do not count as certainty."""
    values = sorted(finite(values))
    if not values:
        return None
    low, high = _interval(values)
    if low is not None:
        low, high = low - abs(low) * resolution, high + abs(high) * resolution
    return Estimate(median(values), low, high, len(values))


def _interval(ordered):
    n = len(ordered)
    if n < LEAST:
        return None, None
    if n > max(STUDENT) + 1:
        order = _order_of_bound(n)
        return ordered[order - 1], ordered[n - order]
    if ordered[0] == ordered[-1]:
        return ordered[0], ordered[-1]
    if ordered[0] > 0:
        low, high = _student([math.log(v) for v in ordered])
        # A spread of many orders of magnitude is beyond what a float holds.
        return math.exp(max(low, -700)), math.exp(min(high, 700))
    low, high = _student(ordered)
    return (max(low, 0.0) if ordered[0] >= 0 else low), high


def _student(values):
    n = len(values)
    mean = sum(values) / n
    error = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)
    return mean - STUDENT[n - 1] * error, mean + STUDENT[n - 1] * error


def _order_of_bound(n):
    """The greatest k with P(Binomial(n, 1/2) < k) <= 2.5 %: the k-th value from either end bounds the median."""
    below, k = 0, 0
    while (below + math.comb(n, k)) / 2 ** n <= 0.025:
        below += math.comb(n, k)
        k += 1
    return k


def ratio(numerator, denominator):
    """Of two Estimates. Its interval goes from the least to the greatest that both intervals allow: it contains 1
    exactly when they overlap. None when the denominator is not positive."""
    if denominator.value <= 0:
        return None
    value = numerator.value / denominator.value
    if not (numerator.known and denominator.known) or denominator.low <= 0:
        return Ratio(value, None, None)
    return Ratio(value, numerator.low / denominator.high, numerator.high / denominator.low)


def overlap(one, other):
    """True when the intervals have a point in common; None when one of them is not known."""
    if not (one.known and other.known):
        return None
    return one.low <= other.high and other.low <= one.high


def noise(groups):
    """From groups of repetitions (each: the values of one contestant at one point); None without a single pair.

    Differences of pairs say directly what a reader wants to know of two dots in a chart: how far apart dots of the
    same lie. Two thirds of the pairs, so that a trial that went wrong does not set the figure."""
    differences, relative = [], []
    for group in groups:
        values = finite(group)
        for i, one in enumerate(values):
            for other in values[:i]:
                mean = (abs(one) + abs(other)) / 2
                differences.append(abs(one - other))
                relative.append(abs(one - other) / mean if mean else 0.0)
    if not differences:
        return None
    rank = math.ceil(len(differences) * 2 / 3) - 1
    return Noise(sorted(differences)[rank], sorted(relative)[rank], len(differences))
