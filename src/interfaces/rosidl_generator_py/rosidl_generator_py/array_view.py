"""What array.array is, of memory that others read too."""

import array

from . import _messages


class ArrayView(_messages.Memory):
    """Numbers of a received message where they are; read-only.

    isinstance(view, array.array) holds. numpy.asarray(view) and memoryview(view) copy nothing, and keep the message.
    What C code does with arrays is not possible: a view as a slice that is assigned to an array, and < and >.
    """

    __slots__ = ()

    __hash__ = None

    @property
    def __class__(self):
        """Be taken for an array.array."""
        return array.array

    @property
    def typecode(self):
        """Return the letter of the elements' type."""
        return memoryview(self).format

    @property
    def itemsize(self):
        """Return the bytes of an element."""
        return memoryview(self).itemsize

    def __getitem__(self, index):
        """Return an element, or a part: in place if its elements follow each other."""
        if not isinstance(index, slice):
            return memoryview(self)[index]
        begin, end, step = index.indices(len(self))
        if step == 1 and (end - begin) * self.itemsize >= _messages.LEAST_VIEW:
            return _messages.part_of(self, begin, end)
        return array.array(self.typecode, memoryview(self)[index].tobytes())

    def __iter__(self):
        """Iterate over the elements."""
        return iter(memoryview(self))

    def __eq__(self, other):
        """Compare with another array."""
        if not isinstance(other, array.array):
            return NotImplemented
        return memoryview(self) == memoryview(other)

    def __repr__(self):
        """Return what array.array does."""
        return f'array({self.typecode!r}, {self.tolist()!r})'

    def __copy__(self):
        """Return an array.array of one's own."""
        copied = array.array(self.typecode)
        copied.frombytes(memoryview(self).cast('B'))
        return copied

    def __deepcopy__(self, memo):
        """Return an array.array of one's own."""
        return self.__copy__()

    def __reduce__(self):
        """Become an array.array in another process."""
        return array.array, (self.typecode, self.tobytes())

    def __add__(self, other):
        """Return an array.array of both."""
        return self.__copy__() + other

    def __radd__(self, other):
        """Return an array.array of both."""
        return other + self.__copy__()

    def __mul__(self, count):
        """Return an array.array of repetitions."""
        return self.__copy__() * count

    __rmul__ = __mul__

    def tolist(self):
        """Return a list of the elements."""
        return memoryview(self).tolist()

    def tobytes(self):
        """Return a copy of the bytes."""
        return memoryview(self).tobytes()

    def tofile(self, file):
        """Write the bytes to a file."""
        file.write(memoryview(self))

    def index(self, value, *limits):
        """Return where a value is found first."""
        return self.__copy__().index(value, *limits)

    def count(self, value):
        """Return how often a value is found."""
        return self.__copy__().count(value)

    def buffer_info(self):
        """Return the address and the number of elements."""
        return _messages.address_of(self), len(self)


def _refuse(self, *arguments):
    raise ValueError('assignment destination is read-only: others read the message too; '
                     'copy.copy(msg.field) or numpy.array(msg.field) gives a copy, copy.deepcopy(msg) one of the '
                     'message')


for _name in ('__setitem__', '__delitem__', '__iadd__', '__imul__', 'append', 'byteswap', 'extend', 'frombytes',
              'fromfile', 'fromlist', 'fromunicode', 'insert', 'pop', 'remove', 'reverse'):
    setattr(ArrayView, _name, _refuse)

_messages.set_view_type(ArrayView)
