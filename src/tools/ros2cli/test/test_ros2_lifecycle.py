"""`ros2 lifecycle`, and the hidden `ros2 __talk`, against real nodes."""

import json
import os

import pytest
from conftest import Running, wait_for

ARM = os.environ['LIFECYCLE_NODE']


def start_node(domain, *arguments):
    domain.running.append(Running([ARM, '--ros-args', *arguments], domain.env))
    domain.running[-1].wait_for_output('ready')
    return domain.running[-1]


@pytest.fixture
def arm(domain):
    start_node(domain)
    return domain


def test_nodes(arm):
    arm.serve('/switch', 'std_srvs/srv/SetBool')
    start_node(arm, '-r', '__node:=_hidden', '-r', '__ns:=/other')
    assert arm.out('lifecycle', 'nodes') == '/arm\n'
    assert arm.out('lifecycle', 'nodes', '-a') == '/arm\n/other/_hidden\n'
    assert arm.out('lifecycle', 'nodes', '--count-nodes') == '1\n'


def test_no_nodes(domain):
    assert domain.out('lifecycle', 'nodes') == ''
    assert domain.out('lifecycle', 'nodes', '-c') == '0\n'
    assert domain.out('lifecycle', 'get') == ''


def test_get(arm):
    assert arm.out('lifecycle', 'get', '/arm') == 'unconfigured [1]\n'
    assert arm.out('lifecycle', 'get', 'arm') == 'unconfigured [1]\n'
    start_node(arm, '-r', '__node:=leg')
    assert arm.out('lifecycle', 'set', '/leg', 'configure') == 'Transitioning successful\n'
    assert arm.out('lifecycle', 'get') == '/arm: unconfigured [1]\n/leg: inactive [2]\n'


def test_list(arm):
    assert arm.out('lifecycle', 'list', '/arm') == (
        '- configure [1]\n\tStart: unconfigured\n\tGoal: configuring\n'
        '- shutdown [5]\n\tStart: unconfigured\n\tGoal: shuttingdown\n')
    everything = arm.out('lifecycle', 'list', '/arm', '-a')
    assert everything.count('- ') == 25
    assert '- transition_error [62]\n\tStart: errorprocessing\n\tGoal: finalized\n' in everything


def test_set(arm):
    for transition, state in (('configure', 'inactive [2]'), ('3', 'active [3]'), ('deactivate', 'inactive [2]'),
                              ('cleanup', 'unconfigured [1]'), ('shutdown', 'finalized [4]')):
        assert arm.out('lifecycle', 'set', '/arm', transition) == 'Transitioning successful\n'
        assert arm.out('lifecycle', 'get', '/arm') == state + '\n'


def test_refusals(arm):
    done = arm.ros2('lifecycle', 'set', '/arm', 'activate')
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr == ('ros2: Unknown transition requested, available ones are:\n- configure [1]\n'
                           '- shutdown [5]\n')
    for words in (['get', '/leg'], ['list', '/leg'], ['set', '/leg', 'configure']):
        done = arm.ros2('lifecycle', *words)
        assert (done.returncode, done.stdout) == (1, '')
        assert "there is no node with a lifecycle '/leg'" in done.stderr
    assert arm.ros2('lifecycle', 'set', '/arm').returncode == 2


def test_transition_that_fails(domain):
    start_node(domain, '-p', 'failing:=configure')
    done = domain.ros2('lifecycle', 'set', '/arm', 'configure')
    assert (done.returncode, done.stdout, done.stderr) == (1, '', 'Transitioning failed\n')
    assert domain.out('lifecycle', 'get', '/arm') == 'unconfigured [1]\n'


def test_completion(arm):
    def candidates(*words):
        return arm.out('__complete', 'lifecycle', *words).splitlines()
    assert candidates('') == ['get', 'list', 'nodes', 'set']
    assert candidates('get', '') == ['/arm']
    assert candidates('set', '/arm', '') == ['configure', 'shutdown']
    assert candidates('list', '--a') == ['--all']


class Talking:
    """`ros2 __talk`: what is written to it and what it says."""

    def __init__(self, domain):
        self.running = domain.start('__talk', 'launch')

    def order(self, **words):
        self.write(json.dumps(words))

    def write(self, line):
        self.running.process.stdin.write((line + '\n').encode())
        self.running.process.stdin.flush()

    def said(self, count):
        """The first lines."""
        wait_for(lambda: self.running.output().count('\n') >= count, f'{count} lines of {self.running.output()!r}')
        return [json.loads(line) for line in self.running.output().splitlines()[:count]]


def test_talk_calls_and_watches(domain):
    """The node comes last: the call waits for it, and what follows from the call is heard."""
    talking = Talking(domain)
    talking.order(watch='/arm/transition_event', type='lifecycle_msgs/msg/TransitionEvent')
    talking.order(call='/arm/change_state', type='lifecycle_msgs/srv/ChangeState', id=7,
                  request={'transition': {'id': 1}}, after='/arm/transition_event')
    start_node(domain)
    *steps, answer = talking.said(3)
    assert [step['message']['goal_state']['label'] for step in steps] == ['configuring', 'inactive']
    assert {step['topic'] for step in steps} == {'/arm/transition_event'}
    assert answer == {'id': 7, 'response': {'success': True}}
    assert domain.out('node', 'list') == '/arm\n/launch\n'
    talking.running.process.stdin.close()
    assert talking.running.wait() == 0


def test_talk_says_what_is_wrong(arm):
    talking = Talking(arm)
    talking.write('{"call')
    talking.order(call='/arm/get_state', type='no_msgs/srv/None', id=1)
    talking.order(call='/arm/get_state', type='lifecycle_msgs/srv/GetState', id=2, request={'none': 1})
    talking.order(call='/arm/get_state', type='lifecycle_msgs/srv/GetState', id=3, after='/unknown')
    talking.order(call='/none', type='lifecycle_msgs/srv/GetState', id=4)
    talking.order(cancel=4)
    talking.order(call='/arm/get_state', type='lifecycle_msgs/srv/GetState', id=5)
    said = talking.said(5)
    assert [('error' in line, line.get('id')) for line in said] == [
        (True, None), (True, 1), (True, 2), (True, 3), (False, 5)]
    assert said[4]['response'] == {'current_state': {'id': 1, 'label': 'unconfigured'}}


def test_talk_notices_that_a_server_went_away(domain):
    start_node(domain, '-p', 'dying:=configure')
    talking = Talking(domain)
    talking.order(call='/arm/change_state', type='lifecycle_msgs/srv/ChangeState', id=1,
                  request={'transition': {'id': 1}})
    line = talking.said(1)[0]
    assert line['id'] == 1 and 'went away' in line['error']


def test_talk_ends_at_sigterm(domain):
    talking = Talking(domain)
    wait_for(lambda: '/launch' in domain.ros2('node', 'list').stdout, 'its node')
    talking.running.send(15)
    assert talking.running.wait() == 0
