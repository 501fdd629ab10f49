"""Log of a launch: lines on the screen, launch.log, and what processes print, with the prefixes that ROS users know."""

import datetime
import logging
import os
import platform
import sys
from pathlib import Path

from logging import CRITICAL, DEBUG, ERROR, FATAL, INFO, NOTSET, WARN, WARNING  # noqa: F401 as in Python's module


def _log_root():
    """ROS_LOG_DIR, or log in ROS_HOME, or ~/.ros/log."""
    if os.environ.get('ROS_LOG_DIR'):
        return Path(os.environ['ROS_LOG_DIR']).expanduser()
    home = Path(os.environ.get('ROS_HOME') or '~/.ros').expanduser()
    return home / 'log'


def _make_log_dir():
    root = _log_root()
    stamp = datetime.datetime.now().strftime('%Y-%m-%d-%H-%M-%S-%f')
    folder = root / f'{stamp}-{platform.node()}-{os.getpid()}'
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise RuntimeError(f'cannot make a folder for the log: {error}; set ROS_LOG_DIR to one that can be written')
    link = root / 'latest'
    try:
        temporary = root / f'.latest-{os.getpid()}'
        temporary.symlink_to(folder.name)
        temporary.replace(link)
    except OSError:
        pass  # somebody made a folder of that name: only a convenience is missing
    return str(folder)


class _Screen(logging.StreamHandler):
    """Writes to whatever sys.stdout is now, and goes on without it when nobody reads it any more."""

    def __init__(self):
        super().__init__(sys.stdout)

    def emit(self, record):
        try:
            sys.stdout.write(self.format(record) + '\n')
            sys.stdout.flush()
        except (BrokenPipeError, ValueError):
            sys.stdout = open(os.devnull, 'w')


class LaunchConfig:
    """Where the log goes. The folder is made when it is first needed."""

    def __init__(self):
        self._log_dir = None
        self._files = {}
        self._level = logging.INFO
        self.screen = _Screen()
        self.screen.setFormatter(logging.Formatter('[{levelname}] [{name}]: {message}', style='{'))
        self.plain_screen = _Screen()
        self.plain_screen.setFormatter(logging.Formatter('{message}', style='{'))

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, level):
        self._level = level
        for name in _loggers:
            logging.getLogger(name).setLevel(level)

    @property
    def log_dir(self):
        if self._log_dir is None:
            self._log_dir = _make_log_dir()
        return self._log_dir

    @log_dir.setter
    def log_dir(self, folder):
        os.makedirs(folder, exist_ok=True)
        self._log_dir = str(folder)

    def get_log_file_path(self, file_name='launch.log'):
        return os.path.join(self.log_dir, file_name)

    def get_log_file_handler(self, file_name='launch.log'):
        if file_name not in self._files:
            handler = logging.FileHandler(self.get_log_file_path(file_name), encoding='utf-8', errors='replace')
            handler.setFormatter(logging.Formatter('{created:.7f} [{levelname}] [{name}] {message}', style='{'))
            self._files[file_name] = handler
        return self._files[file_name]

    def get_plain_file_handler(self, file_name):
        handler = self.get_log_file_handler(file_name)
        handler.setFormatter(logging.Formatter('{message}', style='{'))
        return handler

    def get_screen_handler(self):
        return self.screen


class _MainFile(logging.Handler):
    """launch.log, opened with the first line."""

    def emit(self, record):
        launch_config.get_log_file_handler().emit(record)


_loggers = set()
_main_file = _MainFile()
launch_config = LaunchConfig()


def get_logger(name=None):
    """A logger that writes to the screen and to launch.log."""
    name = name or 'launch'
    logger = logging.getLogger(name)
    if name not in _loggers:
        _loggers.add(name)
        logger.propagate = False
        logger.setLevel(launch_config.level)
        logger.addHandler(launch_config.screen)
        logger.addHandler(_main_file)
    return logger


_OUTPUTS = {'screen': {'both': ['screen']}, 'log': {'both': ['log'], 'stderr': ['screen']},
            'both': {'both': ['screen', 'log']}, 'own_log': {'both': ['own_log'], 'stdout': ['own_log'],
                                                             'stderr': ['own_log']},
            'full': {'both': ['screen', 'log', 'own_log'], 'stdout': ['own_log'], 'stderr': ['own_log']}}


def _output_plan(config):
    """{'stdout'|'stderr'|'both': set of destinations} of a name such as 'screen', or of a dict."""
    if isinstance(config, str):
        if config not in _OUTPUTS:
            raise ValueError(f"output is {', '.join(_OUTPUTS)} or a dict of these, not '{config}'")
        config = _OUTPUTS[config]
    plan = {}
    for source, destinations in config.items():
        destinations = {destinations} if isinstance(destinations, str) else set(destinations)
        if source not in ('stdout', 'stderr', 'both') or not destinations <= {'screen', 'log', 'own_log'}:
            raise ValueError("output: keys are stdout, stderr and both, values screen, log and own_log; "
                             f"not '{source}': {sorted(destinations)}")
        plan[source] = destinations
    return plan


def get_output_loggers(process_name, output_config):
    """Loggers for the standard output and the standard error of a process: 'screen', 'log' (launch.log; errors on
    the screen, too), 'both', 'own_log' (files of its own), 'full', or {'stdout': …, 'stderr': …, 'both': …}."""
    plan = _output_plan(output_config)
    loggers = []
    for source in ('stdout', 'stderr'):
        wanted = plan.get('both', set()) | plan.get(source, set())
        logger = logging.getLogger(f'{process_name}-{source}')
        logger.handlers.clear()
        logger.propagate = False
        logger.setLevel(logging.INFO)
        if 'screen' in wanted:
            logger.addHandler(launch_config.plain_screen)
        if 'log' in wanted:
            logger.addHandler(_main_file)
        if 'own_log' in plan.get(source, set()):
            logger.addHandler(launch_config.get_plain_file_handler(f'{process_name}-{source}.log'))
        if 'own_log' in plan.get('both', set()):
            logger.addHandler(launch_config.get_plain_file_handler(f'{process_name}-stdout_and_stderr.log'))
        loggers.append(logger)
    return tuple(loggers)


def reset():
    """As if nothing had been logged yet; for tests."""
    launch_config.__init__()
