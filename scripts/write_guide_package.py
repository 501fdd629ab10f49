#!/usr/bin/python3
"""Writes the package that docs/guide/first-nodes.md prints, for a test to build: write_guide_package.py FOLDER."""

import re
import sys
from pathlib import Path

GUIDE = Path(__file__).resolve().parent.parent / 'docs' / 'guide' / 'first-nodes.md'
# A line that ends with a path in backquotes and a colon, then the file.
FILE = re.compile(r'`([\w~/.]+)`:\n\n```\w+\n(.*?)```', re.DOTALL)


def files_of(text):
    """The files of the package, by their paths in it."""
    return {re.sub(r'.*/my_robot/', '', path): content for path, content in FILE.findall(text)}


def main():
    folder = Path(sys.argv[1])
    for path, content in files_of(GUIDE.read_text()).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)


if __name__ == '__main__':
    main()
