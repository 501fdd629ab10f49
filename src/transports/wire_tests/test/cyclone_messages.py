"""The messages that the tests exchange, in the types of PyPI's cyclonedds, and ros_discovery_info in both widths."""

from dataclasses import dataclass

from cyclonedds.idl import IdlStruct
from cyclonedds.idl.annotations import final, key
from cyclonedds.idl.types import array, bounded_str, float32, float64, int32, sequence, uint8, uint32

# The module must not postpone annotations: cyclonedds reads the types themselves.


@dataclass
@final
class String(IdlStruct, typename='std_msgs::msg::dds_::String_'):
    data: str


@dataclass
@final
class Time(IdlStruct, typename='builtin_interfaces::msg::dds_::Time_'):
    sec: int32
    nanosec: uint32


@dataclass
@final
class Header(IdlStruct, typename='std_msgs::msg::dds_::Header_'):
    stamp: Time
    frame_id: str


@dataclass
@final
class Point(IdlStruct, typename='geometry_msgs::msg::dds_::Point_'):
    x: float64
    y: float64
    z: float64


@dataclass
@final
class Quaternion(IdlStruct, typename='geometry_msgs::msg::dds_::Quaternion_'):
    x: float64
    y: float64
    z: float64
    w: float64


@dataclass
@final
class Pose(IdlStruct, typename='geometry_msgs::msg::dds_::Pose_'):
    position: Point
    orientation: Quaternion


@dataclass
@final
class PoseStamped(IdlStruct, typename='geometry_msgs::msg::dds_::PoseStamped_'):
    header: Header
    pose: Pose


@dataclass
@final
class KeyValue(IdlStruct, typename='diagnostic_msgs::msg::dds_::KeyValue_'):
    key: str
    value: str


@dataclass
@final
class DiagnosticStatus(IdlStruct, typename='diagnostic_msgs::msg::dds_::DiagnosticStatus_'):
    level: uint8
    name: str
    message: str
    hardware_id: str
    values: sequence[KeyValue]


@dataclass
@final
class DiagnosticArray(IdlStruct, typename='diagnostic_msgs::msg::dds_::DiagnosticArray_'):
    header: Header
    status: sequence[DiagnosticStatus]


@dataclass
@final
class Point32(IdlStruct, typename='geometry_msgs::msg::dds_::Point32_'):
    x: float32
    y: float32
    z: float32


@dataclass
@final
class Polygon(IdlStruct, typename='geometry_msgs::msg::dds_::Polygon_'):
    points: sequence[Point32]


@dataclass
@final
class SolidPrimitive(IdlStruct, typename='shape_msgs::msg::dds_::SolidPrimitive_'):
    type: uint8
    dimensions: sequence[float64, 3]
    polygon: Polygon


@dataclass
@final
class Image(IdlStruct, typename='sensor_msgs::msg::dds_::Image_'):
    header: Header
    height: uint32
    width: uint32
    encoding: str
    is_bigendian: uint8
    step: uint32
    data: sequence[uint8]


@dataclass
@final
class PointField(IdlStruct, typename='sensor_msgs::msg::dds_::PointField_'):
    name: str
    offset: uint32
    datatype: uint8
    count: uint32


@dataclass
@final
class PointCloud2(IdlStruct, typename='sensor_msgs::msg::dds_::PointCloud2_'):
    header: Header
    height: uint32
    width: uint32
    fields: sequence[PointField]
    is_bigendian: bool
    point_step: uint32
    row_step: uint32
    data: sequence[uint8]
    is_dense: bool


@dataclass
@final
class Robot(IdlStruct, typename='wire_tests::msg::dds_::Robot_'):
    name: str
    battery: int32
    key('name')


TYPES = {
    'std_msgs/String': String,
    'sensor_msgs/Image': Image,
    'sensor_msgs/PointCloud2': PointCloud2,
    'geometry_msgs/PoseStamped': PoseStamped,
    'diagnostic_msgs/DiagnosticArray': DiagnosticArray,
    'shape_msgs/SolidPrimitive': SolidPrimitive,
    'wire_tests/Robot': Robot,
}


RUST_DDS = b'\x01\x12'  # Gids begin so


def check_discovery(told, size):
    """Stock nodes end on some of what this finds, and misunderstand the rest."""
    problems = [f'its participant is {bytes(told.gid.data).hex()}'] * (
        bytes(told.gid.data[12:16]) != b'\0\0\1\xc1' or any(told.gid.data[16:]))
    problems += [f'a node is {node.node_namespace!r} {node.node_name!r}' for node in told.node_entities_info_seq
                 if not node.node_namespace.startswith('/') or not node.node_name.isidentifier()]
    own_size = len(told.serialize())
    problems += [f'it has {size} bytes, of which {own_size} are read'] * (not 0 <= size - own_size < 4)
    if problems:
        raise ValueError(f'ros_discovery_info is not in my form: {"; ".join(problems)}')


def discovery_types(gid_width, is_strict):
    """(ParticipantEntitiesInfo, NodeEntitiesInfo, Gid) with Gids of so many bytes."""
    @dataclass
    @final
    class Gid(IdlStruct, typename='rmw_dds_common::msg::dds_::Gid_'):
        data: array[uint8, gid_width]

    @dataclass
    @final
    class NodeEntitiesInfo(IdlStruct, typename='rmw_dds_common::msg::dds_::NodeEntitiesInfo_'):
        node_namespace: bounded_str[256]
        node_name: bounded_str[256]
        reader_gid_seq: sequence[Gid]
        writer_gid_seq: sequence[Gid]

    @dataclass
    @final
    class ParticipantEntitiesInfo(IdlStruct, typename='rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_'):
        gid: Gid
        node_entities_info_seq: sequence[NodeEntitiesInfo]

    deserialize = ParticipantEntitiesInfo.deserialize

    def deserialize_strictly(data, *words, **options):
        try:
            told = deserialize(data, *words, **options)
            check_discovery(told, len(data))
        except Exception:
            if bytes(data[4:6]) != RUST_DDS:  # those tell everybody in the one form that they know
                raise
            return ParticipantEntitiesInfo(Gid([0] * gid_width), [])
        return told

    if is_strict:
        ParticipantEntitiesInfo.deserialize = deserialize_strictly
    return ParticipantEntitiesInfo, NodeEntitiesInfo, Gid
