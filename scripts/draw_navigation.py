#!/usr/bin/python3
"""Draws docs/results/navigation.svg: where Navigation2 drove the simulated robot.

    draw_navigation.py ODOM.csv PLAN.csv

The files are what these print during the drive (docs/results/stacks.md has all commands):

    ros2 topic echo --csv /odom
    ros2 topic echo --csv --full-length /plan

The picture is plain SVG with colours that can be read on white and on black.
"""

import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAP = ROOT / 'src' / 'examples' / 'simulated_robot' / 'maps' / 'rooms.pbm'
PICTURE = ROOT / 'docs' / 'results' / 'navigation.svg'
CELL, ORIGIN = 0.1, (-2.0, -4.0)  # m, of maps/rooms.yaml
SCALE = 60  # of 1 m in the picture
MARGIN, HEAD = 10, 34
GREY, PLAN, PATH = '#7d8590', '#cf7d10', '#2f81f7'
DASHES = ' stroke-dasharray="7 5"'
# Columns of one line of `--csv`.
ODOM_X, ODOM_Y = 4, 5
PLAN_HEADER, PLAN_POSE, POSE_X, POSE_Y = 3, 10, 3, 4


def grid():
    """The map's rows of cells, from the top; '1' is a wall."""
    words = [line for line in MAP.read_text().splitlines() if not line.startswith('#')]
    assert words[0] == 'P1'
    return words[2:]


def rows(path):
    with open(path, newline='') as file:
        return [row for row in csv.reader(file) if row]


def driven(path):
    return [(float(row[ODOM_X]), float(row[ODOM_Y])) for row in rows(path)]


def first_plan(path):
    poses = [cell for cell in rows(path)[0][PLAN_HEADER:] if cell]
    return [(float(poses[i + POSE_X]), float(poses[i + POSE_Y])) for i in range(0, len(poses), PLAN_POSE)]


class Picture:
    def __init__(self, cells):
        self.cells = cells
        self.width = len(cells[0]) * CELL * SCALE + 2 * MARGIN
        self.height = len(cells) * CELL * SCALE + MARGIN + HEAD
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
                      'font-family="sans-serif" font-size="14">']

    def at(self, point):
        top = ORIGIN[1] + len(self.cells) * CELL
        return MARGIN + (point[0] - ORIGIN[0]) * SCALE, HEAD + (top - point[1]) * SCALE

    def walls(self):
        for number, row in enumerate(self.cells):
            start = row.find('1')
            while start >= 0:
                end = row.find('0', start)
                end = len(row) if end < 0 else end
                self.parts.append(f'<rect x="{MARGIN + start * CELL * SCALE:g}" y="{HEAD + number * CELL * SCALE:g}" '
                                  f'width="{(end - start) * CELL * SCALE:g}" height="{CELL * SCALE:g}" fill="{GREY}"/>')
                start = row.find('1', end)

    def line(self, points, colour, dashes=''):
        path = ' '.join(f'{x:.1f},{y:.1f}' for x, y in map(self.at, points))
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="3"{dashes}/>')

    def dot(self, point, words):
        x, y = self.at(point)
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{PATH}"/>'
                          f'<text x="{x:.1f}" y="{y - 14:.1f}" text-anchor="middle" fill="{GREY}">{words}</text>')

    def legend(self):
        x = MARGIN
        for words, colour, dashes in (('planned at the start', PLAN, DASHES), ('driven', PATH, '')):
            self.parts.append(f'<line x1="{x}" y1="18" x2="{x + 30}" y2="18" stroke="{colour}" '
                              f'stroke-width="3"{dashes}/><text x="{x + 38}" y="23" fill="{GREY}">{words}</text>')
            x += 210

    def text(self):
        return '\n'.join([*self.parts, '</svg>', ''])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path, plan = driven(sys.argv[1]), first_plan(sys.argv[2])
    picture = Picture(grid())
    picture.walls()
    picture.legend()
    picture.line(plan, PLAN, DASHES)
    picture.line(path, PATH)
    picture.dot(path[0], 'start')
    picture.dot(path[-1], 'goal reached')
    PICTURE.write_text(picture.text())
    print(f'{PICTURE.relative_to(ROOT)}: {len(path)} positions, from {path[0]} to {path[-1]}')


if __name__ == '__main__':
    main()
