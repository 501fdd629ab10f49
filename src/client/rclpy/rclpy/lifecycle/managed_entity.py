"""What changes its state with a managed node."""

from __future__ import annotations

import functools
from typing import Any, Callable, NamedTuple

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

TransitionCallbackReturn = _rclpy.TransitionCallbackReturnType


class LifecycleState(NamedTuple):
    """A state of a managed node."""

    label: str
    state_id: int


class ManagedEntity:
    """Base of what is called at the transitions of a managed node."""

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle configuring; do nothing."""
        return TransitionCallbackReturn.SUCCESS

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle cleaning up; do nothing."""
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle shutting down; do nothing."""
        return TransitionCallbackReturn.SUCCESS

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle activating; do nothing."""
        return TransitionCallbackReturn.SUCCESS

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle deactivating; do nothing."""
        return TransitionCallbackReturn.SUCCESS

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle an error of another callback; do nothing."""
        return TransitionCallbackReturn.SUCCESS


class SimpleManagedEntity(ManagedEntity):
    """Something that is enabled while its node is active."""

    def __init__(self) -> None:
        """Begin disabled."""
        self._enabled = False

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Enable it."""
        self._enabled = True
        return TransitionCallbackReturn.SUCCESS

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Disable it."""
        self._enabled = False
        return TransitionCallbackReturn.SUCCESS

    @property
    def is_activated(self) -> bool:
        """Return whether it is enabled."""
        return self._enabled

    @staticmethod
    def when_enabled(wrapped: Callable | None = None, *, when_not_enabled: Callable | None = None) -> Callable:
        """Decorate a method that runs only while it is enabled; otherwise `when_not_enabled` is called if there is one.

        Written as @SimpleManagedEntity.when_enabled, or with brackets and the keyword.
        """
        def decorate(method: Callable) -> Callable:
            @functools.wraps(method)
            def only_when_enabled(self: SimpleManagedEntity, *args: Any, **kwargs: Any) -> Any:
                if self._enabled:
                    return method(self, *args, **kwargs)
                return when_not_enabled() if when_not_enabled is not None else None

            return only_when_enabled

        return decorate if wrapped is None else decorate(wrapped)
