"""`ros2 topic` and `ros2 node` on publishers and subscriptions of other processes."""

import json
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import ROS2, wait_for

STRING = 'std_msgs/msg/String'
ABSENT = 'absent_msgs/msg/Thing'


@pytest.fixture
def chatter(domain):
    """A publisher of /chatter that goes on for ever."""
    domain.start('topic', 'pub', '-r', '50', '-p', '0', '-n', 'talker', '/chatter', STRING, "{data: it's me}")
    domain.wait_for_topic('/chatter')
    return domain


def test_list(chatter):
    chatter.start('topic', 'echo', '-n', 'listener', '/_hidden', STRING)
    chatter.wait_for_topic('/_hidden', 'Subscription count: 1')
    assert chatter.out('topic', 'list') == '/chatter\n'
    assert chatter.out('topic', 'list', '-t') == '/chatter [std_msgs/msg/String]\n'
    assert chatter.out('topic', 'list', '-c') == '1\n'
    assert chatter.out('topic', 'list', '--include-hidden-topics', '--no-daemon', '--spin-time', '1') == \
        '/_hidden\n/chatter\n'
    assert chatter.out('topic', '--include-hidden-topics', 'list', '-c') == '2\n'
    assert chatter.out('topic', 'list', '-v') == \
        'Published topics:\n * /chatter [std_msgs/msg/String] 1 publisher\n\nSubscribed topics:\n\n'
    assert json.loads(chatter.out('topic', 'list', '--json')) == [
        {'name': '/chatter', 'types': [STRING], 'publishers': 1, 'subscriptions': 0}]


def test_nothing_there(domain):
    assert domain.out('topic', 'list') == ''
    assert domain.out('topic', 'list', '-v') == ''
    assert domain.out('topic', 'list', '-c') == '0\n'
    assert domain.out('node', 'list') == ''


def test_many_come_and_go(domain):
    """Who leaves last removes the domain's folder, while others are about to join."""
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: domain.ros2('topic', 'list'), range(100)))
    assert {(d.returncode, d.stdout, d.stderr) for d in done} == {(0, '', '')}


def test_type_and_find(chatter):
    assert chatter.out('topic', 'type', '/chatter') == STRING + '\n'
    assert chatter.out('topic', 'find', STRING) == '/chatter\n'
    assert chatter.out('topic', 'find', '-c', STRING) == '1\n'
    assert chatter.out('topic', 'find', 'std_msgs/msg/Bool') == ''
    done = chatter.ros2('topic', 'type', '/chater')
    assert done.returncode == 1
    assert "there is no topic '/chater'; did you mean '/chatter'?" in done.stderr


def test_info(chatter):
    assert chatter.out('topic', 'info', 'chatter') == \
        'Type: std_msgs/msg/String\nPublisher count: 1\nSubscription count: 0\n'
    text = chatter.out('topic', 'info', '-v', '/chatter')
    for line in ('Node name: talker', 'Node namespace: /', 'Endpoint type: PUBLISHER', '  Reliability: RELIABLE',
                 '  History (Depth): KEEP_LAST (10)', '  Durability: VOLATILE', 'Subscription count: 0',
                 'Topic type hash: RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18'):
        assert line + '\n' in text
    publisher, = json.loads(chatter.out('topic', 'info', '--json', '/chatter'))['publishers']
    assert (publisher['node'], publisher['depth'], publisher['history']) == ('/talker', 10, 'KEEP_LAST')
    done = chatter.ros2('topic', 'info', '/nothing')
    assert done.returncode == 1
    assert "there is no topic '/nothing'\nThese exist: /chatter" in done.stderr


