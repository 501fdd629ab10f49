"""`ros2 service` on servers and clients of other processes, and how services appear in other commands."""

import json

import pytest
from conftest import wait_for

SET_BOOL = 'std_srvs/srv/SetBool'
ABSENT = 'absent_msgs/srv/Thing'


@pytest.fixture
def switch(domain):
    """A server of /switch."""
    domain.switch = domain.serve('/switch', SET_BOOL, "{success: true, message: it's on}")
    return domain


def waiting_client(domain, name):
    """A client of a service that nobody serves."""
    client = domain.start('service', 'call', name, SET_BOOL)
    client.wait_for_output('waiting for service to become available...\n')
    return client


def test_list_type_and_find(switch):
    switch.serve('/_hidden', 'std_srvs/srv/Trigger')
    assert switch.out('service', 'list') == '/switch\n'
    assert switch.out('service', 'list', '-t') == f'/switch [{SET_BOOL}]\n'
    assert switch.out('service', 'list', '-c') == '1\n'
    assert switch.out('service', 'list', '--include-hidden-services') == '/_hidden\n/switch\n'
    assert switch.out('service', '--include-hidden-services', 'list', '-c') == '2\n'
    assert json.loads(switch.out('service', 'list', '--json')) == [
        {'name': '/switch', 'types': [SET_BOOL], 'clients': 0, 'servers': 1}]
    assert switch.out('service', 'type', 'switch') == SET_BOOL + '\n'
    assert switch.out('service', 'type', '/_hidden') == 'std_srvs/srv/Trigger\n'
    assert switch.out('service', 'find', SET_BOOL) == '/switch\n'
    assert switch.out('service', 'find', '-c', 'std_srvs/srv/Trigger') == '0\n'
    assert switch.out('service', 'find', '--include-hidden-services', 'std_srvs/srv/Trigger') == '/_hidden\n'


def test_nothing_there(domain):
    assert domain.out('service', 'list') == ''
    assert domain.out('service', 'list', '-c') == '0\n'
    assert domain.out('service', 'find', SET_BOOL) == ''


@pytest.mark.parametrize('verb', ['type', 'info'])
def test_unknown_service(switch, verb):
    done = switch.ros2('service', verb, '/swich')
    assert (done.returncode, done.stdout) == (1, '')
    assert "there is no service '/swich'; did you mean '/switch'?" in done.stderr


def test_info(switch):
    assert switch.out('service', 'info', 'switch') == f'Type: {SET_BOOL}\nClients count: 0\nServices count: 1\n'
    text = switch.out('service', 'info', '-v', '/switch')
    assert text.startswith(f'Type: {SET_BOOL}\nClients count: 0\n\nServices count: 1\n\nNode name: peer\n')
    hash_line = next(line for line in text.splitlines() if line.startswith('Service type hash: RIHS01_'))
    qos = ('      Reliability: RELIABLE\n      History (Depth): KEEP_LAST (10)\n      Durability: VOLATILE\n'
           '      Lifespan: Infinite\n      Deadline: Infinite\n      Liveliness: AUTOMATIC\n'
           '      Liveliness lease duration: Infinite\n')
    server, = json.loads(switch.out('service', 'info', '--json', '/switch'))['servers']
    request, response = server['request'], server['response']
    assert hash_line.endswith(request['type_hash'])
    assert text.endswith(
        f'Node name: peer\nNode namespace: /\nService type: {SET_BOOL}\n{hash_line}\nEndpoint type: SERVER\n'
        f'Endpoint count: 2\nGIDs:\n - Request Reader : {request["gid"]}\n - Response Writer : {response["gid"]}\n'
        f'QoS profiles:\n - Request Reader :\n{qos} - Response Writer :\n{qos}\n')
    assert (request['node'], request['type']) == ('/peer', SET_BOOL + '_Request')
    assert request['gid'] != response['gid']


