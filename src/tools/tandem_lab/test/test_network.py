"""The cable between two namespaces, and what contestants need to use it."""

import contextlib
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace

import pytest

from tandem_lab.trials import network, network_settings
from tandem_lab.trials.processes import Unsupported

FOLDER = network.FOLDER


def namespaces():
    return {path.name for path in FOLDER.glob(f'tandem-lab-{os.getpid()}-*')} if FOLDER.is_dir() else set()


@pytest.fixture
def cable():
    try:
        with network.veth({'LAB_WORD': 'two words'}) as made:
            yield made
    except Unsupported as error:
        print(f'NOT TESTED: {error}', file=sys.stderr)
        pytest.skip(f'NOT TESTED: {error}')


SERVER = """
import socket
server = socket.create_server(('0.0.0.0', 5000))
print('ready', flush=True)
one = server.accept()[0]
count = 0
while data := one.recv(1 << 20):
    count += len(data)
print(count, flush=True)
"""
CLIENT = """
import os, socket, sys
socket.create_connection((sys.argv[1], 5000)).sendall(bytes(300_000))
print(os.environ['LAB_WORD'], os.getpid())
"""


def test_bytes_cross_the_cable_and_are_counted(cable):
    server = subprocess.Popen([*cable.prefix(1), sys.executable, '-c', SERVER], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout.readline() == 'ready\n'
        before = cable.counters()
        client = subprocess.Popen([*cable.prefix(0), sys.executable, '-c', CLIENT, *cable.hosts(0)],
                                  stdout=subprocess.PIPE, text=True)
        assert client.communicate(timeout=60)[0] == f'two words {client.pid}\n'
        assert server.communicate(timeout=60)[0] == '300000\n'
    finally:
        server.kill()
        server.wait()
    after = cable.counters()
    packets, size = after['packets'] - before['packets'], after['bytes'] - before['bytes']
    # 208 full packets and their headers; acknowledgements go back.
    assert packets >= 208 and size >= 300_000 + 208 * 66
    assert cable.hosts(1) == [cable.address(0)] != cable.hosts(0)


def test_the_cable_is_shaped_and_silent(cable):
    for name in cable.names:
        shaper = subprocess.run(['tc', '-n', name, 'qdisc', 'show', 'dev', network.INTERFACE], capture_output=True,
                                text=True, check=True).stdout
        assert 'tbf' in shaper and 'rate 1Gbit' in shaper
        routes = subprocess.run(['ip', '-n', name, 'route'], capture_output=True, text=True, check=True).stdout
        assert '224.0.0.0/4 dev net0' in routes
    assert cable.counters() == {'bytes': 0, 'packets': 0}


def test_marks_become_figures(cable, tmp_path):
    figures = {}
    trial = SimpleNamespace(peers=[SimpleNamespace(role='ping', figures={'sent': 5}, spec={'warm_up': 2}),
                                   SimpleNamespace(role='pong', figures={'sent': 5}, spec={'warm_up': 2}),
                                   SimpleNamespace(role='subscribe', figures=None, spec={})],
                            figure=figures.__setitem__, note=lambda text: None, folder=tmp_path / 'trial')
    cable.fill(trial)
    assert figures == {}
    cable.marks = [{'bytes': 100, 'packets': 1}, {'bytes': 1500, 'packets': 29}]
    (tmp_path / 'trial').mkdir()
    (tmp_path / 'it.xml').write_text('profile')
    cable.files = [tmp_path / 'it.xml']
    cable.fill(trial)
    assert (tmp_path / 'trial' / 'it.xml').is_file()
    assert figures == {'wire_bytes_per_msg': 100, 'wire_packets_per_msg': 2}  # of 5 + 5 + 2 * 2


def test_nothing_is_left_after_an_exception(cable):
    process = None
    with contextlib.suppress(KeyboardInterrupt), network.veth() as other:
        process = subprocess.Popen([*other.prefix(0), 'sh', '-c', 'echo in; exec sleep 600'], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b'in\n'
        assert set(other.names) <= namespaces()
        raise KeyboardInterrupt
    assert process.wait(timeout=60) == -9
    process.stdout.close()
    assert namespaces() == set(cable.names)


VICTIM = """
import sys, time
sys.path.insert(0, sys.argv[1])
from tandem_lab.trials import network
with network.veth() as cable:
    print(*cable.names, flush=True)
    time.sleep(600)
"""


def test_what_a_killed_lab_has_left_is_removed(cable):
    package = Path(network.__file__).resolve().parents[2]
    victim = subprocess.Popen([sys.executable, '-B', '-c', VICTIM, str(package)], stdout=subprocess.PIPE, text=True)
    names = victim.stdout.readline().split()
    assert len(names) == 2 and all((FOLDER / name).exists() for name in names)
    assert not set(names) & set(network.remove_leftovers())  # it lives
    victim.kill()
    victim.communicate(timeout=60)
    network.remove_leftovers()  # another lab may do so at the same time
    assert not any((FOLDER / name).exists() for name in names)
    assert all((FOLDER / name).exists() for name in cable.names)


def test_a_failure_half_way_removes_what_was_made(cable, monkeypatch):
    monkeypatch.setattr(network, 'RATE', 'nonsense')
    with pytest.raises(Unsupported, match='no virtual cable: tc .*nonsense'):
        with network.veth():
            pass
    assert namespaces() == set(cable.names)


def test_without_root_it_is_unsupported(monkeypatch):
    monkeypatch.setattr(network.os, 'geteuid', lambda: 1000)
    with pytest.raises(Unsupported, match='needs root'):
        with network.veth():
            pass


def test_without_iproute2_it_is_unsupported(monkeypatch):
    with pytest.raises(Unsupported, match='apt-get install iproute2'):
        network.run('ip-is-not-here')


def contestant(rmw=None, kind='transport', link='', settings='tuned'):
    return SimpleNamespace(title='It', kind=kind, rmw=rmw, link={'kind': kind, 'name': link or rmw}, settings=settings)


@pytest.mark.parametrize('settings', ['tuned', 'vendor'])
@pytest.mark.parametrize('mode', network_settings.MODES)
def test_fast_dds_is_told_to_use_udp_only(tmp_path, mode, settings):
    one = contestant('rmw_fastrtps_cpp', settings=settings)
    variables = network_settings.environment(one, mode, tmp_path)
    text = Path(variables['FASTRTPS_DEFAULT_PROFILES_FILE']).read_text()
    root = ElementTree.fromstring(text)
    values = [element.text for element in root.iter()]
    assert 'SHM' not in values and 'UDPv4' in values and '>false</useBuiltinTransports>' in text
    assert ('heartbeatPeriod' in text) == (settings == 'tuned')
    assert ('10.98.0.2' in values) == (mode == 'unicast') == ('ROS_AUTOMATIC_DISCOVERY_RANGE' in variables)
    assert (network_settings.DATA_GROUP in values) == (mode == 'multicast')


@pytest.mark.parametrize('mode', network_settings.MODES)
def test_cyclone_dds_is_told_to_leave_shared_memory(tmp_path, mode):
    text = network_settings.environment(contestant('rmw_cyclonedds_cpp'), mode, tmp_path)['CYCLONEDDS_URI']
    ElementTree.fromstring(text)
    assert '<SharedMemory><Enable>false</Enable></SharedMemory>' in text
    assert f'<AllowMulticast>{"true" if mode == "multicast" else "false"}</AllowMulticast>' in text
    assert ('10.98.0.1' in text) == (mode == 'unicast')


def test_who_cannot_cross_says_so(tmp_path):
    def refused(one, mode='unicast'):
        with pytest.raises(Unsupported) as caught:
            network_settings.environment(one, mode, tmp_path)
        return str(caught.value)
    assert 'does not leave the host' in refused(contestant('rmw_tandem_cpp'))
    assert 'of one host' in refused(contestant(kind='floor', link='futex'))
    assert 'no multicast' in refused(contestant('rmw_zeromq_cpp'), 'multicast')
    assert 'no multicast' in refused(contestant(kind='floor', link='udp'), 'multicast')
    assert 'unicast and multicast' in refused(contestant('rmw_cyclonedds_cpp'), 'broadcast')
    assert network_settings.environment(contestant(kind='floor', link='tcp'), 'unicast', tmp_path) == {}
    variables = network_settings.environment(contestant('rmw_zeromq_cpp'), 'unicast', tmp_path)
    assert variables['TANDEM_ZEROMQ_TRANSPORT'] == 'tcp'
