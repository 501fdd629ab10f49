"""A Zenoh router with the guide's configuration: it takes who has a certificate, and carries what it is allowed to."""

import re
import subprocess
from pathlib import Path

import pytest
from hosts import Hosts, wait_until
from test_zenoh import ROUTER, STRING, pytestmark  # noqa: F401: these tests are skipped with those

GUIDE = Path(__file__).resolve().parents[3] / 'docs/guide/zenoh.md'
DOMAIN = '84'
# What is below /secret stays with who publishes it.
RULES = """
      access_control: {
        enabled: true,
        default_permission: "allow",
        rules: [{ id: "secret", permission: "deny", key_exprs: ["%s/secret/**"],
                  flows: ["ingress", "egress"], messages: ["put", "declare_subscriber", "query", "reply"] }],
        subjects: [{ id: "robots", cert_common_names: ["a", "b"] }],
        policies: [{ rules: ["secret"], subjects: ["robots"] }],
      },
""" % DOMAIN


class Certificates:
    """An authority, and what it signs."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self._leaf = folder / 'openssl.cnf'
        self._leaf.write_text('[req]\ndistinguished_name = name\n[name]\n')
        self._make('ca')

    def issue(self, name, address):
        self._make(name, '-CA', self.folder / 'ca.pem', '-CAkey', self.folder / 'ca.key', '-config', self._leaf,
                   '-addext', 'basicConstraints=critical,CA:FALSE', '-addext', f'subjectAltName=IP:{address}')

    def _make(self, name, *options):
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
                        '-keyout', self.folder / f'{name}.key', '-out', self.folder / f'{name}.pem',
                        '-subj', f'/CN={name}', '-days', '3650', *options], check=True, capture_output=True)


class Cloud:
    """Two hosts, and a router on a third."""

    def __init__(self, hosts, folder):
        self.a, self.b, self.host = hosts
        self.folder = folder
        self.ours, self.strange = Certificates(folder / 'ours'), Certificates(folder / 'strange')
        self.ours.issue('router', self.host.address)
        self.ours.issue('a', self.a.address)
        self.ours.issue('b', self.b.address)
        self.strange.issue('b', self.b.address)

    def configuration(self, mode, certificates, name, extra=''):
        """The guide's for this mode, in a file."""
        found = re.search(rf'^    {{\n      mode: "{mode}".*?^    }}$', GUIDE.read_text(encoding='utf-8'), re.M | re.S)
        text = found.group()
        for placeholder, value in (('/etc/robots/ca', f'{certificates}/ca'),
                                   ('/etc/robots/router', f'{certificates}/{name}'),
                                   ('/etc/robots/robot1', f'{certificates}/{name}'),
                                   ('robots.example.org', self.host.address)):
            text = text.replace(placeholder, value)
        file = self.folder / f'{certificates.name}-{name}.json5'
        file.write_text(text[:-1] + extra + '}')
        return str(file)

    def start_router(self, extra=''):
        uri = self.configuration('router', self.ours.folder, 'router', extra)
        self.host.start(ROUTER, env={'ZENOH_ROUTER_CONFIG_URI': uri}).wait_for('router .* is running')

    def start_gateway(self, host, certificates, name):
        uri = self.configuration('client', certificates.folder, name)
        return host.start('tandem-gateway', '--network', 'zenoh', env={'ZENOH_SESSION_CONFIG_URI': uri})


@pytest.fixture
def cloud(tmp_path):
    with Hosts(3, env={'ROS_DOMAIN_ID': DOMAIN}) as hosts:
        yield Cloud(hosts, tmp_path)


def publish(host, topic):
    host.start('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '-n', 'talker', topic, STRING, '{data: hi}')


def test_who_has_a_certificate_is_taken(cloud):
    cloud.start_router()
    cloud.start_gateway(cloud.a, cloud.ours, 'a')
    publish(cloud.a, '/chatter')
    with cloud.b.capture('tcp port 7447') as packets:
        cloud.start_gateway(cloud.b, cloud.ours, 'b')
        cloud.b.start('ros2', 'topic', 'echo', '/chatter', STRING).wait_for('data: hi')
        wire = packets.read_bytes()
    assert len(wire) > 1000 and b'chatter' not in wire


def test_who_has_another_s_certificate_is_not(cloud):
    cloud.start_router()
    cloud.start_gateway(cloud.a, cloud.ours, 'a')
    publish(cloud.a, '/chatter')
    gateway = cloud.start_gateway(cloud.b, cloud.strange, 'b')
    gateway.wait_for(f'waits for a router at .*tls/{cloud.host.address}:7447', 'stderr')
    assert '/chatter' not in cloud.b.out('ros2', 'topic', 'list')
    assert 'carrying' not in gateway.stderr and gateway.interrupt() == 0


def test_topics_that_the_router_denies_stay_where_they_are(cloud):
    cloud.start_router(RULES)
    cloud.start_gateway(cloud.a, cloud.ours, 'a')
    cloud.start_gateway(cloud.b, cloud.ours, 'b')
    publish(cloud.a, '/secret/chatter')
    publish(cloud.a, '/chatter')
    secret = cloud.b.start('ros2', 'topic', 'echo', '/secret/chatter', STRING)
    echo = cloud.b.start('ros2', 'topic', 'echo', '/chatter', STRING)
    cloud.a.start('ros2', 'topic', 'echo', '/secret/chatter', STRING).wait_for('data: hi')
    wait_until(lambda: echo.stdout.count('data: hi') >= 20, 'second of messages')
    assert 'data: hi' not in secret.stdout
