"""Log-linear histograms, interchangeable with HdrHistogram's V2 encoding and log files (and so with perf_test's).

Values are whole nanoseconds. Values 0 .. 2h-1 have a counter each (times the unit); beyond, each doubling of the value
is divided into h counters, so that the relative error is below 10^-digits.

    log entry   [Tag=name,]start,length,max,base64     start and length in s, max in ms
    base64 of   u32 0x1c849314 | u32 bytes that follow | zlib stream                            (all big-endian)
    inflated    u32 0x1c849313 | u32 bytes of counts | u32 index offset (0) | u32 digits | i64 lowest | i64 highest
                | f64 ratio (1.0) | counts: ZigZag LEB128 of at most 9 bytes; negative: so many empty counters
"""

import base64
import binascii
import math
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy

HIGHEST = 3_600_000_000_000  # one hour in ns: what larger values count as
# Fewer samples than this beyond a percentile, and chance decides where it lies.
SAMPLES_BEYOND = 10
COOKIE, COMPRESSED_COOKIE = 0x1c849313, 0x1c849314
HEADER = struct.Struct('>IIIIqqd')
LARGEST_INNER = 4 << 20  # far more than any latencies need
LIMIT = 1 << 61


class HistogramError(ValueError):
    """What was read is not a histogram, or not one that fits."""


class Histogram:
    """Counts values. `min` and `max` are exact for recorded values, to the resolution for decoded ones.

    Only counters that are not 0 are kept: their numbers in `_used`, ascending, and the counts beside them."""

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

    def _index(self, values):
        scaled = values.astype(numpy.int64) >> self._unit
        bits = numpy.frexp(scaled.astype(numpy.float64))[1].astype(numpy.int64)
        bits -= (scaled >> numpy.maximum(bits - 1, 0)) == 0  # the conversion may have rounded up to a power of two
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

    def record(self, values, counts=None):
        """`values`: a number or a sequence; `counts`: how often each (default: once). Below 0 counts as 0."""
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
        """Adds what `other` counted; the ranges may differ."""
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
        """The value that `percent` of all samples do not exceed, to the resolution; 100 is the maximum, 0 the minimum.
        None when fewer than SAMPLES_BEYOND samples lie beyond it, on either side."""
        if not self.count or not 0 <= percent <= 100:
            return None
        if percent in (0, 100):
            return self.max if percent == 100 else self.min
        # 10000 samples are enough for 99.9 %, though 100 - 99.9 is a little less than 0.1.
        if self.count * min(percent, 100 - percent) / 100 < SAMPLES_BEYOND - 1e-6:
            return None
        wanted = max(math.ceil(self.count * percent / 100 - 1e-6), 1)
        index = self._used[numpy.searchsorted(numpy.cumsum(self._counts), wanted)]
        highest = int(self._lowest_at(index) + self._width_at(index) - 1)
        return max(min(highest, self.max), self.min)

    def curve(self):
        """(percent, value) for a plot by percentile: denser towards 100, as far as the samples carry."""
        steps = [1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85]
        for decade in range(6):
            steps += [100 - rest / 10 ** decade for rest in (10, 7.5, 5, 3.5, 2.5, 1.5)]
        found = [(round(percent, 6), self.percentile(percent)) for percent in steps]
        return [(percent, value) for percent, value in found if value is not None]

    def encode(self):
        """V2, compressed, in base64."""
        counts = bytearray()
        expected = 0
        for index, count in zip(self._used.tolist(), self._counts.tolist()):
            gap = index - expected
            if gap:
                _put_zigzag(counts, -gap if gap > 1 else 0)
            _put_zigzag(counts, count)
            expected = index + 1
        header = HEADER.pack(COOKIE, len(counts), 0, self.digits, self.lowest, self.highest, 1.0)
        packed = zlib.compress(header + bytes(counts))
        return base64.b64encode(struct.pack('>II', COMPRESSED_COOKIE, len(packed)) + packed).decode()

    @classmethod
    def decode(cls, text):
        """Raises HistogramError with the reason when `text` is not what encode() writes."""
        inner = _inflated(text)
        if len(inner) < HEADER.size:
            raise HistogramError('not an HdrHistogram V2 histogram: too short')
        cookie, length, offset, digits, lowest, highest, _ = HEADER.unpack_from(inner)
        if cookie != COOKIE or offset != 0:
            raise HistogramError('not an HdrHistogram V2 histogram: wrong inner cookie or shifted counters')
        histogram = cls(lowest, highest, digits)
        counts = inner[HEADER.size:HEADER.size + length]
        if len(counts) < length:
            raise HistogramError('not an HdrHistogram V2 histogram: its counts are cut off')
        histogram._take_counts(counts)
        return histogram

    def _take_counts(self, data):
        numbers = _zigzags(numpy.frombuffer(data, numpy.uint8))
        steps = numpy.where(numbers < 0, -numbers, 1)
        room = int(self._index(numpy.array([self.highest]))[0]) + 1
        # In this order: a sum of steps that are each too large may overflow.
        if steps.size and (steps.min() < 1 or steps.max() > room or int(steps.sum()) > room):
            raise HistogramError('not an HdrHistogram V2 histogram: more counts than its range has')
        there = numbers > 0
        self._used, self._counts = (numpy.cumsum(steps) - steps)[there], numbers[there]
        self.count = sum(self._counts.tolist())
        if self.count >= 1 << 63:
            raise HistogramError('not an HdrHistogram V2 histogram: more counts than there can be')
        if self.count:
            first, last = self._used[0], self._used[-1]
            self._min = min(int(self._lowest_at(first)), self.highest)
            self.max = min(int(self._lowest_at(last) + self._width_at(last) - 1), self.highest)


