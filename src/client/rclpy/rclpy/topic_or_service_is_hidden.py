"""Topics and services that tools do not list by themselves."""

HIDDEN_TOPIC_PREFIX = '_'


def topic_or_service_is_hidden(name: str) -> bool:
    """Return whether a part of the name begins with an underscore."""
    return any(part.startswith(HIDDEN_TOPIC_PREFIX) for part in name.split('/'))
