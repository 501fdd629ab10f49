"""The type support library as programs see it that know only names: symbols, and RIHS01 hashes.

known_hashes.json holds what PyPI's rosbags 0.11.9 computes (hash_rihs01) for the definitions beside them, with each
'char' given to it as uint8: that is what ROS 2 hashes for it, since 'char' of a .msg file is uint8 in IDL.
"""

import ctypes
import json
import os
import pathlib
import sys

import pytest
from rosidl_adapter import convert_to_idl

GENERATOR = pathlib.Path(os.environ['GENERATOR'])
KNOWN = json.loads(pathlib.Path(__file__).with_name('known_hashes.json').read_text())

sys.path.insert(0, str(GENERATOR.parent))
from rosidl_generator_tandem.interfaces import Interfaces, type_name  # noqa: E402
from rosidl_generator_tandem.type_hash import type_hash  # noqa: E402


class MessageType(ctypes.Structure):
    """The first members of tandem::MessageType."""

    _fields_ = [('name', ctypes.c_char_p), ('hash', ctypes.c_uint8 * 32), ('abi', ctypes.c_uint64),
                ('size', ctypes.c_size_t)]


def find(name):
    library = ctypes.CDLL(os.environ['TYPE_SUPPORT_LIBRARY'])
    function = getattr(library, f'tandem_message_type__{name.replace("/", "__")}')
    function.restype = ctypes.POINTER(MessageType)
    return function().contents


@pytest.mark.parametrize('name', sorted(name for name in KNOWN if name.startswith('interface_tests/')))
def test_type_is_found_by_name(name):
    type_ = find(name)
    assert type_.name.decode() == name
    assert bytes(type_.hash).hex() == KNOWN[name]['hash']
    assert find(name).size == type_.size > 0


def test_unknown_name_has_no_symbol():
    with pytest.raises(AttributeError):
        find('interface_tests/msg/Missing')


@pytest.fixture(scope='module')
def computed(tmp_path_factory):
    """All definitions of the table as one set of interfaces; type name to hash."""
    directory = tmp_path_factory.mktemp('hashes')
    dependencies = []
    for name, known in KNOWN.items():
        package, folder, stem = name.split('/')
        if folder == 'msg' and 'definition' in known:
            source = directory / package / folder / f'{stem}.msg'
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(known['definition'])
            convert_to_idl(directory / package, package, pathlib.Path(folder, f'{stem}.msg'), directory / package)
            dependencies.append(f'{package}:{source.with_suffix(".idl")}')
    interfaces = Interfaces({'package_name': 'none', 'idl_tuples': [], 'ros_interface_dependencies': dependencies})
    messages = [interfaces.message(f'{package}/msg/{pathlib.Path(file).stem}')
                for package, file in (entry.split(':') for entry in dependencies)]
    return {type_name(message): type_hash(message, interfaces).hex() for message in messages}


@pytest.mark.parametrize('name', sorted(name for name in KNOWN if 'definition' in KNOWN[name]))
def test_hash_is_the_one_of_ros(computed, name):
    assert computed[name] == KNOWN[name]['hash']
