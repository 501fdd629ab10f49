"""The numbers of each chart as CSV: the same bytes as the report's CSV buttons give (assets/card.js, csvText)."""

import math
import re
from decimal import Decimal

BOX_FIELDS = ['min', 'q1', 'median', 'q3', 'max', 'n']
POINT_FIELDS = ['y', 'low', 'high', 'n']


def write(analysis, folder):
    """Write folder/charts/*.csv; returns their paths."""
    written = []
    for section in analysis.get('sections') or []:
        for chart in section.get('charts') or []:
            file = folder / 'charts' / f'{file_name(chart)}.csv'
            file.parent.mkdir(exist_ok=True)
            file.write_text(csv_of(chart), encoding='utf-8', newline='')
            written.append(file)
    return written


def file_name(chart):
    """The chart's id, whatever it is, as a name that stays in its folder."""
    return re.sub(r'[^A-Za-z0-9._-]|^\.+', '_', str(chart.get('id', 'chart')))[:120]


def csv_of(chart):
    """Header and one row a point, as text."""
    fields = BOX_FIELDS if chart.get('shape') == 'boxes' else POINT_FIELDS
    x, y = axis_label(chart, 'x'), axis_label(chart, 'y')
    rows = [['system', x or 'x', *((y or 'y') if field == 'y' else field for field in fields)]]
    for series in chart.get('series') or []:
        name = series.get('name', series.get('contestant'))
        for point in series.get('points') or []:
            rows.append([name, point.get('x'), *map(point.get, fields)])
    return ''.join(','.join(map(field_of, row)) + '\n' for row in rows)


def axis_label(chart, which):
    """Label and unit of an axis."""
    axis = chart.get(which) or {}
    unit = f"({axis['unit']})" if axis.get('unit') else ''
    return ' '.join(part for part in (axis.get('label'), unit) if part)


def field_of(value):
    """A value as it stands in a CSV file, quoted where it must be."""
    text = number_text(value) if isinstance(value, (int, float)) else '' if value is None else str(value)
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) else text


def number_text(value):
    """The shortest text that reads back as the same number, spelled as browsers do; nothing for what is no number."""
    if isinstance(value, bool):
        return str(value).lower()
    if not math.isfinite(value):
        return ''
    number = float(value)
    if number == 0 or 1e-6 <= abs(number) < 1e21:
        text = format(Decimal(repr(number)), 'f')
        return '0' if number == 0 else text.rstrip('0').rstrip('.') if '.' in text else text
    mantissa, exponent = f'{Decimal(repr(number)):e}'.split('e')
    mantissa = mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa
    return f'{mantissa}e{int(exponent):+d}'
