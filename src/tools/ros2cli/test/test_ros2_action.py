"""`ros2 action` on servers and clients of other processes, and how actions appear in other commands."""

import json
import os
import re

import pytest
from conftest import Running, wait_for

FIBONACCI = 'example_interfaces/action/Fibonacci'
WAITING = 'Waiting for an action server to become available...\n'


def sequence(numbers):
    return '    sequence:\n' + ''.join(f'- {number}\n' for number in numbers) + '\n'


@pytest.fixture
def computer(domain):
    """A server of /fibonacci in the node /computer."""
    domain.computer = Running([os.environ['ACTIONS']], domain.env)
    domain.running.append(domain.computer)
    wait_for(lambda: 'Action servers: 1' in domain.out('action', 'info', '/fibonacci'), 'a server of /fibonacci')
    return domain


def after_canceling(client):
    """What an interrupted client says from then on, but for feedback: it comes until the server has answered."""
    text = client.output().partition('Canceling goal...\n')[2]
    return re.sub(r'Feedback:\n    sequence:\n(- \d+\n)+\n', '', text)


def waiting_client(domain, name):
    """A client of an action that nobody serves."""
    client = domain.start('action', 'send_goal', name, FIBONACCI)
    client.wait_for_output(WAITING)
    return client


def test_list_type_and_find(computer):
    waiting_client(computer, '/nobody')
    assert computer.out('action', 'list') == '/fibonacci\n/nobody\n'
    assert computer.out('action', 'list', '-t') == f'/fibonacci [{FIBONACCI}]\n/nobody [{FIBONACCI}]\n'
    assert computer.out('action', 'list', '-c') == '2\n'
    assert json.loads(computer.out('action', 'list', '--json'))[0] == {
        'name': '/fibonacci', 'types': [FIBONACCI], 'clients': 0, 'servers': 1}
    assert computer.out('action', 'type', 'fibonacci') == FIBONACCI + '\n'
    assert computer.out('action', 'find', FIBONACCI) == '/fibonacci\n/nobody\n'
    assert computer.out('action', 'find', '-c', 'a/action/B') == '0\n'


def test_nothing_there(domain):
    assert domain.out('action', 'list') == ''
    assert domain.out('action', 'list', '-c') == '0\n'
    assert domain.out('action', 'info', '/none') == 'Action: /none\nAction clients: 0\nAction servers: 0\n'
    done = domain.ros2('action', 'type', '/none')
    assert (done.returncode, done.stdout, done.stderr) == (1, '', "ros2: there is no action '/none'\n")


def test_info(computer):
    client = waiting_client(computer, '/nobody')
    name = f'/_ros2cli_{client.process.pid}'
    server = '    /computer'
    assert computer.out('action', 'info', '/fibonacci') == (
        f'Action: /fibonacci\nAction clients: 0\nAction servers: 1\n{server}\n')
    assert computer.out('action', 'info', '-t', '/fibonacci').endswith(f'{server} [{FIBONACCI}]\n')
    assert computer.out('action', 'info', '-c', 'nobody') == 'Action: nobody\nAction clients: 1\nAction servers: 0\n'
    assert json.loads(computer.out('action', 'info', '--json', '/nobody')) == {
        'name': '/nobody', 'types': [FIBONACCI], 'clients': [{'node': name, 'type': FIBONACCI}], 'servers': []}


def test_actions_in_other_commands(computer):
    assert '/fibonacci' not in computer.out('topic', 'list')
    assert '/fibonacci/_action/feedback\n' in computer.out('topic', 'list', '--include-hidden-topics')
    assert '/fibonacci/' not in computer.out('service', 'list')
    assert '/fibonacci/_action/send_goal\n' in computer.out('service', 'list', '--include-hidden-services')
    assert f'  Action Servers:\n    /fibonacci: {FIBONACCI}\n  Action Clients:\n\n' in computer.out(
        'node', 'info', '/computer')
    assert json.loads(computer.out('node', 'info', '--json', '/computer'))['action_servers'] == {
        '/fibonacci': [FIBONACCI]}


def test_send_goal(computer):
    text = computer.out('action', 'send_goal', '/fibonacci', FIBONACCI, '{order: 3}')
    accepted = re.compile('Goal accepted with ID: [0-9a-f]{32}\n\n')
    assert accepted.search(text)
    assert accepted.sub('', text) == (
        WAITING + 'Sending goal:\n     order: 3\n\nResult:\n' + sequence([0, 1, 1, 2])
        + 'Goal finished with status: SUCCEEDED\n')
    assert 'order: 2\n' in computer.out('action', 'send_goal', '--stdin', 'fibonacci', 'example_interfaces/Fibonacci',
                                        input='order: 2')


def test_send_goal_with_feedback(computer):
    text = computer.out('action', 'send_goal', '-f', '/fibonacci', FIBONACCI, '{order: 3}')
    assert text.endswith('Feedback:\n' + sequence([0, 1, 1]) + 'Feedback:\n' + sequence([0, 1, 1, 2]) + 'Result:\n'
                         + sequence([0, 1, 1, 2]) + 'Goal finished with status: SUCCEEDED\n')


def test_rejected_goals_and_bad_ones(computer):
    assert computer.out('action', 'send_goal', '/fibonacci', FIBONACCI, '{order: -1}').endswith('Goal was rejected.\n')
    done = computer.ros2('action', 'send_goal', '/fibonacci', FIBONACCI, '{oder: 1}')
    assert (done.returncode, done.stdout) == (1, '')
    assert 'oder' in done.stderr
    done = computer.ros2('action', 'send_goal', '/fibonacci', 'example_interfaces/action/None', '{}')
    assert (done.returncode, done.stdout) == (1, '')
    assert 'example_interfaces/action/None' in done.stderr


def test_interrupt_cancels_the_goal(computer):
    client = computer.start('action', 'send_goal', '-f', '/fibonacci', FIBONACCI, '{order: 100}')
    client.wait_for_output('Feedback:')
    assert client.interrupt() == 130
    assert after_canceling(client) == 'Goal canceled.\n'


def test_interrupt_of_a_goal_that_is_not_cancelled(computer):
    client = computer.start('action', 'send_goal', '-f', '/fibonacci', FIBONACCI, '{order: 13}')
    client.wait_for_output('Feedback:')
    assert client.interrupt() == 1
    assert 'Canceling goal...\n' in client.output()
    assert after_canceling(client) == ''
    assert 'Failed to cancel goal' in client.errors()


def test_a_server_that_is_killed(computer):
    client = computer.start('action', 'send_goal', '-f', '/fibonacci', FIBONACCI, '{order: 100}')
    client.wait_for_output('Feedback:')
    computer.computer.end()
    assert client.wait() == 1
    assert 'the action server of /fibonacci is gone' in client.errors()


def test_waiting_ends_with_an_interrupt(domain):
    assert waiting_client(domain, '/nobody').interrupt() == 130


def test_completion(computer):
    def candidates(*words):
        return computer.out('__complete', 'action', *words).split('\n')[:-1]
    assert candidates('s') == ['send_goal']
    assert candidates('info', '') == ['/fibonacci']
    assert candidates('find', '') == [FIBONACCI]
    assert candidates('send_goal', '/fibonacci', '') == [FIBONACCI]
    assert FIBONACCI in candidates('send_goal', '/new', 'example')
    assert candidates('send_goal', '/fibonacci', FIBONACCI, '') == ['"{order: 0}"']
