"""Hashes by which types of messages are told apart."""

from __future__ import annotations

TypeHashDictionary = dict  # 'version' and 'value'


class TypeHash:
    """The hash of a type; invalid unless it is given."""

    _TYPE_HASH_SIZE = 32

    __slots__ = ['_version', '_value']

    def __init__(self, version: int = -1, value: bytes = bytes(_TYPE_HASH_SIZE)):
        """Store the version of the algorithm and the bytes."""
        self.version = version
        self.value = value

    @property
    def version(self) -> int:
        """Return the version of the algorithm."""
        return self._version

    @version.setter
    def version(self, value: int):
        assert isinstance(value, int)
        self._version = value

    @property
    def value(self) -> bytes:
        """Return the bytes."""
        return self._value

    @value.setter
    def value(self, value: bytes):
        assert isinstance(value, bytes)
        self._value = value

    def __eq__(self, other):
        """Return whether version and bytes are equal."""
        if not isinstance(other, TypeHash):
            return NotImplemented
        return (self._version, self._value) == (other._version, other._value)

    def __str__(self) -> str:
        """Return it as interfaces' files have it: RIHS01_ and digits."""
        if self._version <= 0 or len(self._value) != self._TYPE_HASH_SIZE:
            return 'INVALID'
        return f'RIHS{self._version:02}_{self._value.hex()}'
