"""What processes wrote. (PYTEST_DONT_REWRITE)"""

from ..util.text import build_text_match, remove_ansi_escape_sequences
from ..util import resolveProcesses


def assertInStream(proc_output, expected_output, process, cmd_args=None, *, output_filter=None,
                   strict_proc_matching=True, strip_ansi_escape_sequences=True, stream='stderr'):
    """One of the processes (resolveProcesses() says which) wrote this to its 'stdout' or 'stderr'.

    `expected_output` is a text that is contained in the output, a compiled regular expression that is found in it, or
    a list of these, which come one after the other. `output_filter` is a function of the whole text, such as
    basic_output_filter() makes, that is applied first. Colours and other escape sequences are left out.
    """
    if stream not in ('stdout', 'stderr'):
        raise ValueError(f"stream is 'stdout' or 'stderr', not '{stream}'")
    if output_filter is not None and not callable(output_filter):
        raise ValueError('output_filter is not callable')
    actions = resolveProcesses(proc_output, process=process, cmd_args=cmd_args,
                               strict_proc_matching=strict_proc_matching)
    match = build_text_match(expected_output)
    for action in actions:
        data = b''.join(event.text for event in proc_output[action] if getattr(event, f'from_{stream}'))
        text = data.decode(errors='replace')
        if strip_ansi_escape_sequences:
            text = remove_ansi_escape_sequences(text)
        if output_filter is not None:
            text = output_filter(text)
        if match(text) is not None:
            return
    names = ', '.join(sorted(action.process_details['name'] for action in actions))
    raise AssertionError(f"Did not find '{expected_output}' in {stream} of any of the matching processes: {names}")


def assertInStdout(proc_output, expected_output, process, cmd_args=None, **kwargs):
    """As assertInStream(), of the standard output."""
    assertInStream(proc_output, expected_output, process, cmd_args, stream='stdout', **kwargs)


def assertInStderr(proc_output, expected_output, process, cmd_args=None, **kwargs):
    """As assertInStream(), of the standard error."""
    assertInStream(proc_output, expected_output, process, cmd_args, stream='stderr', **kwargs)


def assertDefaultStream():
    """The stream that assertInStream() looks at if none is named."""
    return 'stderr'
