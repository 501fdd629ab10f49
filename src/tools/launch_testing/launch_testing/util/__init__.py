"""Processes: a way to find them, and one that only stays."""

from launch.actions import ExecuteProcess

from .proc_lookup import NO_CMD_ARGS, NoMatchingProcessException, resolveProcesses


def KeepAliveProc():
    """A process that does nothing until it is told to end: the launch goes on as long, also if all processes under
    test have ended."""
    return ExecuteProcess(cmd=['sh', '-c', 'trap "exit 0" INT TERM; read -r _'], name='keep_alive')


__all__ = ['resolveProcesses', 'KeepAliveProc', 'NoMatchingProcessException', 'NO_CMD_ARGS']
