"""The machine under the laboratory: what it is, what on it disturbs a measurement, and settings that are undone.

    now = machine.preflight(machine.Sysfs())
    print(now.text())
    with machine.settings(machine.Plan(governors=True), run / 'settings.journal', machine.Sysfs()) as applied:
        ...
"""

from .journal import restore
from .preflight import Preflight, drift, preflight
from .settings import Applied, Plan, priority_refused, settings
from .sysfs import Sysfs, cpu_list, start_time

__all__ = ['Applied', 'Plan', 'Preflight', 'Sysfs', 'cpu_list', 'drift', 'preflight', 'priority_refused', 'restore',
           'settings', 'start_time']
