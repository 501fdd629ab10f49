"""How processes ended. (PYTEST_DONT_REWRITE)"""

from ..util import resolveProcesses

EXIT_OK = 0
EXIT_SIGINT = 130
EXIT_SIGQUIT = 131
EXIT_SIGKILL = 137
EXIT_SIGSEGV = 139


def assertExitCodes(proc_info, allowable_exit_codes=(EXIT_OK,), process=None, cmd_args=None, *,
                    strict_proc_matching=True):
    """The processes (resolveProcesses() says which) ended with one of these codes. A process that a signal ended has
    the negative number of the signal as code."""
    for code in allowable_exit_codes:
        assert isinstance(code, int), f'an exit code is a number, not {code!r}'
    for action in resolveProcesses(proc_info, process=process, cmd_args=cmd_args,
                                   strict_proc_matching=strict_proc_matching):
        info = proc_info[action]
        code = getattr(info, 'returncode', None)
        assert code is not None, f'Proc {info.process_name} has not ended'
        assert code in allowable_exit_codes, f'Proc {info.process_name} exited with code {code}'
