"""What all native parts of entities have in common."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol


class DestroyableType(Protocol):
    """Something that is destroyed once nobody uses it."""

    def __enter__(self) -> None:
        """Begin to use it. InvalidHandle after destroy_when_not_in_use()."""

    def __exit__(self, exc_type: type[BaseException] | None, exc_val: BaseException | None,
                 exctb: TracebackType | None) -> None:
        """End the use."""

    def destroy_when_not_in_use(self) -> None:
        """Destroy it, now or when the last use ends."""
