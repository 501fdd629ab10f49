"""Histograms: what they say, and that perf_test and they read each other's files."""

import base64
import json
import os
import random
import struct
import subprocess
import zlib
from pathlib import Path

import numpy
import pytest

from tandem_lab.results.histogram import Histogram, HistogramError, merged
from tandem_lab.results.histogram_encoding import COMPRESSED_COOKIE, COOKIE, HEADER, decode, encode
from tandem_lab.results.hlog import Entry, read_histogram, read_log, write_log

PERF_TEST = Path(os.environ.get('LAB_PREFIX', '/nonexistent')) / 'lib/performance_test/perf_test'


def filled(values, **options):
    histogram = Histogram(**options)
    histogram.record(values)
    return histogram


def same(one, other):
    return (one.count == other.count and numpy.array_equal(one._used, other._used)
            and numpy.array_equal(one._counts, other._counts))


def test_every_value_falls_into_a_counter_that_holds_it():
    for digits in range(6):
        histogram = Histogram(digits=digits)
        values = [0, 1, 2, 3]
        for bits in range(2, 42):
            values += [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]
        values = numpy.array(values)
        index = histogram._index(values)
        low, width = histogram._lowest_at(index), histogram._width_at(index)
        assert numpy.all((low <= values) & (values < low + width))
        assert numpy.all((width == 1) | (width <= values / 10 ** digits))


def test_wide_range_is_exact_at_powers_of_two():
    histogram = Histogram(highest=1 << 61, digits=2)
    for bits in (53, 54, 58, 60):
        for value in ((1 << bits) - 1, 1 << bits):
            index = histogram._index(numpy.array([value]))
            low = histogram._lowest_at(index)[0]
            assert low <= value < low + histogram._width_at(index)[0]


def test_percentiles_of_a_uniform_distribution():
    histogram = filled(numpy.arange(1, 100_001) * 1000)
    for percent in (1, 10, 50, 90, 99, 99.9, 99.99):
        assert histogram.percentile(percent) == pytest.approx(percent * 1e6, rel=1.1e-3)
    assert histogram.percentile(100) == histogram.max == 100_000_000
    assert histogram.percentile(0) == histogram.min == 1000
    assert histogram.mean == pytest.approx(50_000_500, rel=1e-3)


def test_percentile_needs_ten_samples_beyond_it():
    histogram = filled(range(1000))
    assert histogram.percentile(99) is not None
    assert histogram.percentile(99.1) is None and histogram.percentile(99.9) is None
    assert histogram.percentile(0.5) is None
    histogram = filled(range(10_000))
    assert histogram.percentile(99.9) is not None and histogram.percentile(99.99) is None
    assert filled(range(19)).percentile(50) is None and filled(range(20)).percentile(50) == 9
    empty = Histogram()
    assert (empty.count, empty.min, empty.max, empty.mean) == (0, 0, 0, None)
    assert empty.percentile(50) is None and empty.curve() == []


def test_curve_ends_where_samples_end():
    percents = [percent for percent, _ in filled(range(1000)).curve()]
    assert max(percents) == 99.0
    values = [value for _, value in filled(numpy.random.default_rng(1).integers(1, 1 << 30, 200_000)).curve()]
    assert values == sorted(values) and 30 < len(values) < 60


def test_odd_values():
    histogram = filled([-5, 0, 1 << 50])
    assert (histogram.min, histogram.max, histogram.count) == (0, histogram.highest, 3)
    histogram.record([])
    histogram.record(7, 0)
    assert histogram.count == 3
    for bad in ([float('nan')], [float('inf')]):
        with pytest.raises(HistogramError):
            histogram.record(bad)
    for options in ({'lowest': 0}, {'digits': 6}, {'highest': 1}, {'lowest': 1 << 59, 'highest': 1 << 61}):
        with pytest.raises(HistogramError):
            Histogram(**options)


def test_merging_is_the_same_as_recording_all():
    generator = numpy.random.default_rng(2)
    one, other = generator.integers(0, 1 << 40, 500), generator.integers(0, 1 << 20, 500)
    together = filled(numpy.concatenate([one, other]))
    total = merged([filled(one), filled(other)])
    assert same(total, together) and (total.min, total.max) == (together.min, together.max)
    coarse = merged([filled(one, digits=2), filled(other)])
    assert coarse.count == 1000 and coarse.percentile(50) == pytest.approx(together.percentile(50), rel=0.01)
    assert merged([]).count == 0


