"""Launches that change the states of nodes and wait for them."""

import os
import re

import pytest
from conftest import wait_for

HEAD = """
        RegisterEventHandler(launch_ros.event_handlers.OnStateTransition(entities=[OpaqueFunction(
            function=lambda context: print('now', context.locals.event.action.node_name,
                                           context.locals.event.goal_state, flush=True))])),
"""


@pytest.fixture
def arms(nodes):
    """With the package demo's node `arm`."""
    (nodes.prefix / 'lib/demo/arm').symlink_to(os.environ['LIFECYCLE_NODE'])
    nodes.env['AMENT_PREFIX_PATH'] += os.pathsep + os.environ['AMENT_PREFIX_PATH']  # of types
    return nodes


def states(output, node='/arm'):
    """Those that the launch was told of, in order."""
    return re.findall(f'^now {node} (.*)$', output, re.MULTILINE)


def test_autostart(arms):
    running = arms.start(HEAD + """
        LifecycleNode(package='demo', executable='arm', name='arm', namespace='', autostart=True, output='screen'),
        LifecycleNode(package='demo', executable='arm', name='leg', namespace='robot', output='screen'),
    """)
    running.wait_for('now /arm active')
    status, output = running.end()
    assert status == 0
    assert states(output) == ['configuring', 'inactive', 'activating', 'active']
    assert states(output, '/robot/leg') == []


def test_events_lead_from_state_to_state(arms):
    """As stock launch files have it."""
    path = arms.file('test.launch.py', """
        import launch
        import launch.event_handlers.on_process_start
        import launch_ros.actions
        import launch_ros.events
        import launch_ros.events.lifecycle
        import lifecycle_msgs.msg


        def change(node, number):
            return launch.actions.EmitEvent(event=launch_ros.events.lifecycle.ChangeState(
                lifecycle_node_matcher=launch.events.matches_action(node), transition_id=number))


        def when(node, start, goal, *entities):
            return launch.actions.RegisterEventHandler(launch_ros.event_handlers.OnStateTransition(
                target_lifecycle_node=node, start_state=start, goal_state=goal, entities=list(entities)))


        def generate_launch_description():
            ids = lifecycle_msgs.msg.Transition
            arm = launch_ros.actions.LifecycleNode(package='demo', executable='arm', name='arm', namespace='',
                                                   output='screen')
            return launch.LaunchDescription([
                arm,
                launch.actions.RegisterEventHandler(launch.event_handlers.on_process_start.OnProcessStart(
                    target_action=arm, on_start=[change(arm, ids.TRANSITION_CONFIGURE)])),
                when(arm, 'configuring', 'inactive', change(arm, ids.TRANSITION_ACTIVATE)),
                when(arm, 'activating', 'active', launch.actions.TimerAction(
                    period=0.1, actions=[change(arm, ids.TRANSITION_DEACTIVATE)])),
                when(arm, 'deactivating', 'inactive', change(arm, ids.TRANSITION_CLEANUP)),
                when(arm, 'cleaningup', 'unconfigured', change(arm, ids.TRANSITION_UNCONFIGURED_SHUTDOWN)),
                when(arm, 'shuttingdown', 'finalized', launch.actions.Shutdown()),
            ])
    """)
    done = arms.run(path)
    assert done.returncode == 0, done.stdout
    assert re.findall(r'arm: (on_\w+)', done.stdout) == [
        'on_configure', 'on_activate', 'on_deactivate', 'on_cleanup', 'on_shutdown']
    assert 'ERROR' not in done.stdout


def test_transitions_of_several_nodes(arms):
    running = arms.start(HEAD + """
        LifecycleNode(package='demo', executable='arm', name='arm', output='screen'),
        LifecycleNode(package='demo', executable='arm', name='leg', namespace='robot', output='screen'),
        LifecycleTransition(lifecycle_node_names=['arm', ['/robot', '/leg']], transition_ids=[1, '3', 4]),
    """)
    told = ['configuring', 'inactive', 'activating', 'active', 'deactivating', 'inactive']
    for node in ('/arm', '/robot/leg'):
        wait_for(lambda name=node: states(running.output(), name) == told, f'the states of {node}')
    assert running.end()[0] == 0


@pytest.mark.parametrize('parameter, told, reason', [
    ('failing', ['configuring', 'unconfigured'], "'unconfigured' instead of 'inactive'"),
    ('broken', ['configuring', 'errorprocessing', 'unconfigured'], "'errorprocessing' instead of 'inactive'")])
