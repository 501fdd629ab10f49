"""Takes the fields of a YAML file one by one, each checked; errors name the line and the field."""

import math


class Checker:
    """Takes fields out of a document, each checked. Errors name the line and the field."""

    def __init__(self, document, path=()):
        self.document = document
        self.path = tuple(path)
        self.value = document.value
        for part in self.path:
            self.value = self.value[part]
        if not isinstance(self.value, dict):
            raise self.error((), 'fields with values are expected here, like "name: ..."')

    def error(self, path, what):
        return self.document.error(self.path + tuple(path), what)

    def refuse_unknown(self, known):
        for key in self.value:
            if key not in known:
                raise self.error((key,), 'is not known; known are: %s' % ', '.join(sorted(known)))

    def text(self, key, default=None):
        value = self._get(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self.error((key,), 'a text is expected')
        return ' '.join(value.split())

    def number(self, key, default, least, whole=False):
        value = self._get(key, default)
        kinds = int if whole else (int, float)
        is_number = isinstance(value, kinds) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or not least <= value <= 1e9:
            kind = 'a whole number' if whole else 'a number'
            raise self.error((key,), '%s of at least %g is expected, not %r' % (kind, least, value))
        return value

    def choice(self, key, allowed, default=None):
        value = self._get(key, default)
        if value not in allowed:
            raise self.error((key,), '%r is not one of: %s' % (value, ', '.join(map(str, allowed))))
        return value

    def mapping(self, key):
        value = self.value.get(key, {})
        if not isinstance(value, dict):
            raise self.error((key,), 'fields with values are expected')
        return value

    def names(self, key):
        value = self._get(key, None)
        if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
            raise self.error((key,), 'a list of names is expected, like [tandem, floors]')
        return list(value)

    def _get(self, key, default):
        if key in self.value:
            return self.value[key]
        if default is None:
            raise self.error((key,), 'is missing')
        return default
