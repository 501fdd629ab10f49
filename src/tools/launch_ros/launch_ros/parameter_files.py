"""Files of parameters that a launch makes. They lie beside its log, so that a command in the log can be repeated."""

import re
import tempfile
from pathlib import Path

import yaml
from launch.logging import launch_config


class _Dumper(yaml.SafeDumper):
    """Quotes texts, too, that are none for parameters of nodes, though PyYAML reads them back as texts: y, 08, 1e3."""


_Dumper.add_implicit_resolver('tag:yaml.org,2002:bool', re.compile('[yn]$', re.IGNORECASE), 'yYnN')
_Dumper.add_implicit_resolver(
    'tag:yaml.org,2002:float',
    re.compile(r'[-+]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?|nan|inf|infinity)$', re.IGNORECASE),
    '+-.0123456789nNiI')


def write_text(text):
    """A new file with this text. Returns its path."""
    with tempfile.NamedTemporaryFile('w', prefix='launch_params_', suffix='.yaml', dir=launch_config.log_dir,
                                     encoding='utf-8', delete=False) as file:
        file.write(text)
    return Path(file.name)


def write_parameters(node, parameters):
    """A new file with the parameters of a node, given by its full name or as a pattern. Returns its path."""
    return write_text(yaml.dump({node: {'ros__parameters': parameters}}, Dumper=_Dumper, default_flow_style=False,
                                allow_unicode=True))


def to_yaml(value):
    """A value on one line, as it stands behind `-p name:=`."""
    text = yaml.dump(value, Dumper=_Dumper, default_flow_style=True, width=1 << 30, allow_unicode=True).strip()
    return text.removesuffix('...').strip()