def test_transition_that_does_not_succeed(arms, parameter, told, reason):
    running = arms.start(HEAD + f"""
        LifecycleNode(package='demo', executable='arm', name='arm', autostart=True, output='screen',
                      parameters=[{{'{parameter}': 'configure'}}]),
    """)
    running.wait_for("Failed to make transition 'TRANSITION_CONFIGURE' for LifecycleNode '/arm': it did not succeed")
    running.wait_for(f'/arm is {reason}: it makes no further transitions')
    status, output = running.end()
    assert status == 0
    assert states(output) == told


def test_transition_that_the_state_does_not_have(arms):
    running = arms.start("""
        LifecycleNode(package='demo', executable='arm', name='arm', output='screen'),
        LifecycleTransition(lifecycle_node_names=['/arm'], transition_ids=[3]),
    """)
    running.wait_for("Failed to make transition 'TRANSITION_ACTIVATE' for LifecycleNode '/arm'")
    assert running.end()[0] == 0


def test_node_that_dies_within_a_transition(arms):
    """The launch ends by itself: nothing waits for an answer that does not come."""
    output = arms.actions("""
        LifecycleNode(package='demo', executable='arm', name='arm', autostart=True, output='screen',
                      parameters=[{'dying': 'configure'}]),
    """)
    assert "Failed to make transition 'TRANSITION_CONFIGURE' for LifecycleNode '/arm'" in output


def test_node_that_never_has_the_service(arms):
    output = arms.actions("""
        LifecycleNode(package='demo', executable='words', name='arm', autostart=True, output='screen'),
    """)
    assert "for LifecycleNode '/arm': it has ended" in output


def test_shutdown_while_a_call_waits(arms):
    arms.executable('deaf', 'echo up; exec sleep 1000')
    running = arms.start("""
        LifecycleNode(package='demo', executable='deaf', name='arm', autostart=True, output='screen'),
    """)
    running.wait_for('up')
    status, output = running.end()
    assert status == 0
    assert "'/arm/change_state' is not waited for any longer" in output


def test_in_xml(arms):
    path = arms.file('test_launch.xml', """\
        <launch>
          <lifecycle_node pkg="demo" exec="arm" name="arm" output="screen" autostart="true"/>
          <lifecycle_node pkg="demo" exec="arm" name="leg" namespace="robot" output="screen"/>
          <lifecycle_transition lifecycle_node_names="/robot/leg" lifecycle_node_names-sep="," transition_ids="1,6"
                                transition_ids-sep=","/>
        </launch>
    """)
    check_markup(arms, path)


def test_in_yaml(arms):
    path = arms.file('test_launch.yaml', """\
        launch:
        - lifecycle_node: {pkg: demo, exec: arm, name: arm, output: screen, autostart: true}
        - lifecycle_node: {pkg: demo, exec: arm, name: leg, namespace: robot, output: screen}
        - lifecycle_transition: {lifecycle_node_names: [/robot/leg], transition_ids: ['1', '6']}
    """)
    check_markup(arms, path)


def check_markup(arms, path):
    running = arms.start_file(path)
    for line in ('arm: on_configure', 'arm: on_activate', 'leg: on_configure'):
        running.wait_for(line)
    assert running.end()[0] == 0


@pytest.mark.parametrize('action, complaint', [
    ("LifecycleTransition(lifecycle_node_names=['/arm'], transition_ids=['x'])", "'x' is no number of a transition"),
    ("LifecycleTransition(lifecycle_node_names=['/arm'], transition_ids=[10])", "'10' is no number of a transition"),
    ("LifecycleTransition(lifecycle_node_names=[], transition_ids=[1])", 'LifecycleTransition needs'),
    ("EmitEvent(event=launch_ros.events.lifecycle.ChangeState(lifecycle_node_matcher=lambda _: True, "
     'transition_id=99))', '99 is no transition_id'),
    ("RegisterEventHandler(launch_ros.event_handlers.OnStateTransition(target_lifecycle_node=LogInfo(msg=''), "
     'entities=[]))', "requires a 'LifecycleNode' action"),
])
def test_mistakes(arms, action, complaint):
    assert complaint in arms.actions(action + ',', status=1)


def test_without_the_command_nodes_cannot_be_asked(arms):
    arms.env['PATH'] = '/nowhere'
    output = arms.actions("LifecycleNode(package='demo', executable='arm', name='arm'),", status=1)
    assert "the program 'ros2' is not in PATH" in output
