"""Arguments of the launch description, as the command line gives them."""

from launch.launch_arguments import parse_launch_arguments

__all__ = ['parse_launch_arguments']
