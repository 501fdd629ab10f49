"""`ros2 launch`: options, what is printed, and the exit status."""

import argparse
import os
import sys
import traceback

import launch
from launch.launch_arguments import list_launch_arguments, parse_launch_arguments
from launch.launch_description_sources import AnyLaunchDescriptionSource, get_launch_description_from_any_launch_file

from .files import LaunchError, find_launch_file


def make_parser():
    parser = argparse.ArgumentParser(
        prog='ros2 launch', description='Run a launch file: a path, or a package and the name of one of its files.')
    add = parser.add_argument
    add('-n', '--noninteractive', action='store_true', help='accepted for compatibility')
    add('-d', '--debug', action='store_true', help='log more, with tracebacks')
    what = parser.add_mutually_exclusive_group()
    what.add_argument('-p', '--print', '--print-description', dest='print', action='store_true',
                      help='print what the file describes, and run nothing')
    what.add_argument('-s', '--show-args', '--show-arguments', dest='show_args', action='store_true',
                      help='print the arguments of the file')
    add('-a', '--show-all-subprocesses-output', action='store_true', help='show what all processes print')
    add('--launch-prefix', metavar='COMMAND', help="put COMMAND before all executables, as in 'xterm -e gdb --args'")
    add('--launch-prefix-filter', metavar='REGEX', help='only before executables whose name this matches')
    add('package_name', metavar='PACKAGE|PATH', help='a package, or the path of a launch file')
    add('launch_file_name', metavar='FILE', nargs='?', help='name of a launch file of the package')
    add('launch_arguments', metavar='name:=value', nargs='*', help='arguments of the launch file')
    return parser


def find(options):
    """Path of the launch file, and its arguments."""
    words = list(options.launch_arguments)
    if options.launch_file_name is not None and (':=' in options.launch_file_name
                                                 or os.path.isfile(options.package_name)):
        words.insert(0, options.launch_file_name)
        options.launch_file_name = None
    if os.path.isfile(options.package_name):
        path = os.path.abspath(options.package_name)
    elif os.sep in options.package_name:
        raise LaunchError(f"there is no launch file '{options.package_name}'")
    else:
        path = find_launch_file(options.package_name, options.launch_file_name)
    return path, parse_launch_arguments(words)


def run(options, path, arguments):
    if options.show_all_subprocesses_output:
        os.environ['OVERRIDE_LAUNCH_PROCESS_OUTPUT'] = 'both'
    for name, value in (('launch-prefix', options.launch_prefix),
                        ('launch-prefix-filter', options.launch_prefix_filter)):
        if value is not None:
            arguments.append((name, value))
    service = launch.LaunchService(argv=[f'{name}:={value}' for name, value in arguments],
                                   noninteractive=options.noninteractive, debug=options.debug)
    service.include_launch_description(launch.LaunchDescription([
        launch.actions.IncludeLaunchDescription(AnyLaunchDescriptionSource(path), launch_arguments=arguments)]))
    return service.run()


def act(options):
    if options.launch_prefix is None and options.launch_prefix_filter is not None:
        raise LaunchError('--launch-prefix-filter needs --launch-prefix')
    path, arguments = find(options)
    if options.print:
        print(launch.LaunchIntrospector().format_launch_description(get_launch_description_from_any_launch_file(path)))
    elif options.show_args:
        print(list_launch_arguments(get_launch_description_from_any_launch_file(path)))
    else:
        return run(options, path, arguments)
    return 0


def main(words=None):
    """Returns the exit status: 1 if the launch file is at fault, 2 for wrong usage."""
    options = make_parser().parse_intermixed_args(words)
    try:
        return act(options)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, 'w')
        return 0
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        print(f'ros2 launch: {error}', file=sys.stderr)
        return 1
