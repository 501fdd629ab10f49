#!/usr/bin/python3
"""Writes the pages of docs/reference that follow from the sources and the programs.

    make_reference.py            writes them
    make_reference.py --check    fails when one of them is not current

commands.md is made of what the installed programs say to --help; without install/ (or --install DIR) it stays as it is.
The other pages need the sources only.
"""

import argparse
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import check_rules
from check_layers import Layers
from check_rules import has_only_interfaces, tracked_files

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / 'docs' / 'reference'
NOTE = '<!-- Written by scripts/make_reference.py: edit the sources instead, then run `make format`. -->\n'
KINDS = [('msg', 'messages'), ('srv', 'services'), ('action', 'actions')]
# Programs below lib/ of the prefix are named by package; the others lie in bin/.
PROGRAMS = ['tandem doctor', 'tandem top', 'tandem view', 'tandem gateway', 'tandem lab', 'ros2',
            'performance_test/perf_test', 'performance_test/demo']
TEST = re.compile(r'^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+),\s*(\w+)\)', re.MULTILINE)
PYTEST = re.compile(r'^ *def (test_\w+)\(', re.MULTILINE)


def link(path, text):
    return f'[{text}]({os.path.relpath(ROOT / path, PAGES)})'


def packages(files):
    """(layer, folder, name, description, dependencies) of each package that is not a test's fixture."""
    found = []
    for name, layer, file, names in check_rules.packages(files):
        if 'test' not in file.parts:
            description = ElementTree.parse(ROOT / file).getroot().findtext('description')
            found.append((layer, file.parent, name, ' '.join(description.split()), names))
    return found


def interfaces_of(folder):
    """{kind: names} of the interfaces that a package has."""
    return {kind: sorted(f.stem for f in (ROOT / folder / kind).glob('*') if f.suffix in {f'.{kind}', '.idl'})
            for kind, _ in KINDS}


def packages_page(files):
    text = ['# Packages', '',
            'A folder of `src` is a layer. Dependencies stay in a layer or point to one further down on this page.', '']
    found = packages(files)
    own = {name for _, _, name, _, _ in found}
    for (layer,), purpose in Layers(Path('src/layers.txt')).layers:
        text += [f'## {layer.capitalize()}', '', f'{purpose[0].upper()}{purpose[1:]}.', '',
                 '| package | what it is | depends on |', '| --- | --- | --- |']
        for in_layer, folder, name, description, names in found:
            if in_layer == layer and not has_only_interfaces(folder):
                readme = folder / 'README.md'
                text.append(f'| {link(readme if (ROOT / readme).is_file() else folder, name)} | {description} | '
                            f'{", ".join(sorted(names & own))} |')
        if layer == 'interfaces':
            text += ['', 'The packages of messages alone are in [interfaces.md](interfaces.md).']
        text.append('')
    return text


def interfaces_page(files):
    text = ['# Messages, services and actions', '',
            'The packages below have interfaces only. Each is found, generated and linked as in ROS 2; '
            '`ros2 interface show TYPE` prints a definition.', '']
    for _, folder, name, description, _ in packages(files):
        if has_only_interfaces(folder):
            text += [f'## {name}', '', description, '']
            for kind, title in KINDS:
                names = interfaces_of(folder)[kind]
                text += [f'* {title}: {", ".join(names)}'] if names else []
            text.append('')
    return text


def first_comment(source):
    """What a test file says of itself: the comment or docstring at its beginning, in one line."""
    found = re.match(r'(?:#![^\n]*\n)?(?:"""(.*?)(?:\n\n|""")|((?://[^\n]*\n)+))', source, re.DOTALL)
    if not found:
        return ''
    lines = found[1].splitlines() if found[1] else [line[2:] for line in found[2].split('\n//\n')[0].splitlines()]
    return ' '.join(line.strip() for line in lines).strip()


