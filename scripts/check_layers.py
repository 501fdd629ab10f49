#!/usr/bin/python3
"""Whether sources use only what lies below them, as layers.txt files say. Prints breaches as path:line: what is wrong.

A layers.txt names the parts of the folder that it lies in, from top to bottom, a line for each layer:

    program: the command line and the service
    reader, writer: what is done with files
    format: what lies in files

A part is a folder or a source without one. It may use itself and the layers below, and neither what is above nor what
stands beside it in its line. src/layers.txt says so of packages, which use each other as their package.xml tells: a
layer is a folder of packages that may use each other. There may be no circle anywhere, of files or of packages.

With --draw it draws docs/images/layers.svg anew instead, if that is not current.
"""

import ast
import graphlib
import re
import sys
from pathlib import Path

import check_rules
import draw_layers
from check_rules import text_of, tracked_files

CPP = {'.hpp', '.h', '.cpp', '.c'}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
MOST_WITHOUT_README = 5
MOST_SOURCES = 25
RCLPY = Path('src/client/rclpy/rclpy')


class Layers:
    """What the layers.txt of a folder says."""

    def __init__(self, file):
        self.file = file
        self.folder = file.parent
        self.lines = {}  # name of a part: its line in the file, and its layer's number from the top
        self.layers = []  # pairs of names and purpose
        for number, line in enumerate(text_of(file).splitlines(), 1):
            line = line.split('#')[0].strip()
            if line:
                names, _, purpose = line.partition(':')
                names = [name.strip() for name in names.split(',')]
                self.lines.update({name: (number, len(self.layers)) for name in names})
                self.layers.append((names, purpose.strip()))

    def part(self, file):
        """The part that a file belongs to, or None."""
        if self.folder not in file.parents or file == self.file:
            return None
        first = Path(file.relative_to(self.folder).parts[0])
        return first.name.split('.')[0] if first.suffix else first.name

    def breach(self, file, target):
        """Why a file may not use another; None if it may, or if one of them lies elsewhere."""
        user, used = self.part(file), self.part(target)
        if user == used or not {user, used} <= self.lines.keys():
            return None
        distance = self.lines[used][1] - self.lines[user][1]
        if distance > 0:
            return None
        return f"'{used}' is {'above' if distance < 0 else 'beside'} '{user}' in {self.file}:{self.lines[user][0]}"


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def includes(file, packages):
    """(line, file) of what a C++ source includes of its own package. `packages`: their folders."""
    package = next((folder for folder in file.parents if folder in packages), None)
    if package is None:
        return
    inner = [folder for folder in file.parents if package in folder.parents]  # src, include, and those in them
    text = text_of(file)
    for match in INCLUDE.finditer(text):
        for folder in [file.parent, *inner, package, package / 'src', package / 'include']:
            target = (check_rules.ROOT / folder / match[1]).resolve()
            if target.is_file() and target.is_relative_to(check_rules.ROOT / package):
                yield line_of(text, match.start()), target.relative_to(check_rules.ROOT)
                break


def modules_of(files):
    """Name of each Python module in a package: its file. Tests are no packages."""
    packages = {file.parent for file in files if file.name == '__init__.py'}
    modules = {}
    for file in files:
        if file.suffix == '.py' and file.parent in packages:
            names = [file.stem] if file.stem != '__init__' else []
            folder = file.parent
            while folder in packages:
                names.insert(0, folder.name)
                folder = folder.parent
            modules['.'.join(names)] = file
    return modules


