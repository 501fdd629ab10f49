"""Arrows between sources: those that run up, circles, and folders that layers.txt does not know."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import check_layers  # noqa: E402
import check_rules  # noqa: E402


@pytest.fixture
def breaches(tmp_path, monkeypatch):
    """Return a function that gets {path: text} and returns what is wrong with that tree."""
    monkeypatch.setattr(check_rules, 'ROOT', tmp_path)

    def check(files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        paths = [Path(path) for path in files]
        return list(check_layers.breaches(paths, check_layers.trees_of(paths), check_layers.arrows_of(paths)))

    return check


def package(name, *depends):
    return f'<package><name>{name}</name>{"".join(f"<depend>{d}</depend>" for d in depends)}</package>'


LAYERS = '# From top to bottom.\ntop: what users have\nleft, right: two that do not know each other\nbottom: the rest\n'


def cpp(**sources):
    """A package of C++ with these sources, such as top='bottom/bottom.hpp': what each part's header includes."""
    files = {'src/core/p/package.xml': package('p'), 'src/core/p/src/layers.txt': LAYERS}
    for part in ('top', 'left', 'right', 'bottom'):
        included = sources.get(part)
        text = f'#include "{included}"\n' if included else ''
        files[f'src/core/p/src/{part}/{part}.hpp'] = f'// A part.\n{text}'
    return files


def test_what_lies_below_may_be_used(breaches):
    assert breaches(cpp(top='left/left.hpp', left='bottom/bottom.hpp', right='bottom/bottom.hpp')) == []


def test_an_include_that_runs_up_is_named_with_file_and_line(breaches):
    (breach,) = breaches(cpp(bottom='top/top.hpp'))
    assert breach.startswith('src/core/p/src/bottom/bottom.hpp:2: uses src/core/p/src/top/top.hpp')
    assert "'top' is above 'bottom' in src/core/p/src/layers.txt:4" in breach


def test_what_stands_beside_may_not_be_used(breaches):
    (breach,) = breaches(cpp(left='right/right.hpp'))
    assert "'right' is beside 'left'" in breach


def test_a_circle_within_a_folder_is_named(breaches):
    files = {'src/core/p/package.xml': package('p'), 'src/core/p/a.hpp': '#include "b.hpp"\n',
             'src/core/p/b.hpp': '#include "a.hpp"\n'}
    (breach,) = breaches(files)
    assert 'a circle of files' in breach and 'src/core/p/a.hpp:1' in breach and 'src/core/p/b.hpp:1' in breach


def test_folders_and_layers_must_agree(breaches):
    files = cpp()
    del files['src/core/p/src/left/left.hpp']
    files['src/core/p/src/new/new.hpp'] = '// New.\n'
    first, second = sorted(breaches(files))
    assert "names 'left', which is not there" in second or "names 'left', which is not there" in first
    assert any("does not name 'new'" in breach for breach in (first, second))


def python(**modules):
    files = {'src/tools/p/p/__init__.py': '', 'src/tools/p/p/layers.txt': 'top: one\nbottom: other\n'}
    for name in ('top', 'bottom'):
        files[f'src/tools/p/p/{name}/__init__.py'] = ''
        files[f'src/tools/p/p/{name}/code.py'] = '"""A module."""\n' + modules.get(name, '')
    return files


@pytest.mark.parametrize('line', ['from ..top import code\n', 'from p.top.code import x\n', 'import p.top.code\n',
                                  'def f():\n    from .. import top\n'])
def test_an_import_that_runs_up_is_named_with_file_and_line(breaches, line):
    found = breaches(python(bottom=line))
    assert found and all(b.startswith(f'src/tools/p/p/bottom/code.py:{1 + line.count(chr(10))}: ') for b in found)
    assert all("'top' is above 'bottom' in src/tools/p/p/layers.txt:2" in breach for breach in found)


def test_imports_that_run_down_are_let_through(breaches):
    assert breaches(python(top='import os\nfrom ..bottom import code\n')) == []


def test_a_circle_through_what_a_package_imports_is_named(breaches):
    files = {'src/tools/p/p/__init__.py': '', 'src/tools/p/p/a.py': 'def f():\n    from .b.c import x\n',
             'src/tools/p/p/b/__init__.py': 'from ..a import f\n', 'src/tools/p/p/b/c.py': ''}
    (breach,) = breaches(files)
    assert 'a circle of files' in breach and 'src/tools/p/p/a.py:2' in breach


def test_what_type_checkers_alone_import_is_no_circle(breaches):
    checked = 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import f\n'
    assert breaches({'src/tools/p/p/__init__.py': '', 'src/tools/p/p/a.py': 'from .b import g\n',
                     'src/tools/p/p/b.py': checked}) == []


def test_packages_depend_downwards_and_in_no_circle(breaches):
    layers = {'src/layers.txt': 'tools: above\ncore: below\n'}
    (breach,) = breaches({**layers, 'src/core/a/package.xml': package('a', 'b'),
                          'src/tools/b/package.xml': package('b')})
    assert breach.startswith("src/core/a/package.xml: a depends on b, but 'tools' is above 'core'")
    (breach,) = breaches({**layers, 'src/core/a/package.xml': package('a', 'b'),
                          'src/core/b/package.xml': package('b', 'a'), 'src/tools/c/package.xml': package('c')})
    assert 'a circle of packages' in breach


def test_a_large_folder_says_what_it_is_for(breaches):
    files = cpp()
    for number in range(6):
        files[f'src/core/p/src/left/{number}.cpp'] = '// One of many.\n'
    (breach,) = breaches(files)
    assert breach.startswith('src/core/p/src/left: no README.md')
    assert breaches({**files, 'src/core/p/src/left/README.md': '# left\n'}) == []


def test_a_heap_of_sources_is_to_be_divided(breaches):
    files = {f'src/tools/p/src/{number}.cpp': '' for number in range(26)}
    (breach,) = breaches(files)
    assert breach.startswith('src/tools/p/src: 26 sources, at most 25')
    assert breaches({path.replace('p/src', 'p/test'): text for path, text in files.items()}) == []
