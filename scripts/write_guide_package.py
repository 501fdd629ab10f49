#!/usr/bin/python3
"""Writes the package that docs/guide/first-nodes.md prints, with the test of docs/guide/test-nodes.md, for a test to
build: write_guide_package.py FOLDER."""

import re
import sys
from pathlib import Path

GUIDE = Path(__file__).resolve().parent.parent / 'docs' / 'guide'
# A line that ends with a path in backquotes and a colon, then the file.
FILE = re.compile(r'`([\w~/.]+)`:\n\n```\w+\n(.*?)```', re.DOTALL)
TEST_DEPEND = re.compile(r'`(<test_depend>.*?)`')
CMAKE = re.compile(r'```cmake\n(.*?)```', re.DOTALL)


def files_of(text):
    """The files of the package, by their paths in it."""
    return {re.sub(r'.*/my_robot/', '', path): content for path, content in FILE.findall(text)}


def main():
    tests = (GUIDE / 'test-nodes.md').read_text()
    files = {**files_of((GUIDE / 'first-nodes.md').read_text()), **files_of(tests)}
    for path, pattern, place in (('package.xml', TEST_DEPEND, '<export>'),
                                 ('CMakeLists.txt', CMAKE, 'ament_package()')):
        files[path] = files[path].replace(place, pattern.search(tests)[1] + '\n' + place)
    folder = Path(sys.argv[1])
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)


if __name__ == '__main__':
    main()
