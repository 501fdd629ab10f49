"""Files of parameters that a launch makes. They lie beside its log, so that a command in the log can be repeated."""

import tempfile
from pathlib import Path

import yaml
from launch.logging import launch_config


def write_text(text):
    """A new file with this text. Returns its path."""
    with tempfile.NamedTemporaryFile('w', prefix='launch_params_', suffix='.yaml', dir=launch_config.log_dir,
                                     encoding='utf-8', delete=False) as file:
        file.write(text)
    return Path(file.name)


def write_parameters(node, parameters):
    """A new file with the parameters of a node, given by its full name or as a pattern. Returns its path."""
    return write_text(yaml.safe_dump({node: {'ros__parameters': parameters}}, default_flow_style=False,
                                     allow_unicode=True))


def to_yaml(value):
    """A value on one line, as it stands behind `-p name:=`."""
    text = yaml.safe_dump(value, default_flow_style=True, width=1 << 30, allow_unicode=True).strip()
    return text.removesuffix('...').strip()
