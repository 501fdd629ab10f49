"""What all that nodes create has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
import weakref

if TYPE_CHECKING:
    from types import TracebackType


class Entity:
    """Something with a native part, `handle`, that can be destroyed. Its node forgets it then."""

    _on_destroy: Callable[[Entity], None] | None = None
    _destroyed = False

    def destroy(self) -> None:
        """End it. Once is enough, but more is possible."""
        if self._destroyed:
            return
        self._destroyed = True
        if self._on_destroy is not None:
            self._on_destroy(self)
        self._destroy()

    def _destroy(self) -> None:
        self.handle.destroy_when_not_in_use()

    def __enter__(self):
        """Return it."""
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc_value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        """Destroy it."""
        self.destroy()


def forgotten_by(node) -> Callable[[Entity], None]:
    """Return a function that has a node forget an entity; it does not keep the node alive."""
    node_ref = weakref.ref(node)

    def forget(entity: Entity) -> None:
        alive = node_ref()
        if alive is not None:
            alive._forget(entity)

    return forget
