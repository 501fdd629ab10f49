"""Arguments, conditions, scopes, substitutions and nodes of Python launch files."""

import subprocess
import sys


def logged(output):
    return [line.partition(': ')[2] for line in output.splitlines() if line.startswith('[INFO] [launch.user]')]


def test_arguments(launch):
    actions = """
        DeclareLaunchArgument('rate', default_value='5', description='how often'),
        DeclareLaunchArgument('mode', default_value='slow', choices=['slow', 'fast']),
        LogInfo(msg=[LaunchConfiguration('rate'), ' ', LaunchConfiguration('mode')]),
    """
    assert logged(launch.actions(actions)) == ['5 slow']
    assert logged(launch.actions(actions, 'rate:=1', 'mode:=fast', 'rate:=a:=b')) == ['a:=b fast']
    assert "the launch argument 'mode' cannot be 'x'; valid are: slow, fast" in launch.actions(
        actions, 'mode:=x', status=1)
    assert "'rate' is no argument of a launch file; give them as name:=value" in launch.actions(
        actions, 'rate', status=1)
    shown = launch.run('-s', launch.share / 'test.launch.py').stdout
    assert "'rate':\n        how often\n        (default: '5')" in shown
    assert "Valid choices are: ['slow', 'fast']" in shown
    tree = launch.run('--print', launch.share / 'test.launch.py').stdout
    assert "├── DeclareLaunchArgument('rate', default='5')" in tree


def test_missing_argument_says_what_to_do_and_starts_nothing(launch):
    output = launch.actions("""
        sh('echo started'),
        DeclareLaunchArgument('map', description='path of the map'),
    """, status=1)
    assert "the launch argument 'map' is missing (path of the map); give it as map:=VALUE" in output
    assert 'started' not in output


def test_conditions(launch):
    assert logged(launch.actions("""
        DeclareLaunchArgument('on', default_value='True'),
        LogInfo(msg='if', condition=IfCondition(LaunchConfiguration('on'))),
        LogInfo(msg='unless', condition=UnlessCondition(LaunchConfiguration('on'))),
        LogInfo(msg='equals', condition=LaunchConfigurationEquals('on', 'True')),
        LogInfo(msg='not equals', condition=LaunchConfigurationNotEquals('on', 'True')),
        GroupAction([LogInfo(msg='group')], condition=IfCondition(PythonExpression(["'", LaunchConfiguration('on'),
                                                                                    "' == 'True' and pi > 3"]))),
    """)) == ['if', 'equals', 'group']
    output = launch.actions("LogInfo(msg='x', condition=IfCondition('maybe')),", status=1)
    assert "a condition has to be true, 1, false or 0, but 'maybe' is 'maybe'" in output


def test_scopes(launch):
    assert logged(launch.actions("""
        SetLaunchConfiguration('a', 'outer'),
        SetEnvironmentVariable('E', 'outer'),
        GroupAction([
            LogInfo(msg=[LaunchConfiguration('a'), ' ', LaunchConfiguration('given')]),
            SetLaunchConfiguration('a', 'inner'), SetEnvironmentVariable('E', 'inner'),
            LogInfo(msg=[LaunchConfiguration('a'), ' ', EnvironmentVariable('E')]),
            TimerAction(period=0.01, actions=[LogInfo(msg=['late ', LaunchConfiguration('a')])]),
        ], launch_configurations={'given': 'yes'}),
        LogInfo(msg=[LaunchConfiguration('a'), ' ', EnvironmentVariable('E'),
                     LaunchConfiguration('given', default=' -')]),
        GroupAction([LogInfo(msg=LaunchConfiguration('a', default='nothing forwarded'))], forwarding=False),
        GroupAction([SetLaunchConfiguration('a', 'leaked')], scoped=False),
        LogInfo(msg=LaunchConfiguration('a')),
        PushLaunchConfigurations(), SetLaunchConfiguration('a', 'pushed'), PopLaunchConfigurations(),
        UnsetLaunchConfiguration('b'), LogInfo(msg=LaunchConfiguration('a')),
    """)) == ['outer yes', 'inner inner', 'outer outer -', 'nothing forwarded', 'leaked', 'leaked', 'late inner']


