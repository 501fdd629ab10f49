"""What is said: for each type a few messages, among them empty and large ones. Numbers are exact in their types."""


def header(sec, frame):
    return {'stamp': {'sec': sec, 'nanosec': 999_999_999}, 'frame_id': frame}


def image(width, height, frame):
    return {'header': header(-1, frame), 'height': height, 'width': width, 'encoding': 'mono8', 'is_bigendian': 0,
            'step': width, 'data': [(x * 7 + y) % 256 for y in range(height) for x in range(width)]}


def cloud(points):
    row = 12 * points + 3  # see CONTENTS
    fields = [{'name': name, 'offset': 4 * i, 'datatype': 7, 'count': 1} for i, name in enumerate('xyz')]
    return {'header': header(7, 'lidar'), 'height': 1, 'width': points, 'fields': fields, 'is_bigendian': False,
            'point_step': 12, 'row_step': row, 'data': [i % 251 for i in range(row)],
            'is_dense': points > 0}


def pose(sec):
    return {'header': header(sec, 'map'), 'pose': {'position': {'x': 1.5, 'y': -2.25, 'z': 1e300},
                                                   'orientation': {'x': 0.0, 'y': 0.0, 'z': 0.0, 'w': 1.0}}}


def status(level, values):
    return {'level': level, 'name': 'arm: left', 'message': '', 'hardware_id': 'm' * level,
            'values': [{'key': f'k{i}', 'value': 'v' * i} for i in range(values)]}


def solid(dimensions, corners):
    return {'type': 5, 'dimensions': [0.5 * i for i in range(dimensions)],
            'polygon': {'points': [{'x': 0.5, 'y': -float(i), 'z': 0.0} for i in range(corners)]}}


# By the name of the type, as peers take it. RustDDS 0.15 does not pad the last fragment of a message, which Cyclone
# DDS 0.10 refuses. It sends in fragments what is larger than the network's MTU, be it 1500: what is, fills whole words.
CONTENTS = {
    'std_msgs/String': [{'data': text} for text in ('hello', '', 'ünïcödé € 😀', 'x' * 3003)],
    # Larger than a UDP datagram: sent in fragments.
    'sensor_msgs/Image': [image(4, 3, 'camera'), image(320, 240, 'camera'), image(0, 0, '')],
    'sensor_msgs/PointCloud2': [cloud(0), cloud(100), cloud(7000)],
    # Nested.
    'geometry_msgs/PoseStamped': [pose(0), pose(2_000_000_000)],
    'diagnostic_msgs/DiagnosticArray': [
        {'header': header(1, ''), 'status': []},
        {'header': header(2, 'robot'), 'status': [status(0, 3), status(2, 0), status(3, 1)]}],
    # With a bounded sequence.
    'shape_msgs/SolidPrimitive': [solid(0, 0), solid(3, 4), solid(1, 1)],
}
