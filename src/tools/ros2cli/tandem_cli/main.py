"""Entry of the ros2 command: picks the verb and prints errors for people."""

import argparse
import sys

from tandem_cli import run
from tandem_cli.errors import CommandError, unknown

# Verb to module; each has SUMMARY, add_arguments(parser) and run(options), which returns the exit status.
VERBS = {'run': run}


def make_parser():
    parser = argparse.ArgumentParser(prog='ros2', allow_abbrev=False,
                                     description='Command line of an installed Tandem workspace.')
    verbs = parser.add_subparsers(dest='verb', metavar='COMMAND', title='commands')
    for name, module in VERBS.items():
        module.add_arguments(verbs.add_parser(name, help=module.SUMMARY, description=module.SUMMARY,
                                              allow_abbrev=False))
    return parser


def main(arguments):
    """Runs the command. Returns the exit status: 0, 1 for an error, 2 for wrong usage."""
    parser = make_parser()
    if not arguments:
        parser.print_help()
        return 0
    try:
        if not arguments[0].startswith('-') and arguments[0] not in VERBS:
            raise unknown('ros2 command', arguments[0], VERBS)
        options = parser.parse_args(arguments)
        return VERBS[options.verb].run(options)
    except CommandError as error:
        print(f'ros2: {error}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
