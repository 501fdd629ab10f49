"""The simulated robot, and Navigation2's servers to drive it. Needs Navigation2, from this workspace or another."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

# In the order in which they are started and stopped.
SERVERS = (
    ('nav2_map_server', 'map_server'),
    ('nav2_controller', 'controller_server'),
    ('nav2_planner', 'planner_server'),
    ('nav2_behaviors', 'behavior_server'),
    ('nav2_bt_navigator', 'bt_navigator'),
)


def generate_launch_description():
    share = Path(get_package_share_directory('simulated_robot'))
    params = LaunchConfiguration('params')
    servers = [Node(package=package, executable=name, parameters=[params], output='screen')
               for package, name in SERVERS[1:]]
    return LaunchDescription([
        DeclareLaunchArgument('params', default_value=str(share / 'params' / 'navigation.yaml'),
                              description='parameters of all servers'),
        DeclareLaunchArgument('map', default_value=str(share / 'maps' / 'rooms.yaml'),
                              description='a map for map_server'),
        Node(package='simulated_robot', executable='robot', output='screen'),
        Node(package=SERVERS[0][0], executable=SERVERS[0][1], output='screen',
             parameters=[{'yaml_filename': LaunchConfiguration('map')}]),
        *servers,
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager', name='lifecycle_manager_navigation',
             output='screen', parameters=[{'autostart': True, 'node_names': [name for _, name in SERVERS]}]),
    ])
