"""The program launch_test: runs the tests of a file."""

import argparse
import importlib.util
import logging
import os
import sys

from .junitxml import unittestResultsToXml
from .loader import LoadTestsFromPythonModule
from .print_arguments import print_arguments_of_launch_description
from .test_runner import LaunchTestRunner

_log = logging.getLogger(__name__)


def add_arguments(parser):
    add = parser.add_argument
    add('launch_test_file', metavar='FILE', help='path of the tests, a Python file')
    add('launch_arguments', metavar='name:=value', nargs='*', help='arguments of the launch description')
    add('--package-name', metavar='NAME', help='the package of the tests, for the XML')
    add('-v', '--verbose', action='store_true', help='log more')
    add('-s', '--show-args', '--show-arguments', action='store_true',
        help='print the arguments of the launch description, and run nothing')
    add('--junit-xml', dest='xmlpath', metavar='PATH', help='write the results there as XML')


def _load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(parser, args, test_runner_cls=LaunchTestRunner):
    """The exit status: 1 if a test failed. Raises whatever the file raises, and SystemExit for wrong usage."""
    if not os.path.isfile(args.launch_test_file):
        parser.error(f"Test file '{args.launch_test_file}' does not exist")
    path = os.path.abspath(args.launch_test_file)
    base = os.path.splitext(os.path.basename(path))[0]
    package = args.package_name or base
    name = f'{package}.{base}'
    _log.debug('loading tests from %s', path)
    runs = LoadTestsFromPythonModule(_load(package, path), name=f'{name}.launch_tests')
    runner = test_runner_cls(test_runs=runs, launch_file_arguments=args.launch_arguments, debug=args.verbose)
    runner.validate()
    if args.show_args:
        print_arguments_of_launch_description(launch_description=runs[0].get_launch_description())
        return 0
    results = runner.run()
    if args.xmlpath:
        os.makedirs(os.path.dirname(os.path.abspath(args.xmlpath)), exist_ok=True)
        unittestResultsToXml(name=name, test_results=results).write(args.xmlpath, encoding='utf-8',
                                                                    xml_declaration=True)
    return 0 if all(result.wasSuccessful() for result in results.values()) else 1


def run_from_command_line(parser, test_runner_cls=LaunchTestRunner, words=None):
    """As run(), with the arguments of the command line. What the file raises is an error of usage: exit status 2."""
    args = parser.parse_intermixed_args(words)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.WARNING)
    try:
        return run(parser, args, test_runner_cls)
    except Exception as error:
        _log.debug('the tests could not be run', exc_info=True)
        parser.error(f'{type(error).__name__}: {error}')


def main():
    parser = argparse.ArgumentParser(prog='launch_test', description='Run the tests of a launched system.')
    add_arguments(parser)
    sys.exit(run_from_command_line(parser))


if __name__ == '__main__':
    main()
