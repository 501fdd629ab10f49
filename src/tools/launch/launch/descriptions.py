"""What a process is made of: command, folder, environment."""

import os
import re
import shlex

from .substitutions import LaunchConfiguration
from .utilities import alias_modules, normalize_to_list_of_substitutions, perform_substitutions


def _pairs(environment):
    return None if environment is None else [
        (normalize_to_list_of_substitutions(name), normalize_to_list_of_substitutions(value))
        for name, value in environment.items()]


def _texts(context, pairs):
    return {perform_substitutions(context, name): perform_substitutions(context, value) for name, value in pairs}


class Executable:
    """A command with its surroundings; prepare() fills in the final_… from the context."""

    def __init__(self, *, cmd, prefix=None, name=None, cwd=None, env=None, additional_env=None, arguments=None):
        self.cmd = [normalize_to_list_of_substitutions(part) for part in cmd]
        self.arguments = None if arguments is None else [normalize_to_list_of_substitutions(part) for part in arguments]
        if self.arguments:
            self.cmd += self.arguments
        self.prefix = normalize_to_list_of_substitutions(
            LaunchConfiguration('launch-prefix', default='') if prefix is None else prefix)
        self.has_own_prefix = prefix is not None
        self.name = None if name is None else normalize_to_list_of_substitutions(name)
        self.cwd = None if cwd is None else normalize_to_list_of_substitutions(cwd)
        self.env = _pairs(env)
        self.additional_env = _pairs(additional_env)
        self.final_name = self.final_cmd = self.final_cwd = self.final_env = None

    def prepare(self, context, action):
        command = [perform_substitutions(context, part) for part in self.cmd]
        name = perform_substitutions(context, self.name) if self.name is not None else os.path.basename(command[0])
        self.final_name = f'{name}-{context.next_process_number()}'
        self.final_cmd = self._prefix(context, command[0]) + command
        self.final_cwd = None if self.cwd is None else perform_substitutions(context, self.cwd)
        self.final_env = dict(context.environment) if self.env is None else _texts(context, self.env)
        if self.additional_env is not None:
            self.final_env.update(_texts(context, self.additional_env))

    def _prefix(self, context, executable):
        chosen = context.launch_configurations.get('launch-prefix-filter')
        if not self.has_own_prefix and chosen is not None and not re.match(chosen, os.path.basename(executable)):
            return []
        return shlex.split(perform_substitutions(context, self.prefix))


__all__ = ['Executable']
alias_modules(__name__, __all__)
