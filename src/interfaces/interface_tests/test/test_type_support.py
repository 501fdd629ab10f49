"""The type support library as programs see it that know only names: symbols, and RIHS01 hashes.

known_hashes.json holds
  * of interface_tests what PyPI's rosbags 0.11.9 computes (hash_rihs01), with each 'char' given to it as uint8: that is
    what ROS 2 hashes for it, since 'char' of a .msg file is uint8 in IDL;
  * of test_msgs, which has every kind of field, and what it uses: the names and types of the fields, and the hashes
    that ROS 2 Kilted's own generator wrote (hpmicro/hpm_sdk, middleware/microros/kilted/include, *__description.c).
"""

import ctypes
import json
import os
import pathlib
import sys

import pytest

GENERATOR = pathlib.Path(os.environ['GENERATOR'])
KNOWN = json.loads(pathlib.Path(__file__).with_name('known_hashes.json').read_text())

sys.path.insert(0, str(GENERATOR.parent))
from rosidl_generator_tandem.adapter import adapt  # noqa: E402
from rosidl_generator_tandem.definitions import type_name  # noqa: E402
from rosidl_generator_tandem.interfaces import Interfaces  # noqa: E402
from rosidl_generator_tandem.type_hash import type_hash  # noqa: E402


class MessageType(ctypes.Structure):
    """The first members of tandem::MessageType."""

    _fields_ = [('name', ctypes.c_char_p), ('hash', ctypes.c_uint8 * 32), ('abi', ctypes.c_uint64),
                ('size', ctypes.c_size_t)]


class ServiceType(ctypes.Structure):
    """tandem::ServiceType."""

    _fields_ = [('name', ctypes.c_char_p), ('hash', ctypes.c_uint8 * 32), ('request', ctypes.POINTER(MessageType)),
                ('response', ctypes.POINTER(MessageType)), ('event', ctypes.POINTER(MessageType))]


class ActionType(ctypes.Structure):
    """tandem::ActionType."""

    _fields_ = [('name', ctypes.c_char_p), ('hash', ctypes.c_uint8 * 32),
                *((part, ctypes.POINTER(MessageType)) for part in ('goal', 'result', 'feedback')),
                *((part, ctypes.POINTER(ServiceType)) for part in ('send_goal', 'get_result')),
                ('feedback_message', ctypes.POINTER(MessageType))]


def find(name, kind='message', type_=MessageType):
    library = ctypes.CDLL(os.environ['TYPE_SUPPORT_LIBRARY'])
    function = getattr(library, f'tandem_{kind}_type__{name.replace("/", "__")}')
    function.restype = ctypes.POINTER(type_)
    return function().contents


@pytest.mark.parametrize('name', sorted(name for name in KNOWN if name.startswith('interface_tests/')))
def test_type_is_found_by_name(name):
    type_ = find(name)
    assert type_.name.decode() == name
    assert bytes(type_.hash).hex() == KNOWN[name]['hash']
    assert find(name).size == type_.size > 0


def test_service_is_found_by_name():
    type_ = find('interface_tests/srv/Describe', 'service', ServiceType)
    assert type_.name == b'interface_tests/srv/Describe'
    assert type_.request.contents.name == b'interface_tests/srv/Describe_Request'
    assert type_.response.contents.name == b'interface_tests/srv/Describe_Response'
    assert type_.event.contents.name == b'interface_tests/srv/Describe_Event'
    assert find('interface_tests/srv/Describe_Event').name == b'interface_tests/srv/Describe_Event'


def test_action_is_found_by_name():
    type_ = find('interface_tests/action/Fetch', 'action', ActionType)
    assert type_.name == b'interface_tests/action/Fetch'
    assert type_.feedback.contents.name == b'interface_tests/action/Fetch_Feedback'
    assert type_.get_result.contents.request.contents.name == b'interface_tests/action/Fetch_GetResult_Request'
    service = find('interface_tests/action/Fetch_GetResult', 'service', ServiceType)
    assert bytes(service.hash) == bytes(type_.get_result.contents.hash)


@pytest.mark.parametrize('kind', ['message', 'service', 'action'])
def test_unknown_name_has_no_symbol(kind):
    with pytest.raises(AttributeError):
        find('interface_tests/msg/Missing', kind)


@pytest.fixture(scope='module')
def computed(tmp_path_factory):
    """All definitions of the table as one set of interfaces; type name to hash."""
    directory = tmp_path_factory.mktemp('hashes')
    own, dependencies = [], []
    definitions = {name: known['definition'] for name, known in KNOWN.items() if 'definition' in known}
    # Events of services hold one of these, which no definition names.
    event_info = pathlib.Path(__file__).parents[2] / 'service_msgs' / 'msg' / 'ServiceEventInfo.msg'
    definitions['service_msgs/msg/ServiceEventInfo'] = event_info.read_text()
    definitions.setdefault('builtin_interfaces/msg/Time', 'int32 sec\nuint32 nanosec\n')
    for name, definition in definitions.items():
        package, folder, stem = name.split('/')
        source = directory / package / folder / f'{stem}.{folder}'
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(definition)
        text = adapt(package, source, source.relative_to(directory / package))
        source.with_suffix('.idl').write_text(text)
        if package == 'test_msgs':
            own.append(f'{directory / package}:{folder}/{stem}.idl')
        else:
            dependencies.append(f'{package}:{source.with_suffix(".idl")}')
    interfaces = Interfaces({'package_name': 'test_msgs', 'idl_tuples': own,
                             'ros_interface_dependencies': dependencies})
    messages = [interfaces.message(f'{package}/msg/{pathlib.Path(file).stem}')
                for package, file in (entry.split(':') for entry in dependencies)]
    for interface in interfaces.own:
        messages += [*interface.messages, *interface.services, *interface.actions]
    return {type_name(message): type_hash(message, interfaces).hex() for message in messages}


@pytest.mark.parametrize('name', sorted(name for name in KNOWN if 'definition' in KNOWN[name]))
def test_hash_is_the_one_of_ros(computed, name):
    assert computed[name] == KNOWN[name]['hash']
