"""A result for people: tables for the terminal and for docs/results/benchmark.md. In a table the first row is the
header, the first column is text, all others are figures."""

import os

BEGIN = '<!-- tables: begin -->\n'
END = '<!-- tables: end -->\n'


def time_text(nanoseconds):
    """Three digits and a unit: '212 ns', '1.95 us', '27.3 us'."""
    value, unit = nanoseconds, 'ns'
    for larger in ('us', 'ms', 's'):
        if abs(value) < 999.5:
            break
        value, unit = value / 1000, larger
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return '%.*f %s' % (digits, value, unit)


def is_of_transports(series):
    """They have tables of their own."""
    return series['name'].startswith('transports.')


def series_table(result):
    rows = [('time', 'p50', '95 % interval', 'p90', 'p99', 'p99.9', 'max')]
    for series in result['series']:
        if not is_of_transports(series):
            p50 = series['p50']
            rows.append((series['what'], time_text(p50['value']),
                         '%s .. %s' % (time_text(p50['low']), time_text(p50['high'])),
                         *(time_text(series[key]) for key in ('p90', 'p99', 'p999', 'max'))))
    return rows


def target_table(result):
    rows = [('ratio or difference of p50s, or slope', 'measured', '95 % interval', 'at most', 'verdict')]
    for target in result['targets']:
        text = time_text if target['unit'] == 'ns' else '{:.2f}'.format
        told = (text(target['limit']), 'met' if target['met'] else 'missed') if 'limit' in target else ('', '')
        rows.append((target['what'], text(target['value']), '%s .. %s' % (text(target['low']), text(target['high'])),
                     *told))
    return rows


def transport_tables(result):
    """Blocking, processor time, polling: a row for each transport, a column for each size. The floors come first, then
    the fastest at the first size."""
    p50s = {series['name']: series['p50']['value'] for series in result['series']}
    titles = {}  # player: its title
    cells = {}  # (how, player, size): p50
    columns = {}  # size in bytes: in words
    for series in filter(is_of_transports, result['series']):
        how, player, size = series['name'].removeprefix('transports.').split('.')
        _, title, words = series['what'].split(', ')
        titles[player], columns[int(size)] = title, words
        cells[how, player, int(size)] = series['p50']['value']
    tables = []
    for how, title, floor in (('block', 'one way, blocking (p50)', 'floor.futex'),
                              ('cpu', 'processor time of a message, blocking', None),
                              ('poll', 'one way, polling (p50)', 'floor.cache_line')):
        values = {player: [cells.get((how, player, size)) for size in columns] for player in titles}
        rows = sorted((row, titles[player]) for player, row in values.items() if None not in row)
        if rows and floor in p50s:
            rows.insert(0, ([p50s[floor]] * len(columns), floor.replace('.', ': ').replace('_', ' ')))
        tables.append([(title, *columns.values()), *((name, *map(time_text, row)) for row, name in rows)])
    return tables


def facts(result):
    """Lines about the machine and the run."""
    def text(value):
        return value if isinstance(value, str) else '%.2f' % value if isinstance(value, float) else str(value)
    machine = {key: text(value) for key, value in result['machine'].items()}
    settings = {key: text(value) for key, value in result['settings'].items()}
    return [
        '{processors} processors of {cpu}, virtualised: {virtualised}, frequency governor: {governor}'.format(
            **machine),
        '{kernel}, clock source {clock_source}'.format(**machine),
        'load average before the run {load_before}, time taken by the hypervisor during it {stolen_percent} %'.format(
            **machine),
        'revision {revision}, compiler {compiler}'.format(**machine) +
        ', started %s, %s rounds in %.0f s' % (result['started'], settings['rounds'], result['seconds']),
        'processors {cpus}, {qos}, {middleware}, TANDEM_SPIN_US={TANDEM_SPIN_US}'.format(**settings)]


def all_tables(result):
    tables = [*transport_tables(result), target_table(result), series_table(result)]
    return [table for table in tables if len(table) > 1]


def plain(table):
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = ([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
             for row in table)
    return ''.join('  '.join(line) + '\n' for line in lines)


def markdown(table):
    header, *rows = ('| %s |\n' % ' | '.join(row) for row in table)
    return header + '| --- |' + ' ---: |' * (len(table[0]) - 1) + '\n' + ''.join(rows)


def render_terminal(result):
    text = '\n' + ''.join(plain(table) + '\n' for table in all_tables(result))
    text += ''.join(fact + '\n' for fact in facts(result))
    if result['settings']['quick']:
        text += 'quick: these figures show that everything works, not how fast it is\n'
    return text


def render_markdown(result):
    return ''.join('* %s\n' % fact for fact in facts(result)) + ''.join(
        '\n' + markdown(table) for table in all_tables(result))


def write_markdown(path, tables):
    """Replaces what stands between the two comments of the file; a file that does not exist, or has no such lines,
    becomes or gets one such section at its end."""
    text = path.read_text() if path.exists() else ''
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    section = BEGIN + '\n' + tables + '\n' + END
    write_file(path, before + section + after if begin and end else text + section)


def write_file(path, text):
    os.makedirs(path.parent, exist_ok=True)
    path.write_text(text)
