"""Both ends of the delay study, on a processor each.

    ros2 launch test_sub_and_pub run_test1_3.launch.py message_number:=5000 message_length:=50
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def node(executable, cpu):
    return Node(
        package='test_sub_and_pub',
        executable=executable,
        output='screen',
        parameters=[{
            'message_number': LaunchConfiguration('message_number'),
            'message_length': LaunchConfiguration('message_length'),
            'cpu': LaunchConfiguration(cpu),
            'priority': LaunchConfiguration('priority'),
        }],
    )


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('message_number', default_value='5000', description='messages, sent back to back'),
        DeclareLaunchArgument('message_length', default_value='50', description='characters of each message'),
        DeclareLaunchArgument('subscriber_cpu', default_value='0', description='processor of the subscriber; -1: any'),
        DeclareLaunchArgument('publisher_cpu', default_value='1', description='processor of the publisher; -1: any'),
        DeclareLaunchArgument('priority', default_value='98',
                              description='SCHED_FIFO priority of both; 0: ordinary scheduling'),
        node('subscriber', 'subscriber_cpu'),
        node('publisher', 'publisher_cpu'),
    ])
