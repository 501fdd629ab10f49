"""The best rate without loss: bursts of `demand` messages, then `recovery_us` asleep, as in eProsima's comparison.

First a step back to back, which says about where the answer lies, and is it where readers hold the sender back; then
a search for the greatest demand at which nothing is lost, the sender keeps its pace and the receiver keeps up. Each
step is made by fresh processes, `steps` at most. What the best step has measured at both ends is the result.
"""

import dataclasses

from tandem_lab.results import figures

SETTINGS = {'steps', 'mode'}
RECOVERY_US = 5000
LONGEST_RECOVERY_US = 50000
BURST = 20  # messages in a burst, at least: fewer are too coarse to search with
PACE = 0.9  # of the rate that was asked for is kept
CLOSE = 1.12  # greatest good and least bad demand: near enough


@dataclasses.dataclass
class Step:
    """`demand` 0: back to back."""

    demand: int
    recovery_us: int
    peers: list
    sent: int
    is_good: bool
    sender: float  # messages a second
    receiver: float


def run(trial, point, settings):
    steps = int(trial.value('steps', 6))
    first = play(trial, 0, 0)
    recovery_us = min(max(RECOVERY_US, int(BURST * 1e6 / max(first.receiver, 1))), LONGEST_RECOVERY_US)
    good = [step for step in (first, search(trial, first, recovery_us, steps - 1)) if step and step.is_good]
    best = max(good, key=lambda step: step.receiver, default=first)
    trial.collect(best.peers)
    if not good:
        trial.note('no rate without loss was found in %d steps: these are the figures of sending back to back' % steps)
        return
    if best.demand:
        trial.figure('demand', best.demand)
        trial.figure('recovery_us', best.recovery_us)
    else:
        trial.note('the best rate was had by sending back to back: the sender is held back by its reader')
    trial.figure('best_rate_hz', best.receiver)


def search(trial, first, recovery_us, steps):
    """The best step, or None. Doubles or halves until the answer lies between two demands, then takes their mean."""
    good = bad = None
    demand = max(1, round(first.receiver * recovery_us / 1e6))
    slowest = 0.0
    for _ in range(steps):
        before = trial.remaining()
        if before < 3 * slowest:
            trial.note('the search was ended early: the trial has only so much time')
            break
        step = play(trial, demand, recovery_us)
        slowest = max(slowest, before - trial.remaining())
        if step.is_good and (good is None or step.demand > good.demand):
            good = step
        if not step.is_good and (bad is None or step.demand < bad):
            bad = step.demand
        demand = following(good, bad)
        if demand is None:
            break
    return good


def following(good, bad):
    """The next demand to try; None when near enough."""
    if good is None:
        return max(1, bad // 2) if bad > 1 else None
    if bad is None:
        return max(good.demand + 1, good.demand * 3 // 2)
    if bad / good.demand <= CLOSE or bad - good.demand < 2:
        return None
    return max(good.demand + 1, round((good.demand * bad) ** 0.5))


def play(trial, demand, recovery_us):
    """One step."""
    subscriber = trial.start('subscribe', samples=False)
    publisher = trial.start('publish', samples=False, rate=0, demand=demand, recovery_us=recovery_us if demand else 0,
                            seconds=trial.value('seconds', 0.5))
    peers = [subscriber, publisher]
    trial.matched(peers)
    publisher.say('go')
    publisher.wait('finished')
    sent = publisher.sent
    trial.drain([subscriber], sent)
    trial.end(peers)
    sender = figures.rates('sender', [publisher], 'sent', None).get('sender_msgs_per_s', 0.0)
    receiver = figures.rates('receiver', [subscriber], 'received', None).get('receiver_msgs_per_s', 0.0)
    # A message that was refused for a time is late, not lost; what that costs is seen in the pace.
    is_whole = sent > 0 and subscriber.figures.get('received') == sent
    asked = demand * 1e6 / recovery_us if demand else 0.0
    keeps_pace = sender >= PACE * asked and receiver >= PACE * sender
    return Step(demand, recovery_us, peers, sent, is_whole and keeps_pace, sender, receiver)
