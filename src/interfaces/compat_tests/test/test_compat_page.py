"""docs/reference/compat.md and the tests of its idioms say the same; what it says cannot compile does not."""
import os
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).parent
PAGE = (HERE.parents[3] / 'docs' / 'reference' / 'compat.md').read_text()
CANNOT = HERE / 'cannot.cpp'


def squeezed(code):
    """Return the code without white space, so that formatting does not count."""
    return re.sub(r'\s+', '', code)


def rows(pattern):
    """Return the rows of the page's tables whose first column matches: number → the code of the other columns."""
    found = [re.findall(r'`([^`]+)`', line) for line in PAGE.splitlines() if re.match(rf'\| {pattern} \|', line)]
    numbers = [int(number) for number in re.findall(rf'^\| {pattern} \|', PAGE, re.MULTILINE)]
    assert len(numbers) == len(set(numbers)), 'a number twice'
    return dict(zip(numbers, found))


def test_every_idiom_is_a_test_and_every_test_an_idiom():
    tests = {}
    for path in sorted(HERE.glob('test_*.cpp')):
        preamble, *parts = re.split(r'^TEST\(Compat(\d+), \w+\)', path.read_text(), flags=re.MULTILINE)
        for number, body in zip(parts[::2], parts[1::2]):
            assert int(number) not in tests, f'idiom {number} has two tests'
            tests[int(number)] = squeezed(preamble + body)
    page = rows(r'(\d+)')
    assert len(page) >= 60
    assert sorted(page) == sorted(tests)
    for number, (code, ) in page.items():
        assert squeezed(code) in tests[number], f'the test of idiom {number} does not contain {code}'


def test_what_cannot_work_is_refused_and_its_remedy_is_not():
    lines = CANNOT.read_text().splitlines()
    refused, remedies = {}, {}
    for index, line in enumerate(lines, 1):
        mark = re.fullmatch(r'\s*(.*?)\s+// N(\d+)( instead)?', line)
        if mark:
            (remedies if mark[3] else refused)[int(mark[2])] = (index, mark[1])
    page = rows(r'N(\d+)')
    assert sorted(page) == sorted(refused) == sorted(remedies)
    for number, codes in page.items():
        assert codes[:2] == [refused[number][1], remedies[number][1]], f'N{number}'

    folders = [folder for folder in os.environ['INCLUDES'].split(':') if folder not in ('', '/usr/include')]
    compiler = subprocess.run(
        [os.environ['CXX'], '-std=c++17', '-fsyntax-only', '-Wall', '-Werror=return-local-addr',
         '-Werror=range-loop-construct', '-fmax-errors=0', *(f'-isystem{folder}' for folder in folders), str(CANNOT)],
        env={**os.environ, 'LC_ALL': 'C'}, capture_output=True, text=True)
    errors = {int(line) for line in re.findall(rf'^{re.escape(str(CANNOT))}:(\d+):\d+: error: ', compiler.stderr,
                                               re.MULTILINE)}
    assert errors == {index for index, _ in refused.values()}, compiler.stderr
