"""The driver of the benchmark program: half round trips of each layer, between two processes that sleep meanwhile.

It keeps its own rounds; the figure is the median over them of each round's median.
"""

import json

from tandem_lab import paths
from tandem_lab.trials.processes import Failed, Unsupported

SETTINGS = {'layer', 'size', 'rounds'}
LAYERS = {  # layer: (group of the program, series)
    'floor': ('floor', 'floor.futex'),
    'core': ('core', 'core.block.{size}'),
    'transport': ('transports.{rmw}', 'transports.block.{rmw}.{size}'),
    'rclcpp': ('rclcpp', 'rclcpp.{size}'),
}


def run(trial):
    if trial.attest:
        raise Unsupported('the benchmark program has no attest pass')
    if trial.contestant.rmw is None:
        raise Unsupported('the benchmark program measures transports only')
    layer = trial.value('layer', 'rclcpp')
    if layer not in LAYERS:
        raise Failed("there is no layer '%s'; layers: %s" % (layer, ', '.join(LAYERS)))
    if layer == 'core' and trial.contestant.rmw != 'rmw_tandem_cpp':
        raise Unsupported('the core is what Tandem is made of')
    program = paths.program('tandem_benchmark', 'bench')
    if not program:
        raise Failed('the benchmark program is not installed: make build')
    names = {'rmw': trial.contestant.rmw, 'size': trial.value('size', 64)}
    group, series = (text.format(**names) for text in LAYERS[layer])
    result = trial.folder / 'bench.json'
    rounds = str(trial.value('rounds', 3))
    trial.run_command('bench', [program, '--only', group, '--rounds', rounds, '--output', result])
    try:
        found = [one for one in json.loads(result.read_text())['series'] if one['name'] == series]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failed('its results are broken: %s' % error) from error
    if not found:
        raise Failed('the benchmark program has no series %s: sizes are 64, 8192, 1048576 and 4194304' % series)
    trial.figure('half_round_trip_ns', found[0]['p50']['value'])
    trial.figure('sent', found[0]['samples'])
