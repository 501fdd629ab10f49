"""Arguments of the launch description, for people."""

from launch.launch_arguments import list_launch_arguments


def print_arguments_of_launch_description(*, launch_description):
    print(list_launch_arguments(launch_description))
