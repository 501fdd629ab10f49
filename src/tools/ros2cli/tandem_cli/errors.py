"""Errors that a person can do something about, as opposed to bugs."""

import difflib


class CommandError(Exception):
    """Printed as one message without a traceback; the command then ends with status 1."""


def unknown(kind, name, existing):
    """Says that `name` is no `kind`, with the closest matches of the `existing` names, or all of them."""
    existing = sorted(existing)
    text = f"there is no {kind} '{name}'"
    # What people mistype most: a letter, the case, a part left out.
    close = difflib.get_close_matches(name, existing, n=3, cutoff=0.6)
    close += [e for e in existing if name and name.lower() in e.lower() and e not in close][:3]
    if close:
        text += '; did you mean ' + ' or '.join(f"'{c}'" for c in close[:3]) + '?'
    if existing:
        text += f'\nThese exist: {", ".join(existing)}'
    return CommandError(text)
