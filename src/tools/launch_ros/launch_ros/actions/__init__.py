"""Nodes, and what holds for several of them."""

from launch.utilities import alias_modules

from .composition import ComposableNodeContainer, LoadComposableNodes
from .lifecycle import LifecycleNode, LifecycleTransition
from .node import Node
from .settings import PushROSNamespace, PushRosNamespace, ROSTimer, RosTimer, SetParameter, SetParametersFromFile
from .settings import SetRemap, SetROSLogDir, SetUseSimTime

__all__ = ['ComposableNodeContainer', 'LifecycleNode', 'LifecycleTransition', 'LoadComposableNodes', 'Node',
           'PushROSNamespace', 'PushRosNamespace', 'ROSTimer', 'RosTimer', 'SetParameter', 'SetParametersFromFile',
           'SetROSLogDir', 'SetRemap', 'SetUseSimTime']
alias_modules(__name__, __all__)
