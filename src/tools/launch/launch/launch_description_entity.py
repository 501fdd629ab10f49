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

    def _tell_launch_arguments(self, includes, conditional, found):
        """Adds the arguments that this declares or brings along to `found`: name -> (argument, the includes that lead
        to it). `conditional`: what is told here is only used under a condition. False when arguments declared behind
        this cannot be given on the command line."""
        tell_launch_arguments(self.describe_sub_entities(), includes, conditional, found)
        for _, further in self.describe_conditional_sub_entities():
            tell_launch_arguments(further, includes, True, found)
        return True


def tell_launch_arguments(entities, includes, conditional, found):
    """As LaunchDescriptionEntity._tell_launch_arguments(), of entities in their order."""
    for entity in entities:
        if not entity._tell_launch_arguments(includes, conditional, found):
            return
