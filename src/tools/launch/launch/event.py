"""Something that happened; handlers that match it are called."""


class Event:
    name = 'launch.Event'
