"""What launch files ask for."""

from ..utilities import alias_modules
from .arguments import DeclareLaunchArgument
from .configurations import PopLaunchConfigurations, PushLaunchConfigurations, ResetLaunchConfigurations
from .configurations import SetLaunchConfiguration, UnsetLaunchConfiguration
from .environment import AppendEnvironmentVariable, PopEnvironment, PushEnvironment, ResetEnvironment
from .environment import SetEnvironmentVariable, UnsetEnvironmentVariable
from .event_actions import EmitEvent, RegisterEventHandler, Shutdown, UnregisterEventHandler
from .execute_local import ExecuteLocal
from .execute_process import ExecuteProcess
from .grouping import GroupAction, IncludeLaunchDescription
from .log import Log, LogDebug, LogError, LogInfo, LogWarning
from .loops import ForEach, ForLoop
from .opaque import OpaqueCoroutine, OpaqueFunction
from .timer import TimerAction

__all__ = [
    'AppendEnvironmentVariable', 'DeclareLaunchArgument', 'EmitEvent', 'ExecuteLocal', 'ExecuteProcess', 'ForEach',
    'ForLoop', 'GroupAction', 'IncludeLaunchDescription', 'Log', 'LogDebug', 'LogError', 'LogInfo', 'LogWarning',
    'OpaqueCoroutine', 'OpaqueFunction', 'PopEnvironment', 'PopLaunchConfigurations', 'PushEnvironment',
    'PushLaunchConfigurations', 'RegisterEventHandler', 'ResetEnvironment', 'ResetLaunchConfigurations',
    'SetEnvironmentVariable', 'SetLaunchConfiguration', 'Shutdown', 'TimerAction', 'UnregisterEventHandler',
    'UnsetEnvironmentVariable', 'UnsetLaunchConfiguration']
alias_modules(__name__, __all__, {'shutdown_action': 'Shutdown'})