def test_substitutions(launch):
    launch.file('content.txt', 'content')
    assert logged(launch.actions("""
        SetLaunchConfiguration('n', '2'),
        LogInfo(msg=EqualsSubstitution(LaunchConfiguration('n'), 2.0)),
        LogInfo(msg=NotEqualsSubstitution('a', 'a')),
        LogInfo(msg=AndSubstitution('true', '0')), LogInfo(msg=OrSubstitution('true', '0')),
        LogInfo(msg=NotSubstitution('false')), LogInfo(msg=AnySubstitution('false', 'true', '0')),
        LogInfo(msg=AllSubstitution('1', 'true')), LogInfo(msg=IfElseSubstitution('false', 'yes', 'no')),
        LogInfo(msg=PythonExpression(['1 + ', LaunchConfiguration('n')])),
        LogInfo(msg=Command(['printf ', '"a  b"'])),
        LogInfo(msg=EnvironmentVariable('NO_SUCH', default_value='unset')),
        LogInfo(msg=FileContent(PathJoinSubstitution([FindPackageShare('demo'), 'content.txt']))),
        LogInfo(msg=PythonExpression(["'", ThisLaunchFileDir(), "' == '", FindPackageShare('demo'), "'"])),
        LogInfo(msg=PythonExpression(["'", FindExecutable(name='sh'), "'.endswith('/sh')"])),
        LogInfo(msg=PythonExpression(["'", AnonName('x'), "' == '", AnonName('x'), "'"])),
    """)) == ['true', 'false', 'false', 'true', 'true', 'true', 'true', 'no', '3', 'a  b', 'unset', 'content', 'True',
              'True', 'True']


def test_what_substitutions_take_for_true_and_for_equal(launch):
    assert logged(launch.actions("""
        LogInfo(msg=IfElseSubstitution('on', 'yes', 'no')), LogInfo(msg=NotSubstitution('no')),
        LogInfo(msg=EqualsSubstitution(float('nan'), float('nan'))),
        OpaqueFunction(function=lambda context: IfElseSubstitution('true')),
    """, status=1))[:3] == ['yes', 'true', 'false']
    assert "'maybe' is 'maybe'" in launch.actions("LogInfo(msg=NotSubstitution('maybe')),", status=1)


def test_includes(launch):
    launch.python("""
        DeclareLaunchArgument('who'),
        LogInfo(msg=['hello ', LaunchConfiguration('who'), ' from ', ThisLaunchFile()]),
    """, 'inner.launch.py')
    output = launch.actions("""
        IncludeLaunchDescription([ThisLaunchFileDir(), '/inner.launch.py'], launch_arguments={'who': 'a'}.items()),
        GroupAction([IncludeLaunchDescription(
            launch.launch_description_sources.PythonLaunchDescriptionSource(
                PathJoinSubstitution([FindPackageShare('demo'), 'inner.launch.py'])),
            launch_arguments=[('who', LaunchConfiguration('who'))])]),
        LogInfo(msg=ThisLaunchFile()),
    """)
    inner = launch.share / 'inner.launch.py'
    assert logged(output) == [f'hello a from {inner}'] * 2 + [str(launch.share / 'test.launch.py')]


def test_functions_and_events(launch):
    output = launch.actions("""
        SetLaunchConfiguration('n', '2'),
        ForEach('{name: a}; {name: b, x: 1}', function=lambda name, x=0: [LogInfo(msg=f'{name}{x}')]),
        ForLoop(LaunchConfiguration('n'), function=lambda i: [LogInfo(msg=f'loop {i}')]),
        OpaqueFunction(function=lambda context, text: [
            LogInfo(msg=text + str(i)) for i in range(int(LaunchConfiguration('n').perform(context)))], args=['run ']),
        sh('trap "echo got it; exit 0" USR1; echo up; while :; do sleep 0.05; done'),
        RegisterEventHandler(OnProcessIO(on_stdout=lambda event: EmitEvent(event=launch.events.process.SignalProcess(
            signal_number='SIGUSR1', process_matcher=launch.events.matches_action(event.action)))
            if b'up' in event.text else None)),
    """)
    assert logged(output) == ['a0', 'b1', 'loop 0', 'loop 1', 'run 0', 'run 1']
    assert '[sh-1] got it' in output


def words_of(output, name):
    prefix = f'[{name}] <'
    return [line[len(prefix):-1] for line in output.splitlines() if line.startswith(prefix)]


def test_node(launch):
    output = launch.actions("""
        Node(package='demo', executable='words', output='screen'),
        Node(package='demo', executable='words', name='camera', namespace='front', output='screen',
             arguments=['-x', ['a', 'b']], ros_arguments=['--log-level', 'debug'], exec_name='eye',
             remappings=[('image', 'raw'), (['/', 'a'], 'b')],
             parameters=[launch_ros.descriptions.Parameter('gain', 2.5)]),
        GroupAction([
            PushRosNamespace('robot'), PushRosNamespace('arm'),
            SetParameter('use_sim_time', True), SetRemap('in', 'out'),
            Node(package='demo', executable='words', name='hand', output='screen'),
            Node(package='demo', executable='words', namespace='/absolute', output='screen'),
        ]),
        Node(package='demo', executable='words', name='outside', output='screen'),
    """)
    assert words_of(output, 'words-1') == []
    assert words_of(output, 'eye-2') == [
        '-x', 'ab', '--ros-args', '--log-level', 'debug', '--ros-args', '-r', '__node:=camera', '-r', '__ns:=/front',
        '-p', 'gain:=2.5', '-r', 'image:=raw', '-r', '/a:=b']
    common = ['-p', 'use_sim_time:=true', '-r', 'in:=out']
    assert words_of(output, 'words-3') == ['--ros-args', '-r', '__node:=hand', '-r', '__ns:=/robot/arm', *common]
    assert words_of(output, 'words-4') == ['--ros-args', '-r', '__ns:=/absolute', *common]
    assert words_of(output, 'words-5') == ['--ros-args', '-r', '__node:=outside']


