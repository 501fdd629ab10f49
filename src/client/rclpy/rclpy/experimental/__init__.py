"""What may change still."""

from rclpy.experimental.events_executor import EventsExecutor

_ASYNC_MODULES = {
    'AsyncClient': 'async_client',
    'AsyncClock': 'async_clock',
    'AsyncNode': 'async_node',
    'AsyncPublisher': 'async_publisher',
    'AsyncService': 'async_service',
    'AsyncSubscription': 'async_subscription',
    'AsyncTimer': 'async_timer',
}

__all__ = ['EventsExecutor', *_ASYNC_MODULES]


def __getattr__(name: str):
    """Import classes for asyncio when they are asked for: most programs do without."""
    if name not in _ASYNC_MODULES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from importlib import import_module
    value = getattr(import_module(f'{__name__}.{_ASYNC_MODULES[name]}'), name)
    globals()[name] = value
    return value
