"""A process, described by its command."""

from typing import List

from ..descriptions import Executable
from ..frontend.entity import Entity
from ..frontend.expose import expose_action
from ..substitutions import TextSubstitution
from ..utilities import describe_substitutions
from .event_actions import Shutdown
from .execute_local import ExecuteLocal


@expose_action('executable')
class ExecuteProcess(ExecuteLocal):
    """Runs a command: a list of words, each of which may be made of several substitutions."""

    def __init__(self, *, cmd, prefix=None, name=None, cwd=None, env=None, additional_env=None, **kwargs):
        super().__init__(process_description=Executable(cmd=cmd, prefix=prefix, name=name, cwd=cwd, env=env,
                                                        additional_env=additional_env), **kwargs)

    name = property(lambda self: self.process_description.final_name)
    cmd = property(lambda self: self.process_description.final_cmd or self.process_description.cmd)
    cwd = property(lambda self: self.process_description.final_cwd or self.process_description.cwd)
    env = property(lambda self: self.process_description.final_env or self.process_description.env)
    additional_env = property(lambda self: self.process_description.additional_env)

    def describe(self):
        words = ' '.join(describe_substitutions(word) for word in self.process_description.cmd)
        return f'{type(self).__name__}({words})'

    @staticmethod
    def _parse_cmdline(cmd, parser):
        """A command line as words; blanks that come out of substitutions separate nothing."""
        words, word, quote = [], None, ''
        for sub in parser.parse_substitution(cmd):
            if not isinstance(sub, TextSubstitution):
                word = [*(word or []), sub]
                continue
            for character in sub.text:
                if quote == character:
                    quote = ''
                elif not quote and character in '\'"':
                    quote = character
                    word = word or []
                elif quote or not character.isspace():
                    word = _with_character(word or [], character)
                elif word is not None:
                    words.append(word)
                    word = None
        if quote:
            raise ValueError(f'a quote is not closed: {cmd}')
        return words if word is None else [*words, word]

    @classmethod
    def parse(cls, entity, parser, ignore=None):
        """`ignore` has attributes that a derived class reads itself."""
        _, kwargs = super().parse(entity, parser)
        ignore = ignore or []
        if 'cmd' not in ignore:
            kwargs['cmd'] = cls._parse_cmdline(entity.get_attr('cmd'), parser)
        for attribute, argument in (('cwd', 'cwd'), ('name', 'name'), ('launch-prefix', 'prefix'),
                                    ('output', 'output'), ('respawn', 'respawn'), ('output_format', 'output_format')):
            text = None if argument in ignore else entity.get_attr(attribute, optional=True)
            if text is not None:
                kwargs[argument] = text if argument == 'output_format' else parser.parse_substitution(text)
        for name, data_type in (('respawn_delay', float), ('respawn_max_retries', int), ('sigterm_timeout', float),
                                ('sigkill_timeout', float), ('shell', bool), ('emulate_tty', bool), ('log_cmd', bool),
                                ('cached_output', bool)):
            value = entity.get_attr(name, data_type=data_type, optional=True, can_be_str=False)
            if value is not None:
                if data_type is float and value < 0:
                    raise ValueError(f"'{name}' of <{entity.type_name}> cannot be negative")
                kwargs[name] = str(value) if name.startswith('sig') else value
        if 'on_exit' not in ignore and entity.get_attr('on_exit', optional=True) is not None:
            if entity.get_attr('on_exit') != 'shutdown':
                raise ValueError(f"'on_exit' of <{entity.type_name}> can only be 'shutdown'")
            kwargs['on_exit'] = [Shutdown()]
        if 'additional_env' not in ignore:
            variables = entity.get_attr('env', data_type=List[Entity], optional=True) or []
            kwargs['additional_env'] = {tuple(parser.parse_substitution(variable.get_attr('name'))):
                                        parser.parse_substitution(variable.get_attr('value'))
                                        for variable in variables}
            for variable in variables:
                variable.assert_entity_completely_parsed()
        return cls, kwargs


def _with_character(word, character):
    """A word, which is a list of substitutions, that goes on with this character."""
    if word and isinstance(word[-1], TextSubstitution):
        return [*word[:-1], TextSubstitution(text=word[-1].text + character)]
    return [*word, TextSubstitution(text=character)]
