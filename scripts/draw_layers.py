"""Draws the layers of src, and those of the core within it, as ARCHITECTURE.md shows them: docs/images/layers.svg.

The picture is made of the layers.txt and package.xml files by graphviz. The svg keeps its source's hash, by which
check_layers.py sees whether it is current without graphviz.
"""

import hashlib
import html
import subprocess
import textwrap
from pathlib import Path

import check_rules

PICTURE = Path('docs/images/layers.svg')
CORE = Path('src/core/src/layers.txt')
WIDTH = 92  # characters of a list of packages
COLOURS = {'examples': '#f4f4f0', 'tools': '#e3ecf7', 'client': '#cfe0f5', 'gateway': '#d9ead3',
           'transports': '#fde9c9', 'interfaces': '#f3dcec', 'core': '#f8d4cc'}


def _row(text, size=11, bold=False):
    lines = '<br align="left"/>'.join(html.escape(line) for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False))
    shown = f'<b>{lines}</b>' if bold else lines
    return f'<tr><td align="left" balign="left"><font point-size="{size}">{shown}</font></td></tr>'


def _core_rows(layers):
    cells = ''.join(f'<tr><td align="left"><b>{" · ".join(names)}</b></td>'
                    f'<td align="left">{html.escape(purpose)}</td></tr>' for names, purpose in layers)
    return f'<tr><td><table border="0" cellborder="1" cellspacing="0" color="#b07060">{cells}</table></td></tr>'


def source(tree, core, packages):
    """The picture in graphviz's language. `packages`: (name, layer, package.xml, dependencies) of each."""
    order = [name for names, _ in tree.layers for name in names]
    members, uses = {layer: [] for layer in order}, {layer: set() for layer in order}
    layer_of = {name: layer for name, layer, _, _ in packages}
    messages = 0
    for name, layer, file, dependencies in sorted(packages):
        if check_rules.has_only_interfaces(file.parent):
            messages += 1
        else:
            members[layer].append(name)
        uses[layer] |= {layer_of[used] for used in dependencies if used in layer_of} - {layer}
    lines = ['digraph layers {', 'rankdir=TB; nodesep=0.3; ranksep=0.35; bgcolor="white";',
             'node [shape=plain, fontname="Helvetica", fontsize=11]; edge [color="#707070", arrowsize=0.7];']
    for names, purpose in tree.layers:
        for layer in names:
            if layer == 'interfaces':
                members[layer].append(f'{messages} packages of messages')
            inside = _core_rows(core.layers) if layer == 'core' else _row(', '.join(members[layer]), 9)
            rows = _row(layer, 15, True) + _row(purpose) + inside
            lines.append(f'{layer} [label=<<table border="1" cellborder="0" cellspacing="0" cellpadding="3" '
                         f'bgcolor="{COLOURS.get(layer, "white")}" color="#606060">{rows}</table>>];')
    # An arrow that others lead to as well says nothing new.
    reach = {}
    for layer in reversed(order):
        reach[layer] = uses[layer].union(*(reach[used] for used in uses[layer]))
    for layer in order:
        for used in sorted(uses[layer], key=order.index):
            if not any(used in reach[other] for other in uses[layer] - {used}):
                lines.append(f'{layer} -> {used};')
    # One layer below the other, in their order.
    lines.append(' -> '.join(order) + ' [style=invis];')
    return '\n'.join([*lines, '}', ''])


def digest(text):
    return f'<!-- made by scripts/draw_layers.py of {hashlib.sha256(text.encode()).hexdigest()} -->'


def draw(text):
    svg = subprocess.run(['dot', '-Tsvg'], input=text, capture_output=True, text=True, check=True).stdout
    path = check_rules.ROOT / PICTURE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg.rstrip() + '\n' + digest(text) + '\n')


def is_current(text):
    path = check_rules.ROOT / PICTURE
    return path.is_file() and digest(text) in path.read_text()
