#!/usr/bin/python3
"""Keeps pages open for long while the robot they show comes and goes, and tells whether memory grows.

Pages with the topics, a picture, a plot, the last minute and the graph are open in one browser; every 20 s the robot
is killed and started again, and 50 topics of another node come or go. Each minute prints each page's heap after a
collection, its nodes and listeners, and the server's memory and open files; the end compares the last third with the
second. `make torture` runs it for an hour. After `source install/local_setup.bash`:

    src/tools/tandem_view/test/long_look.py [MINUTES]
"""

import os
import signal
import statistics
import sys
import time
from pathlib import Path

from conftest import Domain
from browser import Browser  # noqa: E402

PLACES = ['topics', 'topics:/camera/image', 'topics:/imu', 'topics:/chatter', 'graph']
MAY_GROW = 1.10  # by so much in a third of the time


def resident_mb(pid):
    """Memory of a process, in MB."""
    lines = Path(f'/proc/{pid}/status').read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith('VmRSS')) / 1000


def measure(pages, view):
    """What might grow, by name."""
    values = {'server MB': resident_mb(view.pid), 'server files': len(os.listdir(f'/proc/{view.pid}/fd'))}
    for place, page in pages.items():
        page.call('HeapProfiler.collectGarbage')
        values[f'{place} heap MB'] = page.call('Runtime.getHeapUsage')['usedSize'] / 1e6
        counters = page.call('Memory.getDOMCounters')
        values[f'{place} nodes'] = counters['nodes']
        values[f'{place} listeners'] = counters['jsEventListeners']
    return values


def restart(domain, old, *words):
    """Kills one process of the robot and starts another."""
    if old:
        old.send_signal(signal.SIGKILL)
        old.wait()
        domain.processes.remove(old)
    return domain.robot(*words) if words else None


def open_pages(browser, view):
    """The pages, by what they show."""
    pages = {}
    for place in PLACES:
        page = browser.open('about:blank')
        page.load(view.page + f'#{place}')
        page.wait("document.querySelector('.state.connected') !== null")
        pages[place] = page
    plot = pages['topics:/imu']
    plot.wait("document.querySelector('input[value=plot]') !== null")
    plot.run("document.querySelector('input[value=plot]').click()")
    plot.wait("document.querySelectorAll('.fields input').length > 10")
    plot.run("document.querySelectorAll('.fields input')[5].click()")
    return pages


def main():
    minutes = max(3, float(sys.argv[1])) if len(sys.argv) > 1 else 60
    domain = Domain()
    domain.robot('listen')
    view = domain.view()
    robot, others = domain.robot('publish'), None
    rows = []
    with Browser() as browser:
        pages = open_pages(browser, view)
        end = time.monotonic() + minutes * 60
        turn = 0
        while time.monotonic() < end:
            for _ in range(3):
                time.sleep(20)
                turn += 1
                robot = restart(domain, robot, 'publish')
                others = restart(domain, others, *(['many', '50'] if turn % 2 else []))
            rows.append(measure(pages, view))
            print(f'{len(rows)} min, {turn} comings and goings: ' +
                  ', '.join(f'{name} {value:.5g}' for name, value in rows[-1].items()), flush=True)
        for page in pages.values():
            page.wait("document.querySelector('.state.connected') !== null")
    domain.close()
    third = len(rows) // 3
    bad = []
    for name in rows[0]:
        middle, last = (statistics.median(row[name] for row in part)
                        for part in (rows[third:2 * third], rows[2 * third:]))
        print(f'figures: {name} {last:.5g}, x {last / middle:.3f}')
        bad += [name] if last / middle > MAY_GROW else []
    assert not bad, f'grows: {", ".join(bad)}'


main()
