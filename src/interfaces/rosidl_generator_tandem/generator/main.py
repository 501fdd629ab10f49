"""Command of the generator: reads the arguments written by CMake, writes headers and the type support source."""

import argparse
import json
import pathlib
import sys

from rosidl_generator_tandem.generate import generate
from rosidl_generator_tandem.interfaces import InterfaceError


def main():
    """Return the exit code: 1, with one line on stderr for each refusal, when an interface cannot be generated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--arguments', required=True, type=pathlib.Path, help='JSON written by CMake')
    parser.add_argument('--source', required=True, type=pathlib.Path, help='type support source to write')
    parser.add_argument('--python', required=True, type=pathlib.Path, help="folder for the package's Python modules")
    parser.add_argument('--c-names', action='store_true', help="also write headers under the names of those for C")
    options = parser.parse_args()
    arguments = json.loads(options.arguments.read_text(encoding='utf-8'))
    try:
        generate(arguments, options.source, options.python, options.c_names)
    except InterfaceError as error:
        for line in str(error).splitlines():
            print(f'error: {line}', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
