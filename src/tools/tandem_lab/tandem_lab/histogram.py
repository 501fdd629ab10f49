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
LARGEST_INNER = 16 << 20
LIMIT = 1 << 61


class HistogramError(ValueError):
    """What was read is not a histogram, or not one that fits."""


class Histogram:
    """Counts values. `min` and `max` are exact for recorded values, to the resolution for decoded ones."""

    def __init__(self, lowest=1, highest=HIGHEST, digits=3):
        if not (0 <= digits <= 5 and 1 <= lowest <= LIMIT // 4 and 2 * lowest <= highest <= LIMIT):
            raise HistogramError(f'a histogram cannot have the range {lowest} to {highest} with {digits} digits')
        self.lowest, self.highest, self.digits = lowest, highest, digits
        self._unit = lowest.bit_length() - 1
        self._half = (2 * 10 ** digits - 1).bit_length() - 1
        if self._unit + self._half > 60:
            raise HistogramError(f'a histogram\'s lowest value of {lowest} is too large')
        self._counts = numpy.zeros(int(self._index(numpy.array([highest]))[0]) + 1, dtype=numpy.int64)
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
        numpy.add.at(self._counts, self._index(values), counts)
        self.count += int(counts.sum())
        self._min, self.max = min(self._min, int(values.min())), max(self.max, int(values.max()))

    def merge(self, other):
        """Adds what `other` counted; the ranges may differ."""
        used = numpy.flatnonzero(other._counts)
        if not used.size:
            return
        own = (self._unit, self._half) == (other._unit, other._half) and len(other._counts) <= len(self._counts)
        if own:
            self._counts[used] += other._counts[used]
            self.count += other.count
        else:
            self.record(other._lowest_at(used), other._counts[used])
        self._min = min(self._min, other._min, self.highest)
        self.max = max(self.max, min(other.max, self.highest))

    @property
    def min(self):
        return self._min if self.count else 0

    @property
    def mean(self):
        """To the resolution; None when empty."""
        used = numpy.flatnonzero(self._counts)
        if not used.size:
            return None
        middle = self._lowest_at(used) + (self._width_at(used) - 1) / 2
        mean = float((middle * (self._counts[used] / self.count)).sum())
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
        index = numpy.searchsorted(numpy.cumsum(self._counts), wanted)
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
        used = numpy.flatnonzero(self._counts)
        expected = 0
        for index in used.tolist():
            gap = index - expected
            if gap:
                _put_zigzag(counts, -gap if gap > 1 else 0)
            _put_zigzag(counts, int(self._counts[index]))
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
        index, total = 0, 0
        used = []
        for number in _zigzags(data):
            if max(-number, 1) > len(self._counts) - index or total + number >= 1 << 63:
                raise HistogramError('not an HdrHistogram V2 histogram: more counts than its range has')
            if number > 0:
                self._counts[index] = number
                total += number
                used.append(index)
            index += max(-number, 1)
        self.count = total
        if used:
            last = numpy.int64(used[-1])
            self._min = min(int(self._lowest_at(numpy.int64(used[0]))), self.highest)
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
    value = shift = 0
    for byte in data:
        value |= (byte if shift == 56 else byte & 0x7f) << shift
        if shift == 56 or byte < 0x80:
            yield (value >> 1) ^ -(value & 1)
            value = shift = 0
        else:
            shift += 7
    if shift:
        raise HistogramError('not an HdrHistogram V2 histogram: a count is cut off')


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