def test_parameters(launch):
    launch.file('own.yaml', '{"/**": {ros__parameters: {file: $(var rate)}}}\n')
    output = launch.actions("""
        DeclareLaunchArgument('rate', default_value='10'),
        Node(package='demo', executable='parameters', name='n', namespace='a', output='screen', parameters=[{
            'int': LaunchConfiguration('rate'), 'text': '10', 'nested': {'deep': [1, 2.5]}, 'texts': ['a', 'b'],
            'yes': True, 'forced': ParameterValue(LaunchConfiguration('rate'), value_type=str),
            'joined': [LaunchConfiguration('rate'), '.5'],
        }]),
        Node(package='demo', executable='parameters', output='screen', parameters=[
            ParameterFile([ThisLaunchFileDir(), '/own.yaml'], allow_substs=True), {'x': 1}]),
    """)
    lines = [line.partition('] ')[2] for line in output.splitlines() if line.startswith('[parameters-1] ')]
    assert '\n'.join(lines) == """/a/n:
  ros__parameters:
    forced: '10'
    int: 10
    joined: 10.5
    nested.deep:
    - 1.0
    - 2.5
    text: '10'
    texts:
    - a
    - b
    yes: true""".replace('    yes', "    'yes'")
    assert '[parameters-2] {"/**": {ros__parameters: {file: 10}}}' in output
    assert '[parameters-2]     x: 1' in output


def test_errors_of_nodes(launch):
    def error(actions):
        return launch.actions(actions, status=1)
    assert "there is no package 'dmo' in AMENT_PREFIX_PATH; did you mean demo?" in error(
        "Node(package='dmo', executable='words'),")
    output = error("\n\nNode(package='demo', executable='word'),")
    assert "there is no executable 'word' in package 'demo'" in output and 'did you mean words' in output
    assert f"{launch.share / 'test.launch.py'}:" in output
    assert "parameter 'p' is a YAML mapping; if it is meant as a text" in error(
        "Node(package='demo', executable='words', parameters=[{'p': Command('echo a: 1')}]),")
    assert "'a b' is no name of a node" in error("Node(package='demo', executable='words', name='a b'),")


def test_broken_files_name_the_line(launch):
    path = launch.file('broken.launch.py', 'import launch\n\n\ndef generate_launch_description():\n    return 1 / 0\n')
    done = launch.run(path)
    assert (done.returncode, f'{path}:5: ZeroDivisionError' in done.stdout) == (1, True), done.stdout
    assert 'Traceback' not in done.stdout
    assert 'Traceback' in launch.run('-d', path).stdout
    path.write_text('def generate_launch_description(:\n')
    assert f'{path}:1: ' in launch.run(path).stdout
    path.write_text('x = 1\n')
    assert 'has no function generate_launch_description()' in launch.run('-s', path).stdout
    output = launch.actions("\n\nLogInfo(msg=LaunchConfiguration('nowhere')),\n", status=1)
    assert "there is no launch configuration 'nowhere' here" in output
    assert 'test.launch.py:' in output


def test_finding_files(launch):
    launch.python("LogInfo(msg='found'),", 'some.launch.py')
    assert logged(launch.run('demo', 'some.launch.py').stdout) == ['found']
    for words, text in ((['demo', 'som.launch.py'], 'did you mean some.launch.py?'),
                        (['demo'], "name a launch file of package 'demo': some.launch.py"),
                        (['dem', 'x'], 'did you mean demo?'), (['./no.launch.py'], "no launch file './no.launch.py'")):
        done = launch.run(*words)
        assert done.returncode == 1
        assert text in done.stdout
    assert launch.run().returncode == 2
    assert launch.run('--help').returncode == 0


def test_modules_that_launch_files_name(launch):
    names = """
from launch.actions.declare_launch_argument import DeclareLaunchArgument
from launch.actions.shutdown_action import Shutdown
from launch.conditions.if_condition import IfCondition
from launch.event_handlers.on_process_exit import OnProcessExit
from launch.events.process.process_exited import ProcessExited
from launch.launch_description_sources.python_launch_description_source import PythonLaunchDescriptionSource
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitutions.path_join_substitution import PathJoinSubstitution
from launch_ros.actions.push_ros_namespace import PushRosNamespace
from launch_ros.descriptions.composable_node import ComposableNode
from launch_ros.substitutions.find_package import FindPackageShare
from launch_xml.launch_description_sources import XMLLaunchDescriptionSource
from launch.launch_description_sources import YAMLLaunchDescriptionSource
"""
    done = subprocess.run([sys.executable, '-c', names], env=launch.env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