def tests_of(source, suffix):
    """The tests of a file, those in C++ by their suites."""
    if suffix == '.py':
        return ', '.join(PYTEST.findall(source))
    suites = {}
    for suite, name in TEST.findall(source):
        suites.setdefault(suite, []).append(name)
    return ' · '.join(f'**{suite}**: {", ".join(names)}' for suite, names in suites.items())


def tests_page(files):
    text = ['# Tests', '',
            'What `make test` and `make torture` run, by package. [Some are unstable](unstable-tests.md).', '']
    folders = [(folder, name) for _, folder, name, _, _ in packages(files)] + [(Path('scripts'), 'scripts')]
    sources = [file for file in files if file.suffix in {'.cpp', '.py'}]
    for folder, name in folders:
        rows = []
        for file in sources:
            if file.is_relative_to(folder):
                source = (ROOT / file).read_text(errors='replace')
                tests = tests_of(source, file.suffix)
                if tests:
                    rows.append(f'* {link(file, str(file.relative_to(folder)))}: {first_comment(source)}<br>{tests}')
        text += [f'## {name}', '', *rows, ''] if rows else []
    return text


def help_of(words, prefix):
    """What a program says to --help: its installed path is found by the prefix."""
    first, *rest = words.split()
    package, _, program = first.rpartition('/')
    path = prefix / ('lib' if package else 'bin') / package / program
    environment = {k: v for k, v in os.environ.items() if not k.startswith(('TANDEM_', 'ROS_', 'RMW_'))}
    environment |= {'COLUMNS': '110', 'AMENT_PREFIX_PATH': str(prefix), 'LD_LIBRARY_PATH': str(prefix / 'lib')}
    done = subprocess.run([path, *rest, '--help'], capture_output=True, text=True, env=environment, timeout=60)
    if done.returncode != 0:
        sys.exit(f'error: {path} {" ".join(rest)} --help failed: {done.stderr.strip()}; build anew')
    return re.sub(r'\n{3,}', '\n\n', done.stdout.strip().replace(str(prefix), 'PREFIX'))


def verbs_of(text):
    """The verbs that a program lists in its help."""
    found = re.search(r'^(?:Subcommands:|positional arguments:\n +VERB)\n((?: +\S.*\n?)+)', text, re.MULTILINE)
    return re.findall(r'^ {2,4}([a-z]+) {2,}\S', found[1], re.MULTILINE) if found else []


def commands_of(words, prefix, level=2):
    text = help_of(words, prefix)
    lines = ['#' * min(level, 4) + f' {words.rpartition("/")[2]}', '', '```text',
             *(line.rstrip() for line in text.splitlines()), '```', '']
    for verb in verbs_of(text):
        lines += commands_of(f'{words} {verb}', prefix, level + 1)
    return lines


def commands_page(prefix):
    text = ['# Commands', '', 'What each program says to `--help`.', '']
    for program in PROGRAMS:
        text += commands_of(program, prefix)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--check', action='store_true', help='write nothing; fail when a page is not current')
    parser.add_argument('--install', type=Path, default=ROOT / 'install', metavar='DIR', help='the installed programs')
    options = parser.parse_args()
    files = sorted(file for file in tracked_files() if file.parts[0] in ('src', 'scripts'))
    pages = {'packages.md': packages_page(files), 'interfaces.md': interfaces_page(files),
             'tests.md': tests_page(files)}
    if (options.install / 'bin' / 'tandem').is_file():
        pages['commands.md'] = commands_page(options.install.resolve())
    else:
        print('commands.md was left out: nothing is installed')
    stale = []
    for name, lines in pages.items():
        text = NOTE + '\n'.join(lines).rstrip('\n') + '\n'
        page = PAGES / name
        if not page.is_file() or page.read_text() != text:
            stale.append(name)
            if not options.check:
                page.write_text(text)
    for name in stale:
        print(f'docs/reference/{name}:', "not current; 'make build format' renews it" if options.check else 'renewed')
    return 1 if stale and options.check else 0


if __name__ == '__main__':
    sys.exit(main())
