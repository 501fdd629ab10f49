"""Reads a bag with PyPI's rosbags and mcap-ros2-support, which know nothing of Tandem, or makes one with rosbags.

read_bag.py read FOLDER   prints JSON: for each topic the messages' times and contents, as each reader sees them
read_bag.py write FOLDER STORAGE COMPRESSION COUNT
"""

import json
import sys
from pathlib import Path

try:
    from mcap_ros2.reader import read_ros2_messages
    from rosbags.rosbag2 import CompressionFormat, CompressionMode, Reader, StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore
except ImportError as error:
    print(f'missing: {error}', file=sys.stderr)
    sys.exit(77)

STRING = 'std_msgs/msg/String'


def read(folder):
    store = get_typestore(Stores.ROS2_JAZZY)
    rosbags = {}
    with Reader(folder) as reader:
        for connection, time, data in reader.messages():
            message = store.deserialize_cdr(data, connection.msgtype)
            rosbags.setdefault(connection.topic, []).append([time, getattr(message, 'data', None)])
        digests = {connection.topic: connection.digest for connection in reader.connections}
    mcap = {}
    for file in sorted(Path(folder).glob('*.mcap')):
        for item in read_ros2_messages(file):
            mcap.setdefault(item.channel.topic, []).append(
                [item.log_time_ns, getattr(item.ros_msg, 'data', None)])
    print(json.dumps({'rosbags': rosbags, 'mcap': mcap, 'digests': digests}))


def write(folder, storage, compression, count):
    store = get_typestore(Stores.ROS2_JAZZY)
    writer = Writer(folder, version=9, storage_plugin=StoragePlugin[storage])
    if compression != 'NONE':
        writer.set_compression(CompressionMode[compression], CompressionFormat.ZSTD)
    with writer:
        connection = writer.add_connection('/chatter', STRING, typestore=store)
        for i in range(int(count)):
            message = store.types[STRING](data=f'message {i}')
            writer.write(connection, 1_000_000_000 + i * 1_000_000, store.serialize_cdr(message, STRING))


if __name__ == '__main__':
    {'read': read, 'write': write}[sys.argv[1]](*sys.argv[2:])
