"""Arguments of launch files as command lines give them and list them."""

from .utilities import describe_substitutions


def parse_launch_arguments(words):
    """Pairs of name and value, from words of the form name:=value; of two with one name the last counts. Raises
    ValueError."""
    arguments = {}
    for word in words:
        name, separator, value = word.partition(':=')
        if not separator or not name:
            raise ValueError(f"'{word}' is no argument of a launch file; give them as name:=value")
        arguments[name] = value
    return list(arguments.items())


def list_launch_arguments(launch_description):
    """A text for people: the arguments that the description declares, with what they are for and their defaults."""
    lines = ["Arguments (pass arguments as '<name>:=<value>'):"]
    arguments = launch_description.get_launch_arguments()
    for argument in arguments:
        lines += ['', f"    '{argument.name}':{'*' if argument._conditionally_included else ''}",
                  f'        {argument.description}']
        if argument.default_value is not None:
            lines.append(f'        (default: {describe_substitutions(argument.default_value)})')
    if not arguments:
        lines += ['', '  No arguments.']
    if any(argument._conditionally_included for argument in arguments):
        lines += ['', '* argument(s) which are only used if specific conditions occur']
    return '\n'.join(lines)