def test_node(chatter):
    assert chatter.out('node', 'list') == '/talker\n'
    assert chatter.out('node', 'list', '-c') == '1\n'
    assert json.loads(chatter.out('node', 'list', '--json')) == ['/talker']
    assert chatter.out('node', 'info', '/talker') == (
        '/talker\n  Subscribers:\n\n  Publishers:\n    /chatter: std_msgs/msg/String\n  Service Servers:\n\n'
        '  Service Clients:\n\n  Action Servers:\n\n  Action Clients:\n\n')
    assert json.loads(chatter.out('node', 'info', '--json', 'talker'))['publishers'] == {'/chatter': [STRING]}
    done = chatter.ros2('node', 'info', '/taker')
    assert done.returncode == 1
    assert "there is no node '/taker'; did you mean '/talker'?" in done.stderr


def test_hidden_and_equal_nodes(chatter):
    echo = chatter.start('topic', 'echo', '/chatter')
    echo.wait_for_output('---')
    assert chatter.out('node', 'list') == '/talker\n'
    hidden = chatter.out('node', 'list', '-a').split()
    assert hidden == [f'/_ros2cli_{echo.process.pid}', '/talker']
    twin = chatter.start('topic', 'echo', '-n', 'talker', '/chatter')
    twin.wait_for_output('---')
    done = chatter.ros2('node', 'list')
    assert done.stdout == '/talker\n/talker\n'
    assert 'share an exact name' in done.stderr


def test_echo_formats(chatter):
    def once(*arguments):
        return chatter.out('topic', 'echo', '--once', '/chatter', *arguments)
    assert once() == "data: it's me\n---\n"
    assert once(STRING) == "data: it's me\n---\n"
    assert once('--field', 'data') == "it's me\n---\n"
    assert once('--csv') == "it's me\n"
    assert once('--flow-style') == "{data: it's me}\n---\n"
    assert once('--no-str') == "data: '<string length: <7>>'\n---\n"
    assert once('-l', '2') == "data: it...\n---\n"
    assert once('--raw') == "b\"\\x00\\x01\\x00\\x00\\x08\\x00\\x00\\x00it's me\\x00\"\n---\n"
    assert 'source_timestamp: 1' in once('-i')
    assert once('--clear').startswith('\x1b[H\x1b[2J')


def test_echo_of_arrays(domain):
    values = '{position: [1.5, 2.0, 3.25], name: [a, b]}'
    domain.start('topic', 'pub', '-r', '50', '-p', '0', '/joints', 'sensor_msgs/msg/JointState', values)
    domain.wait_for_topic('/joints')
    assert domain.out('topic', 'echo', '--once', '/joints', '--field', 'position[1]') == '2.0\n---\n'
    text = domain.out('topic', 'echo', '--once', '/joints')
    assert 'name:\n- a\n- b\nposition:\n- 1.5\n- 2.0\n- 3.25\nvelocity: []\n' in text
    assert ", length: 3>'\nvelocity: " in domain.out('topic', 'echo', '--once', '/joints', '--no-arr')
    assert domain.out('topic', 'echo', '--once', '/joints', '--csv').endswith(',a,b,1.5,2.0,3.25,,\n')
    done = domain.ros2('topic', 'echo', '/joints', '--field', 'positon')
    assert done.returncode == 1
    assert "Invalid field 'positon'" in done.stderr


def test_echo_of_unknown_topic(chatter):
    done = chatter.ros2('topic', 'echo', '/nothing')
    assert done.returncode == 1
    assert 'topic [/nothing] does not appear to be published yet' in done.stderr
    assert 'Could not determine the type for the passed topic' in done.stderr
    assert 'These topics exist: /chatter' in done.stderr
    done = chatter.ros2('topic', 'echo', '/nothing', 'no_msgs/msg/Thing')
    assert done.returncode == 1
    assert 'no_msgs' in done.stderr
    done = chatter.ros2('topic', 'echo', '--once', '--timeout', '0.1', '/nothing', STRING)
    assert (done.returncode, done.stdout) == (1, '')
    assert 'no message came' in done.stderr
    assert chatter.ros2('topic', 'echo', '--timeout', '0.1', '/nothing', STRING).returncode == 0


