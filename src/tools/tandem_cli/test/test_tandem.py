"""tandem finds its verbs beside itself and becomes them."""

import os
import shutil
import subprocess
import sys

import pytest


@pytest.fixture
def tandem(tmp_path):
    folder = tmp_path / 'bin'
    folder.mkdir()
    program = folder / 'tandem'
    shutil.copy(os.environ['TANDEM'], program)
    verb = folder / 'tandem-say'
    verb.write_text(f'#!{sys.executable}\nimport os, sys\nprint(os.getpid(), sys.argv[1:])\nsys.exit(7)\n')
    verb.chmod(0o755)
    (folder / 'tandem-note').write_text('no program')

    def run(*words):
        return subprocess.run([program, *words], capture_output=True, text=True)
    return run


def test_lists_the_verbs_that_are_programs(tandem):
    done = tandem('--help')
    assert (done.returncode, done.stdout.split('verbs:\n')[1]) == (0, '  say\n')
    assert tandem().returncode == 2


def test_says_what_each_verb_does(tandem, tmp_path):
    verbs = tmp_path / 'share' / 'tandem' / 'verbs'
    verbs.mkdir(parents=True)
    (verbs / 'say').write_text('says what it was told\n')
    shutil.copy(tmp_path / 'bin' / 'tandem-say', tmp_path / 'bin' / 'tandem-whisper')
    assert tandem('--help').stdout.split('verbs:\n')[1] == '  say      says what it was told\n  whisper\n'


def test_becomes_the_verb(tandem):
    done = tandem('say', '--loud', 'a b')
    assert done.returncode == 7
    assert done.stdout.endswith("['--loud', 'a b']\n")


@pytest.mark.parametrize('verb', ['sing', '../tandem-say', '--say', ''])
def test_refuses_what_is_no_verb(tandem, verb):
    done = tandem(verb)
    assert done.returncode == 2
    assert '  say\n' in done.stderr


def test_says_what_cannot_be_run(tandem):
    done = tandem('note')
    assert done.returncode == 126
    assert 'tandem-note cannot be run: Permission denied' in done.stderr