def run(tree):
    """The nodes of a module without what stands behind `if TYPE_CHECKING:`, which never runs."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == 'TYPE_CHECKING':
            continue
        yield node
        yield from run(node)


def imports(name, file, modules):
    """(line, file) of what a module imports of `modules`, wherever in the module, but for type checkers alone."""
    package = name if file.name == '__init__.py' else name.rpartition('.')[0]
    for node in run(ast.parse(text_of(file))):
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ''
            if node.level:
                above = package.split('.')[:len(package.split('.')) - node.level + 1]
                base = '.'.join([*above, base]).rstrip('.')
            wanted = [f'{base}.{alias.name}' if f'{base}.{alias.name}' in modules else base for alias in node.names]
        else:
            continue
        for module in wanted:
            # With a module its packages are imported, but for those that hold this one: they are there already.
            names = module.split('.')
            for length in range(len(names), 0, -1):
                used = '.'.join(names[:length])
                if used in modules and not f'{name}.'.startswith(f'{used}.'):
                    yield node.lineno, modules[used]


def arrows_of(files):
    """file: {file that it uses: line} of all C++ and Python sources."""
    packages = {file.parent for file in files if file.name == 'package.xml'}
    modules = modules_of(files)
    arrows = {file: {} for file in files if file.suffix in CPP or file.suffix == '.py'}
    for file in files:
        if file.suffix in CPP:
            arrows[file] = {target: line for line, target in includes(file, packages) if target != file}
    for name, file in modules.items():
        arrows[file] = {target: line for line, target in imports(name, file, modules)}
    return arrows


def check_parts(trees, files):
    """Everything in the folder of a layers.txt is named in it, and what is named is there."""
    for tree in trees:
        there = {tree.part(file): file for file in files
                 if (file.suffix in CPP | {'.py'} or file.name == 'package.xml')
                 and tree.part(file) not in {None, '__init__', 'conftest'}}
        for part in sorted(there.keys() - tree.lines.keys()):
            yield f"{tree.file}: does not name '{part}', to which {there[part]} belongs"
        for part in sorted(tree.lines.keys() - there.keys()):
            yield f"{tree.file}:{tree.lines[part][0]}: names '{part}', which is not there"


def check_arrows(trees, arrows):
    for tree in trees:
        for file, targets in arrows.items():
            for target, line in targets.items():
                breach = tree.breach(file, target)
                if breach:
                    yield f'{file}:{line}: uses {target}, but {breach}'


def check_circles(arrows, what):
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1][::-1]
        steps = [f'{user}{f":{arrows[user][used]}" if isinstance(arrows[user], dict) else ""}'
                 for user, used in zip(circle, circle[1:])]
        yield f'{steps[0]}: a circle of {what}: {" -> ".join([*steps, str(circle[-1])])}'


def packages_of(files):
    return [package for package in check_rules.packages(files) if 'test' not in package[2].parts]


def check_packages(trees, packages):
    for tree in trees:
        for name, (file, dependencies) in packages.items():
            for dependency in sorted(dependencies & packages.keys()):
                breach = tree.breach(file, packages[dependency][0])
                if breach:
                    yield f'{file}: {name} depends on {dependency}, but {breach}'


def check_readmes(trees, files):
    """A part of more than a few sources says what it is for, and where to start."""
    for tree in trees:
        for part in tree.lines if tree.folder != Path('src') else []:
            folder = tree.folder / part
            sources = [file for file in files if file.parent == folder and file.suffix in CPP | {'.py'}]
            if len(sources) > MOST_WITHOUT_README and folder / 'README.md' not in files:
                yield f'{folder}: no README.md; say in a few lines what it is for, what it may use and where to start'


def check_sizes(files):
    """No folder is a heap of sources.

    Tests are named by what they test, and installed headers and the modules of rclpy as ROS 2 has them.
    """
    counts = {}
    for file in files:
        if file.suffix in CPP | {'.py'} and file.parts[0] == 'src' and not {'test', 'include'} & set(file.parts):
            counts[file.parent] = counts.get(file.parent, 0) + 1
    for folder, count in counts.items():
        if count > MOST_SOURCES and folder != RCLPY:
            yield f'{folder}: {count} sources, at most {MOST_SOURCES} are allowed; divide it, and write a layers.txt'


def trees_of(files):
    return [Layers(file) for file in files if file.name == 'layers.txt']


def breaches(files, trees, arrows):
    packages = {name: (file, names) for name, _, file, names in packages_of(files)}
    yield from check_parts(trees, files)
    yield from check_arrows(trees, arrows)
    yield from check_circles(arrows, 'files')
    yield from check_packages(trees, packages)
    yield from check_circles({name: dependencies & packages.keys() for name, (_, dependencies) in packages.items()},
                             'packages')
    yield from check_readmes(trees, files)
    yield from check_sizes(files)


def picture(files):
    """The picture of ARCHITECTURE.md, in graphviz's language."""
    return draw_layers.source(Layers(Path('src/layers.txt')), Layers(draw_layers.CORE), packages_of(files))


def main():
    files = tracked_files()
    drawn = picture(files)
    is_current = draw_layers.is_current(drawn)
    if '--draw' in sys.argv:
        if not is_current:
            draw_layers.draw(drawn)
        return 0
    trees, arrows = trees_of(files), arrows_of(files)
    found = list(breaches(files, trees, arrows))
    if not is_current:
        found.append(f"{draw_layers.PICTURE}: shows other layers than there are by now; 'make format' draws it anew")
    count = sum(map(len, arrows.values()))
    print('\n'.join(found) if found else f'layers: {len(trees)} trees, {count} arrows between files, none runs up')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