def test_info_of_clients(domain):
    clients = [waiting_client(domain, '/nobody') for _ in range(2)]
    assert domain.out('service', 'info', '/nobody') == f'Type: {SET_BOOL}\nClients count: 2\nServices count: 0\n'
    text = domain.out('service', 'info', '-v', '/nobody')
    assert text.count('Endpoint type: CLIENT\nEndpoint count: 2\nGIDs:\n - Request Writer : ') == 2
    assert sorted(line for line in text.splitlines() if line.startswith('Node name: ')) == sorted(
        f'Node name: _ros2cli_{client.process.pid}' for client in clients)


def test_services_are_no_topics(switch):
    waiting_client(switch, '/nobody')
    assert switch.out('topic', 'list', '--include-hidden-topics') == ''
    assert switch.out('topic', 'list', '-v') == ''
    assert switch.out('topic', 'find', SET_BOOL + '_Request') == ''
    done = switch.ros2('topic', 'info', '/switch')
    assert (done.returncode, done.stderr) == (1, "ros2: there is no topic '/switch'\n")
    assert switch.ros2('topic', 'info', 'rq/switchRequest').returncode == 1
    assert switch.out('__complete', 'topic', 'echo', '') == ''
    assert switch.out('__complete', 'topic', 'find', '') == ''


def test_node_info(switch):
    client = waiting_client(switch, '/nobody')
    assert switch.out('node', 'info', '/peer') == (
        f'/peer\n  Subscribers:\n\n  Publishers:\n\n  Service Servers:\n    /switch: {SET_BOOL}\n'
        '  Service Clients:\n\n  Action Servers:\n\n  Action Clients:\n\n')
    text = switch.out('node', 'info', f'/_ros2cli_{client.process.pid}')
    assert f'  Service Servers:\n\n  Service Clients:\n    /nobody: {SET_BOOL}\n' in text
    assert json.loads(switch.out('node', 'info', '--json', '/peer')) == {
        'name': '/peer', 'subscribers': {}, 'publishers': {}, 'service_servers': {'/switch': [SET_BOOL]},
        'service_clients': {}, 'action_servers': {}, 'action_clients': {}}


def test_call(switch):
    expected = ('requester: making request: std_srvs.srv.SetBool_Request(data=True)\n\n'
                'response:\nstd_srvs.srv.SetBool_Response(success=True, message="it\'s on")\n\n')
    text = switch.out('service', 'call', '/switch', SET_BOOL, '{data: true}')
    assert text.removeprefix('waiting for service to become available...\n') == expected
    assert 'data: true' in switch.switch.output()
    assert switch.out('service', 'call', 'switch', 'std_srvs/SetBool', '{data: true}').endswith(expected)
    assert 'SetBool_Request(data=False)' in switch.out('service', 'call', '/switch', SET_BOOL)
    assert switch.out('service', 'call', '--stdin', '/switch', SET_BOOL, input='data: true\n').endswith(expected)
    assert switch.out('service', 'call', '--qos-depth', '3', '/switch', SET_BOOL, 'data: true').endswith(expected)


def test_call_of_a_service_without_fields(domain):
    domain.serve('/ping', 'std_srvs/srv/Empty')
    assert domain.out('service', 'call', '/ping', 'std_srvs/srv/Empty').endswith(
        'requester: making request: std_srvs.srv.Empty_Request()\n\nresponse:\nstd_srvs.srv.Empty_Response()\n\n')


def test_call_waits_for_its_service(domain):
    client = waiting_client(domain, '/late')
    domain.serve('/late', SET_BOOL, '{message: here}')
    assert client.wait() == 0
    assert client.output().startswith(
        'waiting for service to become available...\nrequester: making request: ')
    assert client.output().endswith("response:\nstd_srvs.srv.SetBool_Response(success=False, message='here')\n\n")
    assert domain.out('service', 'info', '/late').splitlines()[1] == 'Clients count: 0'


def test_call_again_and_again(switch):
    client = switch.start('service', 'call', '-r', '100', '/switch', SET_BOOL)
    wait_for(lambda: client.output().count('response:') >= 3, 'three responses')
    assert client.interrupt() == 0
    assert client.output().count('requester: ') - client.output().count('response:') in (0, 1)


