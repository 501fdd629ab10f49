#!/usr/bin/python3
"""Draws docs/results/latency-by-size.svg, the README's picture, from latency-by-size.json beside it.

    draw_latency.py               draws the picture
    draw_latency.py --from RUN    takes the figures from a run of docs/results/latency-by-size.yaml first

The picture is plain SVG with colours that can be read on white and on black.
"""

import argparse
import json
import math
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / 'docs' / 'results'
DATA, PICTURE = RESULTS / 'latency-by-size.json', RESULTS / 'latency-by-size.svg'
# Name and colour of each line, and whether it is dashed; the key is the contestant and whether messages were loaned.
LINES = {'cyclonedds': ('Cyclone DDS', '#9a6ce8', False), 'fastdds': ('Fast DDS', '#cf7d10', False),
         'tandem': ('Tandem, copied', '#2f81f7', True), 'tandem zero-copy': ('Tandem, zero-copy', '#2f81f7', False)}
LARGEST = 4 << 20  # bytes; with 8 MiB Cyclone DDS took 5 to 180 ms in this run, which would flatten the others
WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 600, 46, 344  # of the plot
LOWEST, HIGHEST = 2e4, 1e7  # ns
GREY = '#7d8590'


def figures_of(run):
    """What is kept of a run: machine, date, and p50 with its interval by line and size, in ns."""
    analysis = json.loads((run / 'analysis.json').read_text())
    chart = next(c for s in analysis['sections'] for c in s['charts'] if c['id'] == 'perf-test-size-1')
    lines = {series['contestant'] + (' zero-copy' if series['variant']['zero_copy'] else ''):
             [{'bytes': p['x'], 'p50_ns': p['y'], 'low_ns': p['low'], 'high_ns': p['high'], 'runs': p['n']}
              for p in series['points']] for series in chart['series']}
    return {'started': analysis['run']['started'], 'versions': {c['id']: c['version'] for c in analysis['contestants']},
            'machine': {f['name']: f['value'] for f in analysis['machine']['facts']}, 'lines': lines}


def x_of(size):
    return LEFT + (RIGHT - LEFT) * (math.log2(size) - 10) / (math.log2(LARGEST) - 10)


def y_of(nanoseconds):
    return BOTTOM - (BOTTOM - TOP) * math.log(nanoseconds / LOWEST) / math.log(HIGHEST / LOWEST)


def text(x, y, words, anchor='middle', colour=GREY, weight='normal', size=13):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}" '
            f'font-size="{size}">{words}</text>')


def line(x1, y1, x2, y2, colour=GREY, width=1.0, opacity=1.0):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}" stroke-opacity="{opacity}"/>')


def axes():
    parts = [text(LEFT - 60, 22, 'Latency of a message between two processes, by its size (median)', 'start',
                  weight='bold', size=15)]
    for label, value in [('20 µs', 2e4), ('50 µs', 5e4), ('100 µs', 1e5), ('200 µs', 2e5), ('500 µs', 5e5),
                         ('1 ms', 1e6), ('2 ms', 2e6), ('5 ms', 5e6), ('10 ms', 1e7)]:
        parts += [line(LEFT, y_of(value), RIGHT, y_of(value), opacity=0.25),
                  text(LEFT - 8, y_of(value) + 4, label, 'end')]
    for label, size in [('1 KiB', 1 << 10), ('16 KiB', 1 << 14), ('64 KiB', 1 << 16), ('256 KiB', 1 << 18),
                        ('1 MiB', 1 << 20), ('4 MiB', 1 << 22)]:
        parts += [line(x_of(size), TOP, x_of(size), BOTTOM, opacity=0.12), text(x_of(size), BOTTOM + 20, label)]
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 44,
                      'lower is better; both axes are logarithmic; bars: 95 % interval of five runs', size=12))
    return parts


def curve(key, points):
    name, colour, dashed = LINES[key]
    points = [p for p in points if p['bytes'] <= LARGEST]
    way = ' '.join(f'{x_of(p["bytes"]):.1f},{y_of(p["p50_ns"]):.1f}' for p in points)
    parts = [f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-linejoin="round"'
             + (' stroke-dasharray="7 5"' if dashed else '') + '/>']
    for p in points:
        x = x_of(p['bytes'])
        parts += [line(x, y_of(p['low_ns']), x, y_of(p['high_ns']), colour, 1.5, 0.6),
                  f'<circle cx="{x:.1f}" cy="{y_of(p["p50_ns"]):.1f}" r="3.5" fill="{colour}"/>']
    return parts, (y_of(points[-1]['p50_ns']), name, colour)


def picture(figures):
    parts, labels = axes(), []
    for key in LINES:
        drawn, label = curve(key, figures['lines'][key])
        parts += drawn
        labels.append(label)
    below = 0.0
    for y, name, colour in sorted(labels):  # names beside the ends of the lines, one above the other
        below = max(y + 4, below + 18)
        parts.append(text(RIGHT + 12, below, name, 'start', colour, 'bold'))
    return '\n'.join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
                      f'height="{HEIGHT}" font-family="system-ui, sans-serif" role="img">',
                      '<title>Latency by message size: Tandem, Fast DDS, Cyclone DDS</title>', *parts, '</svg>', ''])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--from', dest='run', type=Path, metavar='RUN', help="the folder of a laboratory's run")
    run = parser.parse_args().run
    if run:
        DATA.write_text(json.dumps(figures_of(run), indent=1) + '\n')
    PICTURE.write_text(picture(json.loads(DATA.read_text())))


if __name__ == '__main__':
    main()
