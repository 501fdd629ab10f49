"""The Foxglove protocol with Foxglove's own client (@foxglove/ws-protocol): all that the server says it can do."""

import base64
import json
import os
import queue
import shutil
import struct
import subprocess
import threading
from pathlib import Path

import pytest

MODULES = Path(os.environ.get('NODE_MODULES', ''))
if not shutil.which('node') or not (MODULES / '@foxglove').is_dir():
    pytest.skip('THE FOXGLOVE PROTOCOL IS NOT TESTED: no node, or `make web` has not fetched its client',
                allow_module_level=True)

HERE = Path(__file__).parent
PATIENCE = 30


class Foxglove:
    """The client in its own process."""

    def __init__(self, view, protocol='foxglove.sdk.v1'):
        address = f'ws://127.0.0.1:{view.port}/{view.token}'
        self.process = subprocess.Popen(['node', str(HERE / 'foxglove_client.mjs'), address, protocol],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.channels = {}
        self.services = {}
        self.info = self.until('serverInfo')

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def until(self, event, wanted=lambda _: True):
        """The value of the next such event; topics and services that are told of meanwhile are noted."""
        while True:
            line = self.lines.get(timeout=PATIENCE)
            name, value = line['event'], line.get('value')
            if name == 'advertise':
                self.channels.update((each['topic'], each) for each in value)
            elif name == 'advertiseServices':
                self.services.update((each['name'], each) for each in value)
            assert name != 'error', value
            if name == event and wanted(value):
                return value

    def do(self, method, **fields):
        self.process.stdin.write(json.dumps({'do': method, **fields}) + '\n')
        self.process.stdin.flush()

    def channel(self, topic):
        while topic not in self.channels:
            self.until('advertise')
        return self.channels[topic]

    def service(self, name):
        while name not in self.services:
            self.until('advertiseServices')
        return self.services[name]

    def subscribe(self, topic):
        self.do('subscribe', channel=self.channel(topic)['id'])
        return self.until('returned')

    def message(self, subscription):
        message = self.until('message', lambda each: each['subscriptionId'] == subscription)
        return message, base64.b64decode(message['data'])

    def close(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


@pytest.fixture
def client(view):
    one = Foxglove(view)
    yield one
    one.close()


def cdr_string(text):
    data = text.encode() + b'\0'
    return b'\0\1\0\0' + struct.pack('<I', len(data)) + data


@pytest.mark.parametrize('protocol', ['foxglove.websocket.v1', 'foxglove.sdk.v1'])
def test_server_greets_with_what_it_can_do(view, protocol):
    client = Foxglove(view, protocol)
    info = client.info
    assert set(info['capabilities']) == {'clientPublish', 'parameters', 'parametersSubscribe', 'services',
                                         'connectionGraph', 'assets'}
    assert info['supportedEncodings'] == ['cdr', 'json']
    client.close()


def test_channels_come_with_their_whole_schema(client):
    channel = client.channel('/imu')
    assert (channel['schemaName'], channel['encoding'], channel['schemaEncoding']) == \
        ('sensor_msgs/msg/Imu', 'cdr', 'ros2msg')
    parts = channel['schema'].split('=' * 80 + '\n')
    assert 'std_msgs/Header header' in parts[0]
    assert {part.split('\n')[0] for part in parts[1:]} >= {'MSG: std_msgs/Header', 'MSG: geometry_msgs/Vector3'}


def test_messages_arrive_in_cdr_until_unsubscribed(client):
    subscription = client.subscribe('/chatter')
    message, data = client.message(subscription)
    assert data[8:].startswith(b'hello ')
    assert message['timestamp'] > 1.6e18
    client.do('unsubscribe', id=subscription)
    client.until('returned')


def test_latched_message_reaches_everybody_who_comes(view):
    clients = [Foxglove(view) for _ in range(3)]
    for client in clients:  # one after the other, while the others stay
        assert b'a map of the house' in client.message(client.subscribe('/map_name'))[1]
    for client in clients:
        client.close()


def test_client_publishes_in_both_encodings(client):
    subscription = client.subscribe('/heard')
    for encoding, payload in [('cdr', cdr_string('from cdr')), ('json', b'{"data": "from json"}')]:
        client.do('advertise', channel={'topic': '/said', 'encoding': encoding, 'schemaName': 'std_msgs/msg/String'})
        channel = client.until('returned')
        # The listener hears once it is connected, which takes a moment.
        stop = threading.Event()

        def publish(channel=channel, payload=payload, stop=stop):
            while not stop.wait(0.05):
                client.do('publish', id=channel, data=base64.b64encode(payload).decode())

        thread = threading.Thread(target=publish)
        thread.start()
        words = f'from {encoding}'.encode()
        while words not in client.message(subscription)[1]:
            pass
        stop.set()
        thread.join()


def test_service_is_called_in_both_encodings(client):
    service = client.service('/lights')
    assert service['type'] == 'std_srvs/srv/SetBool'
    assert 'bool data' in service['request']['schema']
    client.do('call', service=service['id'], call=1, encoding='json',
              data=base64.b64encode(b'{"data": true}').decode())
    answer = client.until('serviceCallResponse')
    assert (answer['serviceId'], answer['callId'], answer['encoding']) == (service['id'], 1, 'json')
    assert json.loads(base64.b64decode(answer['data'])) == {'success': True, 'message': 'on'}
    client.do('call', service=service['id'], call=2, encoding='cdr', data=base64.b64encode(b'\0\1\0\0\0').decode())
    answer = client.until('serviceCallResponse')
    assert base64.b64decode(answer['data']) == b'\0\1\0\0\1\0\0\0\4\0\0\0off\0'


def test_service_call_that_makes_no_sense_is_refused(client):
    service = client.service('/lights')['id']
    for number, encoding, data in [(service, 'json', b'{"data": [1]}'), (service, 'xml', b''), (0, 'json', b'{}')]:
        client.do('call', service=number, call=9, encoding=encoding, data=base64.b64encode(data).decode())
        failure = client.until('serviceCallFailure')
        assert failure['callId'] == 9 and failure['message']


def test_parameters_are_read_set_and_followed(client):
    client.do('getParameters', names=[], id='all')
    values = {each['name']: each for each in client.until('parameterValues')['parameters']}
    assert values['/robot.speed'] == {'name': '/robot.speed', 'value': 1.5, 'type': 'float64'}
    assert values['/robot.name']['value'] == 'robot one'
    assert values['/robot.gears']['value'] == 4
    assert values['/robot.limits'] == {'name': '/robot.limits', 'value': [0.5, 2.0], 'type': 'float64_array'}
    client.do('subscribeParameters', names=['/robot.speed'])
    client.do('setParameters', parameters=[{'name': '/robot.speed', 'value': 3}, {'name': '/robot.gears', 'value': 5}],
              id='mine')
    answer = client.until('parameterValues', lambda each: each.get('id') == 'mine')
    assert {each['name']: each['value'] for each in answer['parameters']} == {'/robot.speed': 3.0, '/robot.gears': 5}
    client.do('setParameters', parameters=[{'name': '/robot.speed', 'value': 'fast'}], id='wrong')
    assert '/robot.speed was not set' in client.until('status')['message']
    client.do('setParameters', id='back', parameters=[{'name': '/robot.speed', 'value': 1.5},
                                                      {'name': '/robot.gears', 'value': 4}])
    told = client.until('parameterValues', lambda each: 'id' not in each)
    assert [each['name'] for each in told['parameters']] == ['/robot.speed']


def test_graph_names_who_publishes_and_who_subscribes(client):
    client.do('subscribeGraph')
    graph = client.until('connectionGraphUpdate', lambda each: each['publishedTopics'])
    published = {each['name']: each['publisherIds'] for each in graph['publishedTopics']}
    subscribed = {each['name']: each['subscriberIds'] for each in graph['subscribedTopics']}
    assert published['/imu'] == ['/robot'] and subscribed['/imu'] == ['/listener']
    served = {each['name']: each['providerIds'] for each in graph['advertisedServices']}
    assert served['/lights'] == ['/robot']


def test_assets_come_from_share_folders_only(client):
    client.do('fetchAsset', uri='package://sensor_msgs/package.xml', id=7)
    answer = client.until('fetchAssetResponse')
    assert (answer['requestId'], answer['status']) == (7, 0)
    assert b'<name>sensor_msgs</name>' in base64.b64decode(answer['data'])
    for uri in ['package://sensor_msgs/../../../../../../../etc/passwd', 'package://sensor_msgs//etc/passwd',
                'package://../etc/passwd', 'file:///etc/passwd', 'package://sensor_msgs', 'package://no_such/a',
                'package://sensor_msgs/msg', 'package://sensor_msgs/msg/%2e%2e/package.xml']:
        client.do('fetchAsset', uri=uri, id=8)
        answer = client.until('fetchAssetResponse')
        assert answer['status'] == 1 and answer['error'], uri
