"""HdrHistogram's log files, which its own tools and perf_test read too. An entry is a line of

    [Tag=name,]start,length,max,base64     start and length in s, max in ms
"""

from dataclasses import dataclass
from pathlib import Path

from tandem_lab.results.histogram import Histogram, HistogramError, merged
from tandem_lab.results.histogram_encoding import decode, encode


@dataclass
class Entry:
    """One line of a log. `start` is in s since the log's StartTime, `length` in s."""

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
                     + encode(entry.histogram))
    Path(path).write_text('\n'.join(lines) + '\n')


def read_log(path):
    """All entries. Raises HistogramError with file and line, OSError when the file cannot be read."""
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
    return Entry(tag, start, length, decode(fields[3]))


def read_histogram(path, tag=None):
    """The entries with this tag (None: all entries), merged; an empty histogram when there are none."""
    return merged(entry.histogram for entry in read_log(path) if tag is None or entry.tag == tag)
