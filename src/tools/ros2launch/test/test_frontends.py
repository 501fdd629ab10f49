"""Launch files in XML and YAML."""

import pytest
from test_launch_files import logged, words_of

XML = """\
<launch>
  <arg name="rate" default="10" description="how often"/>
  <arg name="mode" default="a"><choice value="a"/><choice value="b"/></arg>
  <let name="who" value="$(eval '\\'x\\' * 2')"/>
  <log message="$(var who) $(env NO_SUCH 'not set') $(var rate)"/>
  <group if="$(equals $(var mode) a)">
    <push_ros_namespace namespace="robot"/>
    <set_parameter name="use_sim_time" value="true"/>
    <set_remap from="in" to="out"/>
    <node pkg="demo" exec="words" name="camera" output="screen" args="-x '$(var rate) Hz' y"
          ros_args="--log-level debug">
      <remap from="image" to="$(var who)"/>
      <env name="COLOUR" value="red"/>
    </node>
  </group>
  <log message="never" unless="true"/>
  <node pkg="demo" exec="parameters" output="screen">
    <param name="rate" value="$(var rate)"/>
    <param name="text" value="10" type="str"/>
    <param name="list" value="1,2,3" value-sep=","/>
    <param name="deep"><param name="er" value="false"/></param>
    <param from="$(dirname)/own.yaml"/>
  </node>
  <executable cmd="sh -c 'echo $COLOUR:$EXTRA'" name="shell" output="screen"><env name="EXTRA" value="e"/></executable>
  <include file="$(find-pkg-share demo)/inner.launch.yaml"><arg name="who" value="$(var who)"/></include>
  <timer period="0.01"><log message="late"/></timer>
</launch>
"""

YAML = """\
launch:
- arg: {name: who}
- arg: {name: count, default: 3}
- group:
    scoped: true
    children:
    - let: {name: who, value: inside}
    - log: {message: 'hello $(var who) $(var count)'}
- node:
    pkg: demo
    exec: words
    namespace: ns
    output: screen
    remap:
    - from: a
      to: $(var who)
    - {from: c, to: d}
    param:
    - name: x
      value: [1, 2]
"""


def test_xml_with_yaml(launch):
    launch.file('own.yaml', '/**: {ros__parameters: {own: 1}}\n')
    launch.file('inner.launch.yaml', YAML)
    path = launch.file('test.launch.xml', XML)
    done = launch.run(path, 'rate:=20')
    assert done.returncode == 0, done.stdout
    output = done.stdout
    assert logged(output)[:2] == ['xx not set 20', 'hello inside 3'], output
    assert words_of(output, 'words-1') == [
        '-x', '20 Hz', 'y', '--ros-args', '--log-level', 'debug', '--ros-args', '-r', '__node:=camera', '-r',
        '__ns:=/robot', '-p', 'use_sim_time:=true', '-r', 'in:=out', '-r', 'image:=xx']
    for line in ('rate: 20', "text: '10'", '- 3', 'deep.er: false', '/**: {ros__parameters: {own: 1}}'):
        assert line in output
    assert words_of(output, 'words-4')[:3] == ['--ros-args', '-r', '__ns:=/ns']
    assert words_of(output, 'words-4')[-4:] == ['-r', 'a:=xx', '-r', 'c:=d']
    assert '[shell-3] :e' in output
    assert logged(output)[2:] == ['late']


@pytest.mark.parametrize('text, value', [
    (r"$(eval 'ceil(1.3)')", '2'),
    (r"$(eval 'math.ceil(1.3)' 'math')", '2'),
    (r"$(eval 'sys.byteorder in [\'little\', \'big\'] and math.floor(1.5)' ' math,sys ')", '1'),
    (r'what/\$\(x \\', 'what/$(x \\'),
])
def test_texts_in_xml(launch, text, value):
    done = launch.run(launch.file('test.launch.xml', f'<launch><log message="{text}"/></launch>'))
    assert done.returncode == 0, done.stdout
    assert logged(done.stdout) == [value]


def test_modules_of_an_expression_are_those_that_are_named(launch):
    done = launch.run(launch.file('test.launch.xml', """<launch><log message="$(eval 'ceil(1.3)' '')"/></launch>"""))
    assert done.returncode == 1
    assert "name 'ceil' is not defined" in done.stdout


def test_end_of_a_required_process(launch):
    done = launch.run(launch.file('test.launch.yaml', """\
        launch:
        - executable: {cmd: sleep 1000}
        - executable: {cmd: 'true', on_exit: shutdown}
    """))
    assert done.returncode == 0
    assert 'process[true-2] was required' in done.stdout


def test_arguments_of_xml(launch):
    launch.file('inner.launch.yaml', YAML)
    shown = launch.run('-s', launch.file('test.launch.xml', XML)).stdout
    assert "'rate':\n        how often\n        (default: '10')" in shown
    assert "Valid choices are: ['a', 'b']" in shown
    assert launch.run(launch.share / 'test.launch.xml', 'mode:=c').returncode == 1
    done = launch.run('demo', 'inner.launch.yaml')
    assert (done.returncode, "the launch argument 'who' is missing" in done.stdout) == (1, True), done.stdout


@pytest.mark.parametrize('name, text, error', [
    ('a.launch.xml', '<launch>\n<nod pkg="a"/>\n</launch>', ':2: there is no action <nod>'),
    ('a.launch.xml', '<launch>\n<node pkg="a"/>\n</launch>', ":2: <node> needs 'exec'"),
    ('a.launch.xml', '<launch>\n<log message="a" mesage="b"/>\n</launch>', ":2: <log> has no attribute 'mesage'"),
    ('a.launch.xml', '<launch>\n<log message="$(var a"/>\n</launch>', ":2: '$(var a': a ')' is missing"),
    ('a.launch.xml', '<launch>\n<log message="$(vra a)"/>\n</launch>', ":2: there is no substitution '$(vra …)'"),
    ('a.launch.xml', '<launch>\n<log>\n</launch>', ':3: is no XML: mismatched tag'),
    ('a.launch.xml', '<lunch/>', ':1: the root is launch, not lunch'),
    ('a.launch.xml', '<!DOCTYPE a [<!ENTITY b "c">]><launch/>', 'declares an XML entity'),
    ('a.launch.xml', '<launch>\n<timer period="x"><log message="a"/></timer>\n</launch>', ":2: the period of a timer"),
    ('a.launch.xml', '<launch>\n<log message="$(var nowhere)"/>\n</launch>', ":2: there is no launch configuration"),
    ('a.launch.yaml', 'launch:\n- log: {mesage: a}\n', ":2: <log> needs 'message'"),
    ('a.launch.yaml', 'launch:\n- log: {message: a\n', ':3: is no YAML'),
    ('a.launch.yaml', 'launch:\n- log\n', ':2: has to be a mapping with one key'),
    ('a.launch.yaml', '[]', ":1: has to be a mapping with the one key 'launch'"),
    ('a.launch', 'nonsense', 'its name tells no language'),
])
def test_mistakes_name_file_and_line(launch, name, text, error):
    path = launch.file(name, text)
    done = launch.run(path)
    assert done.returncode == 1
    assert f'{path}{error}' in done.stdout or (error[0] != ':' and error in done.stdout), done.stdout
    assert 'Traceback' not in done.stdout
