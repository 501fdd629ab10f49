"""What keeps the documents true: links, headings, variables, and the pages that are made of sources and programs."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import check_rules  # noqa: E402
import draw_latency  # noqa: E402
import make_reference  # noqa: E402


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Return a function that makes a file, in a tree that the checks take for the repository."""
    monkeypatch.setattr(check_rules, 'ROOT', tmp_path)

    def make(path, text=''):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
        return Path(path)

    return make


def test_links_to_what_is_there_are_let_through(tree):
    files = [tree('pages/a.md', '# A page\n[b](sub/b.md#two-words) [here](#a-page) [web](https://example.org/x.md)\n'),
             tree('pages/sub/b.md', '# B\n\n## Two words\n\n[a](../a.md) `[no](link.md)`\n\n```\n[not](one.md)\n```\n'),
             tree('src/x.cpp', '// Nothing.\n')]
    assert list(check_rules.check_links(files)) == []


@pytest.mark.parametrize('text, what', [('[x](gone.md)', 'gone.md'), ('[x](b.md#gone)', 'b.md#gone'),
                                        ('[x](#gone)', '#gone'), ('see docs' + '/gone.md', 'gone.md')])
def test_a_broken_link_is_named(tree, text, what):
    tree('pages/b.md', '# B\n')
    (breach,) = check_rules.check_links([tree('pages/a.md', text)])
    assert breach.startswith('pages/a.md: ') and what in breach


def test_variables_that_sources_read_and_the_page_must_agree(tree):
    page = tree('docs/reference/environment.md', '| `TANDEM_A` | … |\n| `TANDEM_OLD` | … |\n')
    source = tree('src/core/src/a.cpp', 'getenv("TANDEM_A"); getenv("TANDEM_NEW"); getenv("TANDEM_TEST_SEED");')
    breaches = list(check_rules.check_variables([page, source]))
    assert len(breaches) == 2 and 'TANDEM_NEW' in breaches[0] and 'TANDEM_OLD' in breaches[1]


def test_a_test_file_is_told_by_its_comment_and_its_tests():
    source = '// What it\n// is about.\n//\n// More.\n#include <x>\nTEST(A, One) {}\nTEST_P(B, Two) {}\nTEST(A, Three)'
    assert make_reference.first_comment(source) == 'What it is about.'
    assert make_reference.tests_of(source, '.cpp') == '**A**: One, Three · **B**: Two'
    source = '#!/usr/bin/python3\n"""What it is.\n\nMore."""\ndef test_one():\n    pass\n'
    assert make_reference.first_comment(source) == 'What it is.'
    assert make_reference.tests_of(source, '.py') == 'test_one'
    assert make_reference.first_comment('#include <x>\n') == ''


def test_verbs_are_found_in_the_help_of_either_kind():
    cli11 = 'Usage: x\n\nSubcommands:\n  run    Run it\n  list   List it\n\nMore\n'
    argparse = 'positional arguments:\n  VERB\n    run   measure: a suite\n          or a file\n'
    assert make_reference.verbs_of(cli11) == ['run', 'list']
    assert make_reference.verbs_of(argparse) == ['run']
    assert make_reference.verbs_of('Options:\n  -h  help\n') == []


def test_the_picture_is_drawn_from_the_figures_that_are_kept():
    figures = draw_latency.json.loads(draw_latency.DATA.read_text())
    assert draw_latency.PICTURE.read_text() == draw_latency.picture(figures)
