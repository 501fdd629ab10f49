"""Who publishes a topic, and who subscribes to it."""

from __future__ import annotations

from enum import IntEnum

from rclpy.qos import HistoryPolicy
from rclpy.qos import qos_profile_unknown
from rclpy.qos import QoSProfile
from rclpy.type_hash import TypeHash


class EndpointTypeEnum(IntEnum):
    """What an endpoint does."""

    INVALID = 0
    PUBLISHER = 1
    SUBSCRIPTION = 2
    CLIENT = 3
    SERVER = 4


class TopicEndpointInfo:
    """What is known of a publisher or a subscription."""

    __slots__ = ['_node_name', '_node_namespace', '_topic_type', '_topic_type_hash', '_endpoint_type', '_endpoint_gid',
                 '_qos_profile']

    def __init__(self, node_name: str = '', node_namespace: str = '', topic_type: str = '',
                 topic_type_hash: TypeHash | dict | None = None,
                 endpoint_type: EndpointTypeEnum | int = EndpointTypeEnum.INVALID,
                 endpoint_gid: list[int] | None = None, qos_profile: QoSProfile | dict = qos_profile_unknown,
                 **unknown):
        """Store what is given; the rest is empty, invalid or unknown."""
        assert not unknown, f'Invalid arguments passed to constructor: {", ".join(unknown)}'
        self.node_name = node_name
        self.node_namespace = node_namespace
        self.topic_type = topic_type
        self.topic_type_hash = TypeHash() if topic_type_hash is None else topic_type_hash
        self.endpoint_type = endpoint_type
        self.endpoint_gid = [] if endpoint_gid is None else endpoint_gid
        self.qos_profile = qos_profile

    @property
    def node_name(self) -> str:
        """Return the name of its node."""
        return self._node_name

    @node_name.setter
    def node_name(self, value: str):
        assert isinstance(value, str)
        self._node_name = value

    @property
    def node_namespace(self) -> str:
        """Return the namespace of its node."""
        return self._node_namespace

    @node_namespace.setter
    def node_namespace(self, value: str):
        assert isinstance(value, str)
        self._node_namespace = value

    @property
    def topic_type(self) -> str:
        """Return the name of the messages' type."""
        return self._topic_type

    @topic_type.setter
    def topic_type(self, value: str):
        assert isinstance(value, str)
        self._topic_type = value

    @property
    def topic_type_hash(self) -> TypeHash:
        """Return the hash of the messages' type."""
        return self._topic_type_hash

    @topic_type_hash.setter
    def topic_type_hash(self, value: TypeHash | dict):
        assert isinstance(value, (TypeHash, dict))
        self._topic_type_hash = TypeHash(**value) if isinstance(value, dict) else value

    @property
    def endpoint_type(self) -> EndpointTypeEnum:
        """Return what it does."""
        return self._endpoint_type

    @endpoint_type.setter
    def endpoint_type(self, value: EndpointTypeEnum | int):
        assert isinstance(value, int)
        self._endpoint_type = EndpointTypeEnum(value)

    @property
    def endpoint_gid(self) -> list[int]:
        """Return the bytes of its identifier."""
        return self._endpoint_gid

    @endpoint_gid.setter
    def endpoint_gid(self, value: list[int]):
        assert all(isinstance(byte, int) for byte in value)
        self._endpoint_gid = value

    @property
    def qos_profile(self) -> QoSProfile:
        """Return its quality of service."""
        return self._qos_profile

    @qos_profile.setter
    def qos_profile(self, value: QoSProfile | dict):
        assert isinstance(value, (QoSProfile, dict))
        self._qos_profile = QoSProfile(**value) if isinstance(value, dict) else value

    def __eq__(self, other):
        """Return whether all is equal."""
        if not isinstance(other, TopicEndpointInfo):
            return NotImplemented
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)

    def __str__(self) -> str:
        """Return it for people, on several lines."""
        qos = self.qos_profile
        history = qos.history.name
        if qos.history == HistoryPolicy.KEEP_LAST:
            history += f' ({qos.depth})'
        return '\n'.join((
            f'Node name: {self.node_name}',
            f'Node namespace: {self.node_namespace}',
            f'Topic type: {self.topic_type}',
            f'Topic type hash: {self.topic_type_hash}',
            f'Endpoint type: {self.endpoint_type.name}',
            f'GID: {".".join(format(byte, "02x") for byte in self.endpoint_gid)}',
            'QoS profile:',
            f'  Reliability: {qos.reliability.name}',
            f'  History (Depth): {history}',
            f'  Durability: {qos.durability.name}',
            f'  Lifespan: {qos.lifespan}',
            f'  Deadline: {qos.deadline}',
            f'  Liveliness: {qos.liveliness.name}',
            f'  Liveliness lease duration: {qos.liveliness_lease_duration}'))
