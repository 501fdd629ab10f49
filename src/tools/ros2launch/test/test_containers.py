"""Nodes in containers: what they are loaded with, in which order, and what is said when it goes wrong."""

import os
import signal

import pytest
from conftest import shown, wait_for

CONTAINER = "package='rclcpp_components', executable='component_container', output='screen'"
XML = """\
<launch>
  <arg name="rate" default="10"/>
  <push_ros_namespace namespace="robot"/>
  <node_container pkg="rclcpp_components" exec="component_container" name="box" namespace="" output="screen">
    <composable_node pkg="demo" plugin="test::Shown" name="first">
      <param name="rate" value="$(var rate)"/>
      <remap from="topic" to="image"/>
      <extra_arg name="use_intra_process_comms" value="true"/>
    </composable_node>
    <composable_node pkg="demo" plugin="test::Shown" name="never" if="false"/>
  </node_container>
  <load_composable_node target="/robot/box">
    <composable_node pkg="demo" plugin="test::Shown" name="second" namespace="arm"/>
  </load_composable_node>
</launch>
"""


@pytest.fixture
def containers(nodes):
    """With the package demo's components."""
    index = nodes.prefix / 'share/ament_index/resource_index/rclcpp_components/demo'
    index.parent.mkdir()
    index.write_text(''.join(f'test::{name};{os.environ["COMPONENT"]}\n' for name in ('Shown', 'Broken', 'Missing')))
    nodes.env['AMENT_PREFIX_PATH'] += os.pathsep + os.environ['AMENT_PREFIX_PATH']
    return nodes


def end(running):
    status, output = running.end()
    assert status == 0, output
    assert 'Traceback' not in output
    return output


def run_until(containers, text, actions):
    """Output of a launch that is ended once it says this."""
    running = containers.start(actions)
    running.wait_for(text)
    return end(running)


def test_nodes_are_loaded_with_what_describes_them(containers):
    containers.file('own.yaml', """
        /**:
          ros__parameters: {wildcard: 1, camera: {lens: {width: 640}}}
        robot:
          first:
            ros__parameters: {wildcard: 2, texts: [a, b]}
        /other: {ros__parameters: {other: 1}}
    """)
    output = run_until(containers, "Loaded node '/robot/second'", f"""
        SetParameter('all', 4), SetRemap('topic', 'everywhere'), PushROSNamespace('robot'),
        ComposableNodeContainer(name='box', {CONTAINER}, composable_node_descriptions=[
            launch_ros.descriptions.ComposableNode(
                package='demo', plugin='test::Shown', name='first', remappings=[('topic', 'image')],
                parameters=[[ThisLaunchFileDir(), '/own.yaml'],
                            {{'rate': 2.5, 'on': True, 'text': 'yes', 'counts': [1, 2], 'deep': {{'er': '08'}}}},
                            launch_ros.descriptions.Parameter('single', '5', value_type=str)],
                extra_arguments=[{{'use_intra_process_comms': True}}]),
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown', name='never',
                                                   condition=IfCondition('false')),
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown', name='second')]),
    """)
    assert shown(output, '/robot/first') == [
        'topic /robot/everywhere', 'intra-process 1', 'all integer 4', 'camera.lens.width integer 640',
        'counts integer_array [1, 2]', 'deep.er string 08', 'on bool true', 'rate double 2.500000',
        'single string 5', 'text string yes', 'texts string_array [a, b]', 'wildcard integer 2', 'time real']
    assert shown(output, '/robot/second')[:2] == ['topic /robot/everywhere', 'intra-process 0']
    assert output.index("Loaded node '/robot/first' in container '/robot/box'") < output.index("'/robot/second'")
    assert '/robot/never' not in output


def test_markup(containers):
    running = containers.start_file(containers.file('box.launch.xml', XML))
    running.wait_for("Loaded node '/robot/arm/second' in container '/robot/box'")
    running.wait_for("Loaded node '/robot/first' in container '/robot/box'")
    output = end(running)
    assert shown(output, '/robot/first') == ['topic /robot/image', 'intra-process 1', 'rate integer 10', 'time real']
    assert 'never' not in output


def test_a_container_that_is_there_already(containers):
    output = run_until(containers, "Loaded node '/shown'", f"""
        TimerAction(period=0.5, actions=[ComposableNodeContainer(name='box', namespace='', {CONTAINER})]),
        LoadComposableNodes(target_container='/box', composable_node_descriptions=[
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown')]),
    """)
    assert "Loaded node '/shown' in container '/box'" in output


def test_nodes_that_cannot_be_loaded_are_told_of(containers):
    output = run_until(containers, "Loaded node '/last'", f"""
        ComposableNodeContainer(name='box', namespace='', {CONTAINER}, composable_node_descriptions=[
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Broken', name='first'),
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Missing', name='second'),
            launch_ros.descriptions.ComposableNode(package='nobody', plugin='test::Shown', name='third'),
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown', name='last')]),
    """)
    for node, kind, reason in (
            ('first', 'Broken', 'Component constructor threw an exception: no camera'),
            ('second', 'Missing', 'Failed to find class with the requested plugin name.'),
            ('third', 'Shown', 'Could not find requested resource in ament index')):
        assert f"Failed to load node '{node}' of type 'test::{kind}' in container '/box': {reason}" in output


def test_a_container_that_cannot_start_ends_the_wait(containers):
    containers.executable('dies', 'exit 3')
    output = containers.actions("""
        ComposableNodeContainer(name='box', namespace='', package='demo', executable='dies',
            composable_node_descriptions=[
                launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown')]),
    """)
    assert "container '/box' has ended before all of its nodes were loaded" in output


def test_ctrl_c_ends_the_wait_for_a_container(containers):
    running = containers.start("""
        LoadComposableNodes(target_container='/nobody', composable_node_descriptions=[
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown')]),
        LogInfo(msg='begun'),
    """)
    running.wait_for('begun')
    end(running)


def test_a_killed_container_is_started_again(containers):
    """As in ROS 2 its nodes are not loaded again."""
    running = containers.start(f"""
        ComposableNodeContainer(name='box', namespace='', {CONTAINER}, respawn=True, composable_node_descriptions=[
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown')]),
    """)
    running.wait_for("Loaded node '/shown'")
    os.kill(running.pid_of('component_container-1'), signal.SIGKILL)
    wait_for(lambda: running.output().count('process started with pid') == 2, 'the second life')
    assert end(running).count('Loaded node') == 1


def test_without_the_command_calls_are_refused(containers):
    containers.env['PATH'] = '/nowhere'
    output = containers.actions(f"""
        ComposableNodeContainer(name='box', namespace='', {CONTAINER}, composable_node_descriptions=[
            launch_ros.descriptions.ComposableNode(package='demo', plugin='test::Shown')]),
    """, status=1)
    assert "the program 'ros2' is not in PATH" in output