@pytest.mark.parametrize('arguments', [
    ['echo', '/bad name'], ['echo', '/a//b'], ['echo', '/chatter', '--filter', 'm.data'], ['hz', '/1a'],
    ['pub', '/x', 'std_msgs/String'], ['pub', '/x', STRING, '{data: [1'], ['pub', '/x', STRING, '{date: hi}'],
    ['pub', '/x', 'std_msgs/msg/Int8', '{data: 300}'], ['pub', '/x', STRING, '--max-wait-time-secs', '1']])
def test_refusals(domain, arguments):
    done = domain.ros2('topic', *arguments)
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr.startswith('ros2: ')


@pytest.mark.parametrize('arguments', [
    ['echo'], ['hz', '/x', '-w', '0'], ['echo', '/x', '--qos-reliability', 'sometimes'], ['pub', '/x'],
    ['pub', '/x', STRING, '-1', '-t', '3'], ['pub', '/x', STRING, '-r', '0'], ['list', '--no-such-option']])
def test_wrong_usage(domain, arguments):
    done = domain.ros2('topic', *arguments)
    assert (done.returncode, done.stdout) == (2, '')
    assert f"Try 'ros2 topic {arguments[0]} --help'" in done.stderr


def test_bad_domain(domain):
    domain.env['ROS_DOMAIN_ID'] = '5000'
    done = domain.ros2('topic', 'list')
    assert done.returncode == 1
    assert "ROS_DOMAIN_ID is '5000'" in done.stderr


def test_pub_prints_as_known(domain):
    echo = domain.start('topic', 'echo', '/twist', 'geometry_msgs/msg/Twist')
    text = domain.out('topic', 'pub', '-t', '3', '-r', '100', '-p', '2', '/twist', 'geometry_msgs/msg/Twist',
                      '{linear: {x: 1}, angular: {z: -0.5}}')
    assert text.endswith(
        'publisher: beginning loop\n'
        'publishing #2: geometry_msgs.msg.Twist(linear=geometry_msgs.msg.Vector3(x=1.0, y=0.0, z=0.0), '
        'angular=geometry_msgs.msg.Vector3(x=0.0, y=0.0, z=-0.5))\n\n')
    wait_for(lambda: echo.output().count('---') == 3, 'three messages')
    assert echo.interrupt() == 0


def test_pub_once_from_stdin_waits_for_a_subscription(domain):
    pub = domain.start('topic', 'pub', '--stdin', '-1', '/chatter', STRING)
    pub.process.stdin.write(b'data: "two words"\n')
    pub.process.stdin.close()
    pub.wait_for_output('Waiting for at least 1 matching subscription(s)...')
    assert domain.out('topic', 'echo', '--once', '/chatter') == 'data: two words\n---\n'
    assert pub.wait() == 0
    done = domain.ros2('topic', 'pub', '-1', '--max-wait-time-secs', '0.2', '/chatter', STRING)
    assert done.returncode == 1
    assert 'Timed out waiting for subscribers' in done.stderr


def test_echo_adapts_to_what_publishers_offer(domain):
    domain.start('topic', 'pub', '-t', '3', '-w', '0', '--keep-alive', '1000', '--qos-durability', 'transient_local',
                 '/map', STRING, '{data: kept}').wait_for_output('#3')
    echo = domain.start('topic', 'echo', '/map')
    wait_for(lambda: echo.output().count('data: kept') == 3, 'the whole history')
    subscription, = json.loads(domain.out('topic', 'info', '--json', '/map'))['subscriptions']
    assert (subscription['durability'], subscription['reliability']) == ('TRANSIENT_LOCAL', 'RELIABLE')
    domain.start('topic', 'pub', '-r', '50', '-p', '0', '--qos-reliability', 'best_effort', '/map', STRING)
    domain.wait_for_topic('/map', 'Publisher count: 2')
    mixed = domain.start('topic', 'echo', '/map')
    mixed.wait_for_output('Some, but not all, publishers are offering QoSReliabilityPolicy.RELIABLE')
    mixed.wait_for_output("data: ''")
    explicit = domain.start('topic', 'echo', '--qos-depth', '7', '-n', 'explicit', '/map')
    explicit.wait_for_output("data: ''")
    found = [s for s in json.loads(domain.out('topic', 'info', '--json', '/map'))['subscriptions']
             if s['node'] == '/explicit']
    assert (found[0]['depth'], found[0]['reliability']) == (7, 'BEST_EFFORT')


