"""The driver of lab_peer processes: what they do is the scenario's."""

import importlib

from tandem_lab.trials.processes import Failed


def run(trial):
    name = 'tandem_lab.scenarios.' + trial.experiment.scenario
    try:
        scenario = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise Failed("there is no scenario '%s'" % trial.experiment.scenario) from error
    scenario.run(trial, trial.point, trial.settings)
