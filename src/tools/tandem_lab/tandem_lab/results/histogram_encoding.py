"""HdrHistogram's V2 encoding, which its own tools and perf_test read too.

    base64 of   u32 0x1c849314 | u32 bytes that follow | zlib stream                            (all big-endian)
    inflated    u32 0x1c849313 | u32 bytes of counts | u32 index offset (0) | u32 digits | i64 lowest | i64 highest
                | f64 ratio (1.0) | counts: ZigZag LEB128 of at most 9 bytes; negative: so many empty counters
"""

import base64
import binascii
import struct
import zlib

import numpy

from tandem_lab.results.histogram import Histogram, HistogramError

COOKIE, COMPRESSED_COOKIE = 0x1c849313, 0x1c849314
HEADER = struct.Struct('>IIIIqqd')
LARGEST_INFLATED = 4 << 20  # bytes; far more than any latencies need


def encode(histogram):
    """The histogram as base64 text."""
    counts = bytearray()
    expected = 0
    for index, count in zip(*(array.tolist() for array in histogram.counters())):
        gap = index - expected
        if gap:
            _put_zigzag(counts, -gap if gap > 1 else 0)
        _put_zigzag(counts, count)
        expected = index + 1
    header = HEADER.pack(COOKIE, len(counts), 0, histogram.digits, histogram.lowest, histogram.highest, 1.0)
    packed = zlib.compress(header + bytes(counts))
    return base64.b64encode(struct.pack('>II', COMPRESSED_COOKIE, len(packed)) + packed).decode()


def decode(text):
    """The histogram that encode() has written. Raises HistogramError with the reason when it is damaged."""
    inflated = _inflate(text)
    if len(inflated) < HEADER.size:
        raise _damaged('too short')
    cookie, length, offset, digits, lowest, highest, _ = HEADER.unpack_from(inflated)
    if cookie != COOKIE or offset != 0:
        raise _damaged('wrong inner cookie or shifted counters')
    size = Histogram(lowest, highest, digits).size()
    data = inflated[HEADER.size:HEADER.size + length]
    if len(data) < length:
        raise _damaged('its counts are cut off')
    numbers = _read_zigzags(numpy.frombuffer(data, numpy.uint8))
    steps = numpy.where(numbers < 0, -numbers, 1)
    # The sum comes last, because it may overflow if single steps are too large.
    if steps.size and (steps.min() < 1 or steps.max() > size or int(steps.sum()) > size):
        raise _damaged('more counts than its range has')
    is_used = numbers > 0
    used = (numpy.cumsum(steps) - steps)[is_used]
    return Histogram.from_counters(used, numbers[is_used], lowest=lowest, highest=highest, digits=digits)


def _damaged(reason):
    return HistogramError(f'not an HdrHistogram V2 histogram: {reason}')


def _inflate(text):
    try:
        text = text.strip()
        outer = base64.b64decode(text + '=' * (-len(text) % 4), validate=True)
        cookie, length = struct.unpack_from('>II', outer)
        unpacker = zlib.decompressobj()
        inflated = unpacker.decompress(outer[8:], LARGEST_INFLATED)
    except (binascii.Error, struct.error, zlib.error, ValueError) as error:
        raise _damaged(error) from error
    if cookie != COMPRESSED_COOKIE or length != len(outer) - 8 or not unpacker.eof:
        raise _damaged('wrong cookie, or cut off')
    return inflated


def _put_zigzag(out, value):
    """Appends a signed number: ZigZag, then LEB128 with eight bits in the ninth byte."""
    rest = value << 1 if value >= 0 else (-value << 1) - 1
    for _ in range(8):
        if rest <= 0x7f:
            break
        out.append(rest & 0x7f | 0x80)
        rest >>= 7
    out.append(rest)


def _read_zigzags(data):
    """The signed numbers that _put_zigzag() has written. Works on all bytes at once: a run has many histograms."""
    if not data.size:
        return numpy.zeros(0, numpy.int64)
    last = data < 0x80
    begins = numpy.concatenate([[True], last[:-1]])
    position = numpy.arange(data.size)
    offset = position - numpy.maximum.accumulate(numpy.where(begins, position, 0))
    if offset.max() >= 8:
        # A ninth byte ends its number even if its highest bit is set, so numbers have to be told apart one by one.
        for i in range(1, data.size):
            begins[i] = last[i - 1]
            offset[i] = 0 if begins[i] else offset[i - 1] + 1
            last[i] |= offset[i] == 8
    if not last[-1]:
        raise _damaged('a count is cut off')
    bits = numpy.where(offset == 8, data, data & 0x7f).astype(numpy.uint64) << (7 * offset).astype(numpy.uint64)
    value = numpy.add.reduceat(bits, numpy.flatnonzero(begins))
    return (value >> numpy.uint64(1)).astype(numpy.int64) ^ -(value & numpy.uint64(1)).astype(numpy.int64)
