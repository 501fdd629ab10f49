"""Which tests run when."""


def post_shutdown_test():
    """A decorator of classes: their tests run when all processes have ended."""
    def decorate(test_class):
        if not isinstance(test_class, type):
            raise TypeError(f'post_shutdown_test decorates classes of tests, not {test_class!r}')
        test_class.__post_shutdown_test__ = True
        return test_class
    return decorate
