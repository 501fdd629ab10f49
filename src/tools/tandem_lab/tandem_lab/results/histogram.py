"""Log-linear histograms, with the counters of HdrHistogram. Encoding: histogram_encoding.py. Log files: hlog.py.

Values are whole nanoseconds. Values 0 .. 2h-1 have a counter each (times the unit). Beyond, each doubling of the value
is divided into h counters, so the relative error is below 10^-digits.
"""

import math

import numpy

HIGHEST = 3_600_000_000_000  # one hour in ns; a larger value counts as this one
# Fewer samples than this beyond a percentile, and chance decides where it lies.
SAMPLES_BEYOND = 10
LIMIT = 1 << 61  # of `highest`


class HistogramError(ValueError):
    """A value, a range or what was read from a file is not valid."""


class Histogram:
    """Counts how often each value was recorded. `min` and `max` are exact, except after decoding: then they have the
    resolution of a counter.

    Only counters that are not 0 are kept: `_used` has their indices, ascending, and `_counts` the count of each."""

    def __init__(self, lowest=1, highest=HIGHEST, digits=3):
        if not (0 <= digits <= 5 and 1 <= lowest <= LIMIT // 4 and 2 * lowest <= highest <= LIMIT):
            raise HistogramError(f'a histogram cannot have the range {lowest} to {highest} with {digits} digits')
        self.lowest, self.highest, self.digits = lowest, highest, digits
        self._unit = lowest.bit_length() - 1
        self._half = (2 * 10 ** digits - 1).bit_length() - 1
        if self._unit + self._half > 60:
            raise HistogramError(f'a histogram\'s lowest value of {lowest} is too large')
        self._used = self._counts = numpy.zeros(0, numpy.int64)
        self.count, self._min, self.max = 0, LIMIT, 0

    @classmethod
    def from_counters(cls, used, counts, **options):
        """A histogram with these counts: `used` has the indices of its counters, ascending. `options`: its range."""
        histogram = cls(**options)
        histogram._used, histogram._counts = used, counts
        histogram.count = sum(counts.tolist())
        if histogram.count >= 1 << 63:
            raise HistogramError('a histogram cannot count as many values')
        if histogram.count:
            first, last = used[0], used[-1]
            histogram._min = min(int(histogram._lowest_at(first)), histogram.highest)
            histogram.max = min(int(histogram._lowest_at(last) + histogram._width_at(last) - 1), histogram.highest)
        return histogram

    def counters(self):
        """(indices, counts) of the counters that are not 0, ascending."""
        return self._used, self._counts

    def size(self):
        """How many counters the range has."""
        return int(self._index(numpy.array([self.highest]))[0]) + 1

    def record(self, values, counts=None):
        """`values`: a number or a sequence, in ns. `counts`: how often each occurred (default: once). A value below 0
        counts as 0, one above `highest` as `highest`."""
        values = numpy.atleast_1d(numpy.asarray(values))
        if values.size == 0:
            return
        if not numpy.all(numpy.isfinite(values)):
            raise HistogramError('a histogram holds numbers only, not NaN or infinity')
        values = numpy.clip(values, 0, self.highest).astype(numpy.int64)
        counts = numpy.ones(values.size, numpy.int64) if counts is None else numpy.atleast_1d(counts)
        if numpy.any(counts < 0):
            raise HistogramError('a value cannot occur less than 0 times')
        values, counts = values[counts > 0], counts[counts > 0]
        if values.size == 0:
            return
        self._add(self._index(values), counts)
        self._min, self.max = min(self._min, int(values.min())), max(self.max, int(values.max()))

    def merge(self, other):
        """Adds the counts of `other`, whose range may differ."""
        if not other.count:
            return
        self._add(self._index(numpy.minimum(other._lowest_at(other._used), self.highest)), other._counts)
        self._min = min(self._min, other._min, self.highest)
        self.max = max(self.max, min(other.max, self.highest))

    @property
    def min(self):
        return self._min if self.count else 0

    @property
    def mean(self):
        """To the resolution; None when empty."""
        if not self.count:
            return None
        middle = self._lowest_at(self._used) + (self._width_at(self._used) - 1) / 2
        mean = float((middle * (self._counts / self.count)).sum())
        return min(max(mean, float(self._min)), float(self.max))

    def percentile(self, percent):
        """The value that `percent` of all samples do not exceed, to the resolution. 100 gives the maximum, 0 the
        minimum. None when fewer than SAMPLES_BEYOND samples lie on either side of it."""
        if not self.count or not 0 <= percent <= 100:
            return None
        if percent in (0, 100):
            return self.max if percent == 100 else self.min
        # 1e-6 allows for rounding: 100 - 99.9 is a little less than 0.1, and 10000 samples are enough for 99.9 %.
        if self.count * min(percent, 100 - percent) / 100 < SAMPLES_BEYOND - 1e-6:
            return None
        wanted = max(math.ceil(self.count * percent / 100 - 1e-6), 1)
        index = self._used[numpy.searchsorted(numpy.cumsum(self._counts), wanted)]
        highest = int(self._lowest_at(index) + self._width_at(index) - 1)
        return max(min(highest, self.max), self.min)

    def curve(self):
        """(percent, value) for a plot by percentile: denser towards 100, and no further than percentile() goes."""
        steps = [1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85]
        for decade in range(6):
            steps += [100 - rest / 10 ** decade for rest in (10, 7.5, 5, 3.5, 2.5, 1.5)]
        found = [(round(percent, 6), self.percentile(percent)) for percent in steps]
        return [(percent, value) for percent, value in found if value is not None]

    def _index(self, values):
        """The counter of each value."""
        scaled = values.astype(numpy.int64) >> self._unit
        bits = numpy.frexp(scaled.astype(numpy.float64))[1].astype(numpy.int64)
        bits -= (scaled >> numpy.maximum(bits - 1, 0)) == 0  # float64 may have rounded up to the next power of two
        bucket = numpy.maximum(bits - self._half - 1, 0)
        return (bucket << self._half) + (scaled >> bucket)

    def _lowest_at(self, index):
        bucket = numpy.maximum((index >> self._half) - 1, 0)
        return (index - (bucket << self._half)) << (bucket + self._unit)

    def _width_at(self, index):
        return numpy.int64(1) << (numpy.maximum((index >> self._half) - 1, 0) + self._unit)

    def _add(self, index, counts):
        self._used, place = numpy.unique(numpy.concatenate([self._used, index]), return_inverse=True)
        total = numpy.zeros(len(self._used), numpy.int64)
        numpy.add.at(total, place, numpy.concatenate([self._counts, counts]))
        self._counts = total
        self.count += int(counts.sum())


def merged(histograms):
    """One histogram of all of these, with the finest resolution and the widest range among them."""
    histograms = list(histograms)
    if not histograms:
        return Histogram()
    total = Histogram(min(h.lowest for h in histograms), max(h.highest for h in histograms),
                      max(h.digits for h in histograms))
    for histogram in histograms:
        total.merge(histogram)
    return total