def last_json(running):
    lines = running.output().splitlines()
    return json.loads(lines[-1]) if lines else {}


@pytest.mark.parametrize('kind', [STRING, ABSENT])
def test_hz_counts_what_a_subscriber_gets(domain, kind):
    """500 messages at 1000 Hz; also of a type that is not installed."""
    publisher = domain.peer('publish', '/fast', kind, 500, 1000, 2)
    domain.wait_for_topic('/fast')
    subscriber = domain.peer('take', '/fast', kind, 500)
    hz = domain.start('topic', 'hz', '--json', '/fast')
    publisher.wait_for_output('published 500 failed 0')
    subscriber.wait_for_output('taken 500 lost 0')
    wait_for(lambda: last_json(hz).get('messages', 0) + last_json(hz).get('lost', 0) == 500, 'the last message')
    figures = last_json(hz)
    assert figures['window'] == figures['messages'] - 1
    assert 0 < figures['min'] <= 1 / figures['rate'] <= figures['max']
    assert hz.interrupt() == 0


def test_hz_text(chatter):
    hz = chatter.start('topic', 'hz', '-w', '10', '/chatter')
    hz.wait_for_output('std dev: ')
    rate, figures = hz.output().splitlines()[:2]
    assert rate.startswith('average rate: ') and figures.startswith('\tmin: 0.')
    wait_for(lambda: hz.output().rstrip().endswith('window: 10'), 'a full window')
    both = chatter.start('topic', 'hz', '/chatter', '/chatter')
    both.wait_for_output('\n=====')
    assert both.output().count('/chatter   ') >= 2
    assert both.interrupt() == 0


def test_hz_waits_for_its_topic(domain):
    hz = domain.start('topic', 'hz', '/later')
    wait_for(lambda: 'topic [/later] does not appear to be published yet' in hz.errors(), 'the warning')
    assert hz.interrupt() == 0


def test_bw(domain):
    publisher = domain.peer('publish', '/fast', 'sensor_msgs/msg/Imu', 90, 1000, 1)
    bw = domain.start('topic', 'bw', '--json', '/fast')
    wait_for(lambda: last_json(bw).get('messages') == 90, 'the last message')
    # 4 encapsulation, 8 stamp, 5 frame (3 padding), then 37 doubles from byte 16
    assert last_json(bw)['bytes'] == 90 * (4 + 16 + 37 * 8)
    publisher.process.stdin.close()
    assert bw.interrupt() == 0


def test_bw_text_and_absent_type(chatter):
    bw = chatter.start('topic', 'bw', '/chatter')
    bw.wait_for_output('Message size mean: ')
    head, rate, sizes = bw.output().splitlines()[:3]
    assert head == 'Subscribed to [/chatter]'
    assert 'B/s from ' in rate and rate.endswith(' messages')
    # The unit is that of the rate, which is near 1000 B/s.
    assert sizes in ('\tMessage size mean: 16 B min: 16 B max: 16 B',
                     '\tMessage size mean: 0.02 KB min: 0.02 KB max: 0.02 KB')
    chatter.peer('publish', '/absent', ABSENT, 100, 100, 1)
    chatter.wait_for_topic('/absent')
    absent = chatter.start('topic', 'bw', '/absent')
    absent.wait_for_output('Message size mean: ')
    assert 'mean: 64 B' in absent.output() or 'mean: 0.06 KB' in absent.output()
    assert 'absent_msgs/msg/Thing is not installed here' in absent.errors()


