"""What nodes of rclcpp get of the parameters in launch files."""

import pytest
from conftest import shown


def test_values_and_their_types(nodes):
    output = nodes.actions("""
        DeclareLaunchArgument('rate', default_value='10'),
        Node(package='demo', executable='shown', output='screen', parameters=[{
            'bool': True, 'int': 3, 'float': 1e20, 'text': 'a b', 'camera': {'lens': {'width': 640}},
            'bools': [True, False], 'ints': (1, 2), 'floats': [1, 2.5], 'texts': ['a', 'b c'],
            'argument': LaunchConfiguration('rate'), ('na', 'me'): [LaunchConfiguration('rate'), '.5'],
            'forced': ParameterValue(LaunchConfiguration('rate'), value_type=str),
            'rates': ParameterValue(['[', LaunchConfiguration('rate'), ', 2.5]'], value_type=list[float]),
        }, launch_ros.descriptions.Parameter('single', '5', value_type=str),
           launch_ros.descriptions.Parameter('number', LaunchConfiguration('rate'))]),
    """)
    assert shown(output, '/shown') == [
        'argument integer 10', 'bool bool true', 'bools bool_array [true, false]', 'camera.lens.width integer 640',
        'float double 100000000000000000000.000000', 'floats double_array [1, 2.5]', 'forced string 10',
        'int integer 3', 'ints integer_array [1, 2]', 'name double 10.500000',
        'number integer 10', 'rates double_array [10, 2.5]', 'single string 5', 'text string a b',
        'texts string_array [a, b c]', 'time real']


@pytest.mark.parametrize('text', [
    'y', 'N', 'yes', 'off', '1', '08', '0x1f', '1e3', '.5', 'nan', 'inf', '.inf', 'null', '', '~',
    '2024-01-01', 'a: b', "it's", '"', '#', '[1]', 'true '])
def test_texts_stay_texts(nodes, text):
    output = nodes.actions(f"""
        Node(package='demo', executable='shown', output='screen',
             parameters=[{{'text': {text!r}}}, {{'texts': ['a', {text!r}]}},
                         launch_ros.descriptions.Parameter('single', {text!r}, value_type=str)]),
    """)
    assert shown(output, '/shown')[:3] == [f'single string {text}', f'text string {text}',
                                           f'texts string_array [a, {text}]']


def test_files_and_their_order(nodes):
    nodes.file('rates.yaml', """
        /**:
          ros__parameters: {rate: $(var rate), from: wildcard}
        /arm/shown:
          ros__parameters: {from: file}
        /other:
          ros__parameters: {other: 1}
    """)
    nodes.file('plain.yaml', '"/**": {ros__parameters: {text: $(var rate)}}\n')
    output = nodes.actions("""
        DeclareLaunchArgument('rate', default_value='10'),
        Node(package='demo', executable='shown', namespace='arm', name='shown', output='screen', parameters=[
            ParameterFile([ThisLaunchFileDir(), '/rates.yaml'], allow_substs=True), {'rate': 2.5},
            [ThisLaunchFileDir(), '/plain.yaml']]),
        Node(package='demo', executable='shown', name='leg', output='screen', parameters=[
            {'rate': 2.5}, ParameterFile([ThisLaunchFileDir(), '/rates.yaml'], allow_substs='true')]),
    """)
    assert shown(output, '/arm/shown') == [
        'from string file', 'rate double 2.500000', 'text string $(var rate)', 'time real']
    assert shown(output, '/leg') == ['from string wildcard', 'rate integer 10', 'time real']


def test_parameters_of_all_nodes(nodes):
    nodes.file('all.yaml', '"/**": {ros__parameters: {all: 1, own: 1}}\n')
    output = nodes.actions("""
        DeclareLaunchArgument('sim', default_value='true'),
        GroupAction([
            SetUseSimTime(LaunchConfiguration('sim')), SetParameter('limit', 4),
            SetParametersFromFile([ThisLaunchFileDir(), '/all.yaml']),
            Node(package='demo', executable='shown', name='first', output='screen', parameters=[{'own': 2}]),
            Node(package='demo', executable='shown', name='second', output='screen',
                 parameters=[{'use_sim_time': False}], condition=IfCondition(LaunchConfiguration('sim'))),
            Node(package='demo', executable='shown', name='never', output='screen',
                 condition=UnlessCondition(LaunchConfiguration('sim'))),
        ]),
        Node(package='demo', executable='shown', name='outside', output='screen'),
    """)
    assert shown(output, '/first') == ['all integer 1', 'limit integer 4', 'own integer 2', 'time simulated']
    assert shown(output, '/second') == ['all integer 1', 'limit integer 4', 'own integer 1', 'time real']
    assert shown(output, '/outside') == ['time real']
    assert '/never' not in output


def test_parameters_in_xml(nodes):
    nodes.file('all.yaml', '"/**": {ros__parameters: {all: $(var rate)}}\n')
    path = nodes.file('test_launch.xml', """\
        <launch>
          <arg name="rate" default="10"/>
          <set_use_sim_time value="true"/>
          <set_parameter name="limit" value="2.5"/>
          <node pkg="demo" exec="shown" output="screen">
            <param name="rate" value="$(var rate)"/>
            <param name="text" value="$(var rate)" type="str"/>
            <param name="letter" value="y" type="str"/>
            <param name="camera"><param name="width" value="640"/></param>
            <param from="$(dirname)/all.yaml" allow_substs="true"/>
          </node>
        </launch>
    """)
    done = nodes.run(path)
    assert done.returncode == 0, done.stdout
    assert shown(done.stdout, '/shown') == [
        'all integer 10', 'camera.width integer 640', 'letter string y', 'limit double 2.500000', 'rate integer 10',
        'text string 10', 'time simulated']