def test_round_trip_of_random_histograms():
    seed = random.randrange(1 << 30)
    print('seed', seed)
    generator = numpy.random.default_rng(seed)
    for digits in (0, 1, 3, 4):
        values = generator.integers(0, 1 << int(generator.integers(1, 41)), 300)
        histogram = filled(values, digits=digits)
        for bits in (0, 6, 7, 40, 54, 55, 56, 61):
            histogram.record(1000 + bits, 1 << bits)
        again = decode(encode(histogram))
        assert same(again, histogram) and again.digits == digits
        assert again.max >= histogram.max and again.min <= histogram.min
    assert same(decode(encode(Histogram())), Histogram())


def test_damaged_histograms_are_refused(tmp_path):
    seed = random.randrange(1 << 30)
    print('seed', seed)
    generator = random.Random(seed)
    text = encode(filled(range(1000)))
    for _ in range(200):
        at = generator.randrange(len(text))
        for damaged in (text[:at], text[:at] + generator.choice('A/+z,\0é') + text[at + 1:]):
            try:
                decode(damaged)
            except HistogramError:
                pass
    for bad in ('', 'AAAA', 'not base64 at all', text[:-4]):
        with pytest.raises(HistogramError):
            decode(bad)
    for inner in (b'', HEADER.pack(COOKIE, 0, 1, 3, 1, 1000, 1), HEADER.pack(COOKIE, 5, 0, 3, 1, 1000, 1),
                  HEADER.pack(COOKIE, 1, 0, 3, 1, 1000, 1) + b'\x80', HEADER.pack(COOKIE, 0, 0, 9, 1, 1000, 1),
                  HEADER.pack(COOKIE, 3, 0, 3, 1, 1000, 1) + b'\xff\xff\x7f', bytes(64 << 20)):
        packed = zlib.compress(inner)
        outer = base64.b64encode(struct.pack('>II', COMPRESSED_COOKIE, len(packed)) + packed).decode()
        with pytest.raises(HistogramError):
            decode(outer)
    log = tmp_path / 'damaged.hlog'
    for line in ('1,2', 'Tag=x', '1,x,3,' + text, '1,2,3,' + text[:50]):
        log.write_text(f'# fine\n{line}\n')
        with pytest.raises(HistogramError, match='damaged.hlog:2:'):
            read_log(log)
    log.write_bytes(b'\xff\xfe\0\x80')
    with pytest.raises(HistogramError):
        read_log(log)


def test_log_keeps_tags(tmp_path):
    log = tmp_path / 'a.hlog'
    service, intended = filled(range(1, 2000)), filled(range(5000, 9000))
    write_log(log, [Entry('service', 0, 1, service), Entry('intended', 0, 1, intended), Entry('', 1, 1, service)], 12.5)
    assert [(e.tag, e.start) for e in read_log(log)] == [('service', 0), ('intended', 0), ('', 1)]
    assert same(read_histogram(log, 'intended'), intended)
    assert read_histogram(log).count == 2 * service.count + intended.count
    assert read_histogram(log, 'absent').count == 0


@pytest.mark.skipif(not PERF_TEST.exists(), reason='perf_test is not installed')
def test_perf_test_reads_our_log(tmp_path):
    log = tmp_path / 'ours.hlog'
    histogram = filled(numpy.random.default_rng(3).lognormal(10, 2, 20_000))
    write_log(log, [Entry('service', 0, 1, histogram), Entry('service', 1, 1, histogram)])
    said = subprocess.run([PERF_TEST, '--read-hlog', log], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0, said.stderr
    tag, count, *percentiles = said.stdout.splitlines()[1].split()
    total = merged([histogram, histogram])
    assert (tag, int(count)) == ('service', 40_000)
    # It reads the file, so that it knows the maximum to the resolution only; it prints microseconds.
    for percent, value in zip((50, 90, 99, 99.9, 100), percentiles):
        assert float(value) * 1e9 == pytest.approx(total.percentile(percent), rel=1.1e-3, abs=1000)


def test_we_read_perf_tests_log():
    """A log of perf_test's own, and what `perf_test --read-hlog` says of it."""
    folder = Path(__file__).parent / 'data'
    for tag, said in json.loads((folder / 'perf_test.json').read_text()).items():
        histogram = read_histogram(folder / 'perf_test.hlog', tag)
        assert histogram.count == said['samples']
        for percent, seconds in said['percentiles'].items():
            assert histogram.percentile(float(percent)) == pytest.approx(seconds * 1e9, abs=501)
