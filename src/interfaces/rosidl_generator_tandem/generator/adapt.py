"""Command of rosidl_adapt_interfaces(): writes the IDL of .msg, .srv and .action files."""

import argparse
import json
import pathlib
import sys

from rosidl_generator_tandem.adapter import adapt
from rosidl_generator_tandem.interfaces import InterfaceError


def main():
    """Return the exit code: 1, with a line on stderr for each line of a file that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--package-name', required=True)
    parser.add_argument('--arguments-file', required=True, type=pathlib.Path, help='JSON written by CMake')
    parser.add_argument('--output-dir', required=True, type=pathlib.Path, help='folder of the IDL files')
    parser.add_argument('--output-file', required=True, type=pathlib.Path, help='list of them to write')
    options = parser.parse_args()
    tuples, problems = [], []
    for entry in json.loads(options.arguments_file.read_text(encoding='utf-8'))['non_idl_tuples']:
        base, relative = entry.rsplit(':', 1)
        relative = pathlib.Path(relative)
        # As stock: the folder in the package is the one of the kind, wherever the file is.
        target = pathlib.Path(relative.suffix[1:], relative.stem + '.idl')
        try:
            text = adapt(options.package_name, pathlib.Path(base) / relative, relative)
        except InterfaceError as error:
            problems += str(error).splitlines()
            continue
        tuples.append(f'{options.output_dir}:{target.as_posix()}\n')
        _write_if_different(options.output_dir / target, text)
    for problem in problems:
        print(f'error: {problem}', file=sys.stderr)
    if problems:
        return 1
    options.output_file.parent.mkdir(parents=True, exist_ok=True)
    options.output_file.write_text(''.join(tuples), encoding='utf-8')
    return 0


def _write_if_different(file, text):
    """Write the file unless it is so already: a newer one makes all that is generated from it out of date."""
    if not file.exists() or file.read_text(encoding='utf-8') != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding='utf-8')


if __name__ == '__main__':
    sys.exit(main())
