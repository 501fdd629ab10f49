"""The base of everything that a launch description may hold."""


class LaunchDescriptionEntity:
    def describe(self):
        """One line for people."""
        return repr(self)

    def describe_sub_entities(self):
        """Entities that this one brings along in any case."""
        return []

    def describe_conditional_sub_entities(self):
        """Entities that this one may bring along: pairs of the condition in words, and the entities."""
        return []

    def visit(self, context):
        """Do what this is for. Returns further entities to visit, or None."""
        return None

    def get_asyncio_future(self):
        """Done when what this has begun is over; None if nothing goes on."""
        return None
