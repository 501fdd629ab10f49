"""One launch, and one run of all tests, for each set of values."""

import functools


def parametrize(argnames, argvalues):
    """A decorator of generate_test_description: it is called once for each of `argvalues` (a value, or a tuple of them
    if there are several names), with arguments of these names, which are separated by commas. The tests may take them
    as arguments, too."""
    names = [name.strip() for name in argnames.split(',') if name.strip()]
    sets = [values if isinstance(values, tuple) else (values,) for values in argvalues]

    def decorate(function):
        @functools.wraps(function)
        def descriptions():
            for values in sets:
                arguments = dict(zip(names, values))
                bound = functools.partial(function, **arguments)
                yield functools.update_wrapper(bound, function), arguments
        descriptions.__parametrized__ = True
        return descriptions
    return decorate
