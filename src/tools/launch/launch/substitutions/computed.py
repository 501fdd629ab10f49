"""Texts that are computed: Python expressions, and the output of commands."""

import builtins
import importlib
import shlex
import subprocess

from ..frontend.expose import expose_substitution
from ..logging import get_logger
from ..substitution import Substitution
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions
from .failure import SubstitutionFailure


@expose_substitution('eval')
class PythonExpression(Substitution):
    """The text of a Python expression's value. It may use the modules named; the content of `math` without prefix."""

    def __init__(self, expression, python_modules=('math',)):
        self.expression = normalize_to_list_of_substitutions(expression)
        modules = [python_modules] if isinstance(python_modules, (str, Substitution)) else python_modules
        self.python_modules = [normalize_to_list_of_substitutions(module) for module in modules]

    @classmethod
    def parse(cls, data):
        if not 1 <= len(data) <= 2:
            raise TypeError("$(eval 'EXPRESSION' ['MODULE, MODULE']) takes one or two arguments; quote the expression")
        if len(data) == 1:
            return cls, {'expression': data[0]}
        modules = ''.join(sub.perform(None) for sub in data[1])  # names are plain texts
        return cls, {'expression': data[0],
                     'python_modules': [name.strip() for name in modules.split(',') if name.strip()]}

    def describe(self):
        return f'PythonExpr({describe_substitutions(self.expression)})'

    def perform(self, context):
        expression = perform_substitutions(context, self.expression)
        names = {'__builtins__': builtins}
        for module in self.python_modules:
            name = perform_substitutions(context, module)
            loaded = importlib.import_module(name)
            names[name.split('.')[0]] = importlib.import_module(name.split('.')[0])
            if name == 'math':
                names.update(vars(loaded))
        try:
            return str(eval(expression, names))
        except Exception as error:
            raise SubstitutionFailure(
                f"the Python expression \"{expression}\" fails: {type(error).__name__}: {error}") from error


@expose_substitution('command')
class Command(Substitution):
    """What a command writes to its standard output. `on_stderr` says what to do if it writes to its standard error:
    'fail', 'ignore', 'warn', or 'capture' it, too."""

    def __init__(self, command, *, on_stderr='fail'):
        self.command = normalize_to_list_of_substitutions(command)
        self.on_stderr = normalize_to_list_of_substitutions(on_stderr)

    @classmethod
    def parse(cls, data):
        if not 1 <= len(data) <= 2:
            raise TypeError("$(command 'COMMAND' [fail|ignore|warn|capture]) takes one or two arguments")
        return cls, {'command': data[0], **({'on_stderr': data[1]} if len(data) == 2 else {})}

    def describe(self):
        return f'Command({describe_substitutions(self.command)})'

    def perform(self, context):
        command = perform_substitutions(context, self.command)
        on_stderr = perform_substitutions(context, self.on_stderr)
        if on_stderr not in ('fail', 'ignore', 'warn', 'capture'):
            raise SubstitutionFailure(f"Command: on_stderr is fail, ignore, warn or capture, not '{on_stderr}'")
        stderr = subprocess.STDOUT if on_stderr == 'capture' else subprocess.PIPE
        try:
            done = subprocess.run(shlex.split(command), stdout=subprocess.PIPE, stderr=stderr,
                                  stdin=subprocess.DEVNULL, text=True, errors='replace')
        except (OSError, ValueError) as error:
            raise SubstitutionFailure(f"cannot run the command '{command}': {error}") from error
        if done.returncode != 0:
            raise SubstitutionFailure(
                f"the command '{command}' ended with status {done.returncode}: {done.stderr or ''}")
        if done.stderr and on_stderr == 'fail':
            raise SubstitutionFailure(f"the command '{command}' wrote to its standard error: {done.stderr}")
        if done.stderr and on_stderr == 'warn':
            get_logger('launch').warning(f"the command '{command}' wrote to its standard error: {done.stderr}")
        return done.stdout