def test_delay(chatter):
    chatter.start('topic', 'pub', '-r', '50', '-p', '0', '/imu', 'sensor_msgs/msg/Imu', '{header: auto}')
    chatter.wait_for_topic('/imu')
    delay = chatter.start('topic', 'delay', '--json', '/imu')
    wait_for(lambda: last_json(delay).get('window', 0) > 10, 'some messages')
    assert 0 <= last_json(delay)['min'] <= last_json(delay)['delay']
    assert delay.interrupt() == 0
    text = chatter.start('topic', 'delay', '/imu')
    text.wait_for_output('average delay: ')
    done = chatter.ros2('topic', 'delay', '/chatter')
    assert done.returncode == 1
    assert 'msg does not have header' in done.stderr


def test_absent_type(domain):
    """Everything that does not need its fields works."""
    domain.peer('publish', '/absent', ABSENT, 1, 0, 1)
    domain.wait_for_topic('/absent')
    assert domain.out('topic', 'list', '-t') == f'/absent [{ABSENT}]\n'
    assert f'Topic type hash: RIHS01_{"5a" * 32}\n' in domain.out('topic', 'info', '-v', '/absent')
    for verb in ('echo', 'delay'):
        done = domain.ros2('topic', verb, '/absent')
        assert (done.returncode, done.stdout) == (1, '')
        assert 'absent_msgs' in done.stderr


def test_stopped_echo_disturbs_nobody(domain):
    """A publisher that keeps all would wait for a reliable reader that keeps all; echo is none."""
    publisher = domain.peer('publish', '/fast', STRING, 40000, 0, 2)
    domain.wait_for_topic('/fast')
    echo = domain.start('topic', 'echo', '/fast')
    domain.wait_for_topic('/fast', 'Subscription count: 1')
    echo.send(signal.SIGSTOP)
    hz = domain.start('topic', 'hz', '/fast')
    publisher.wait_for_output('published 40000 failed 0')
    echo.send(signal.SIGCONT)
    echo.wait_for_output('A message was lost!!!')
    assert echo.interrupt() == 0
    assert hz.interrupt() == 0


@pytest.mark.parametrize('arguments', [
    ['echo', '/chatter'], ['hz', '/chatter'], ['bw', '/chatter'], ['pub', '/other', STRING, '-r', '100']])
def test_closed_pipe(chatter, arguments):
    process = subprocess.Popen([ROS2, 'topic', *arguments], env=chatter.env, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=120) == 0
    assert process.stderr.read() == ''
    process.stderr.close()


def test_closed_pipe_without_further_messages(domain):
    domain.start('topic', 'pub', '-t', '1', '-w', '0', '--keep-alive', '1000', '--qos-durability', 'transient_local',
                 '/map', STRING, '{data: kept}').wait_for_output('#1')
    process = subprocess.Popen([ROS2, 'topic', 'echo', '/map'], env=domain.env, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == 'data: kept\n'
    process.stdout.close()
    assert process.wait(timeout=120) == 0


def test_interrupted(chatter):
    echo = chatter.start('topic', 'echo', '/chatter')
    echo.wait_for_output('---')
    assert echo.interrupt() == 0
    assert echo.output().endswith('---\n')
    once = chatter.start('topic', 'echo', '--once', '/silent', STRING)
    chatter.wait_for_topic('/silent', 'Subscription count: 1')
    assert once.interrupt() == 130
    pub = chatter.start('topic', 'pub', '/other', STRING)
    pub.wait_for_output('#1')
    assert pub.interrupt() == 0
    some = chatter.start('topic', 'pub', '-t', '1000', '-w', '0', '/other', STRING)
    some.wait_for_output('#1')
    assert some.interrupt() == 130
    assert chatter.out('topic', 'list') == '/chatter\n'