def test_two_servers_reply_once_each(switch):
    switch.serve('/switch', SET_BOOL, '{message: other}')
    wait_for(lambda: 'Services count: 2' in switch.out('service', 'info', '/switch'), 'two servers')
    client = switch.start('service', 'call', '-r', '100', '/switch', SET_BOOL)
    wait_for(lambda: client.output().count('response:') >= 5, 'five responses')
    assert client.interrupt() == 0
    assert client.output().count('requester: ') - client.output().count('response:') in (0, 1)


def test_interrupted_call(domain):
    client = waiting_client(domain, '/nobody')
    assert client.interrupt() == 130
    assert client.errors() == ''


@pytest.mark.parametrize('arguments', [
    ['call', '/bad name', SET_BOOL], ['call', '/x', 'std_msgs/msg/String'], ['call', '/x', 'no_srvs/srv/Thing'],
    ['call', '/x', 'SetBool'], ['call', '/x', SET_BOOL, '{data: [1'], ['call', '/x', SET_BOOL, '{date: true}'],
    ['type', '/a//b'], ['info', '/1a']])
def test_refusals(domain, arguments):
    done = domain.ros2('service', *arguments)
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr.startswith('ros2: ')


@pytest.mark.parametrize('arguments', [
    ['call', '/x'], ['call', '/x', SET_BOOL, '-r', '0'], ['call', '/x', SET_BOOL, '{}', '--stdin'], ['info'], ['find']])
def test_wrong_usage(domain, arguments):
    done = domain.ros2('service', *arguments)
    assert (done.returncode, done.stdout) == (2, '')
    assert f"Try 'ros2 service {arguments[0]} --help'" in done.stderr


def test_absent_type(domain):
    """Everything that does not need its fields works."""
    domain.serve('/absent', ABSENT)
    assert domain.out('service', 'list', '-t') == f'/absent [{ABSENT}]\n'
    assert f'Service type hash: RIHS01_{"5a" * 32}\n' in domain.out('service', 'info', '-v', '/absent')
    done = domain.ros2('service', 'call', '/absent', ABSENT)
    assert (done.returncode, done.stdout) == (1, '')
    assert 'absent_msgs' in done.stderr


def test_daemon(domain):
    assert domain.out('daemon', 'status').startswith('The daemon is not running')
    assert 'no daemon' in domain.out('daemon', 'start')
    assert domain.out('daemon', 'stop') == 'The daemon is not running\n'


@pytest.mark.parametrize('options', [[], ['-r'], ['--report'], ['-rf'], ['-iw', '-ep']])
def test_doctor(domain, tmp_path, options):
    """It becomes tandem-doctor, which is found in PATH here."""
    program = tmp_path / 'tandem-doctor'
    program.write_text('#!/bin/sh\necho "doctor $#"\nexit 1\n')
    program.chmod(0o755)
    domain.env['PATH'] = f'{tmp_path}:{domain.env["PATH"]}'
    done = domain.ros2('doctor', *options)
    assert (done.returncode, done.stdout, done.stderr) == (1, 'doctor 0\n', '')


def test_doctor_that_is_not_installed(domain, tmp_path):
    domain.env['PATH'] = str(tmp_path)
    done = domain.ros2('doctor')
    assert (done.returncode, done.stdout) == (1, '')
    assert 'is the package tandem_doctor installed?' in done.stderr


def test_echo(switch):
    echo = switch.start('service', 'echo', '/switch')
    echo.wait_for_output("No publishers on topic '/switch/_service_event'; is service introspection")
    event = '{info: {event_type: 1, sequence_number: 7}, request: [{data: true}]}'
    switch.out('topic', 'pub', '--once', '-w', '1', '/switch/_service_event', SET_BOOL + '_Event', event)
    echo.wait_for_output('---\n')
    assert '\n  event_type: REQUEST_RECEIVED\n' in echo.output()
    assert '\n  sequence_number: 7\nrequest:\n- data: true\nresponse: []\n---\n' in echo.output()
    assert echo.interrupt() == 0


def test_echo_of_nothing(switch):
    done = switch.ros2('service', 'echo', '/swich')
    assert (done.returncode, done.stdout) == (1, '')
    assert "there is no service '/swich'; did you mean '/switch'?" in done.stderr