def _inflated(text):
    try:
        text = text.strip()
        outer = base64.b64decode(text + '=' * (-len(text) % 4), validate=True)
        cookie, length = struct.unpack_from('>II', outer)
        unpacker = zlib.decompressobj()
        inner = unpacker.decompress(outer[8:], LARGEST_INNER)
    except (binascii.Error, struct.error, zlib.error, ValueError) as error:
        raise HistogramError(f'not an HdrHistogram V2 histogram: {error}') from error
    if cookie != COMPRESSED_COOKIE or length != len(outer) - 8 or not unpacker.eof:
        raise HistogramError('not an HdrHistogram V2 histogram: wrong cookie, or cut off')
    return inner


def _put_zigzag(out, value):
    rest = value << 1 if value >= 0 else (-value << 1) - 1
    for _ in range(8):
        if rest <= 0x7f:
            break
        out.append(rest & 0x7f | 0x80)
        rest >>= 7
    out.append(rest)


def _zigzags(data):
    """Signed numbers from bytes, all at once."""
    if not data.size:
        return numpy.zeros(0, numpy.int64)
    last = data < 0x80
    begins = numpy.concatenate([[True], last[:-1]])
    position = numpy.arange(data.size)
    offset = position - numpy.maximum.accumulate(numpy.where(begins, position, 0))
    if offset.max() >= 8:
        # A ninth byte has eight bits and ends its number, so where numbers begin is only seen one by one.
        for i in range(1, data.size):
            begins[i] = last[i - 1]
            offset[i] = 0 if begins[i] else offset[i - 1] + 1
            last[i] |= offset[i] == 8
    if not last[-1]:
        raise HistogramError('not an HdrHistogram V2 histogram: a count is cut off')
    bits = numpy.where(offset == 8, data, data & 0x7f).astype(numpy.uint64) << (7 * offset).astype(numpy.uint64)
    value = numpy.add.reduceat(bits, numpy.flatnonzero(begins))
    return (value >> numpy.uint64(1)).astype(numpy.int64) ^ -(value & numpy.uint64(1)).astype(numpy.int64)


@dataclass
class Entry:
    """One line of a log. `start` in s since the log's StartTime, `length` in s."""

    tag: str
    start: float
    length: float
    histogram: Histogram


def write_log(path, entries, start_time=0.0):
    """`start_time`: s since the epoch."""
    lines = ['#[Logged with tandem lab]', '#[Histogram log format version 1.3]',
             f'#[StartTime: {start_time:.3f} (seconds since epoch)]',
             '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"']
    for entry in entries:
        tag = f'Tag={entry.tag},' if entry.tag else ''
        lines.append(f'{tag}{entry.start:.3f},{entry.length:.3f},{entry.histogram.max / 1e6:.3f},'
                     + entry.histogram.encode())
    Path(path).write_text('\n'.join(lines) + '\n')


def read_log(path):
    """All entries. Raises HistogramError with file and line, OSError when there is no such file."""
    entries = []
    for number, line in enumerate(Path(path).read_text(errors='replace').splitlines(), 1):
        line = line.strip()
        if line and line[0] not in '#"':
            try:
                entries.append(_entry(line))
            except ValueError as error:
                raise HistogramError(f'{path}:{number}: {error}') from error
    return entries


def _entry(line):
    tag = ''
    if line.startswith('Tag='):
        tag, _, line = line[4:].partition(',')
    fields = line.split(',')
    if len(fields) != 4:
        raise HistogramError('an entry has start, length, maximum and histogram')
    start, length = float(fields[0]), float(fields[1])
    return Entry(tag, start, length, Histogram.decode(fields[3]))


def read_histogram(path, tag=None):
    """All entries with this tag (None: all entries), merged; an empty histogram when there is none."""
    return merged(entry.histogram for entry in read_log(path) if tag is None or entry.tag == tag)


def merged(histograms):
    """One histogram of all of these; the finest and widest range of theirs."""
    histograms = list(histograms)
    if not histograms:
        return Histogram()
    total = Histogram(min(h.lowest for h in histograms), max(h.highest for h in histograms),
                      max(h.digits for h in histograms))
    for histogram in histograms:
        total.merge(histogram)
    return total
