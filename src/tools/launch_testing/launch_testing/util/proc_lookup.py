"""Processes by their action or by a part of their name."""

import launch.actions
from launch.substitutions import TextSubstitution

NO_CMD_ARGS = object()


class NoMatchingProcessException(Exception):
    """Nothing is known of such a process: there is none, or it has not been started or written anything yet."""


def _describe(action):
    details = action.process_details
    if details is not None:
        return ' '.join([details['name'], *details['cmd'][1:]])
    parts = [part for word in action.process_description.cmd for part in (*word, TextSubstitution(text=' '))]
    if all(isinstance(part, TextSubstitution) for part in parts):
        return f"'{''.join(part.text for part in parts).strip()}', which was not started"
    return f'Unknown until it is started: {action.describe()}'


def _has_arguments(action, cmd_args):
    if cmd_args is None:
        return True
    words = action.process_details['cmd'][1:]
    if cmd_args is NO_CMD_ARGS:
        return not words
    return all(word in words for word in ([cmd_args] if isinstance(cmd_args, str) else cmd_args))


def resolveProcesses(info_obj, *, process=None, cmd_args=None, strict_proc_matching=True):
    """The actions of processes that `info_obj`, a handler of information or output, has recorded.

    `process` is an action, or a part of the name of processes; all processes if None. With a name, `cmd_args` is a
    word, or a list of words, that the command has, or NO_CMD_ARGS; several processes are refused if
    `strict_proc_matching`. Raises NoMatchingProcessException if there is none.
    """
    known = list(info_obj.processes())
    if process is None:
        found = known
    elif isinstance(process, launch.actions.ExecuteLocal):
        found = [action for action in known if action is process]
    elif isinstance(process, str):
        found = [action for action in known
                 if process in action.process_details['name'] and _has_arguments(action, cmd_args)]
    else:
        raise TypeError(f'a process is given by its action or its name, not by {process!r}')
    if not found:
        raise NoMatchingProcessException(f'Did not find any process: nothing is known of {_wanted(process, cmd_args)}; '
                                         f'something is known of {_names(known)}')
    if isinstance(process, str) and strict_proc_matching and len(found) > 1:
        raise Exception(f'Found multiple processes: {_names(found)} each are {_wanted(process, cmd_args)}; add '
                        'cmd_args, or strict_proc_matching=False')
    return found


def _wanted(process, cmd_args):
    if process is None:
        return 'any'
    if not isinstance(process, str):
        return _describe(process)
    if cmd_args is None:
        return f"a process with the name '{process}'"
    return f"a process with the name '{process}' and " + (
        'no arguments' if cmd_args is NO_CMD_ARGS else f'the arguments {cmd_args}')


def _names(actions):
    return ', '.join(sorted(map(_describe, actions))) or 'none'
