"""Half round trips: one process pings, one replies; of `subscribers` in all, the others receive and keep silent."""

SETTINGS = {'subscribers', 'mode'}


def run(trial, point, settings):
    silent = int(trial.value('subscribers', 1)) - 1
    others = [trial.start('subscribe', peers=1, samples=False) for _ in range(silent)]
    pong = trial.start('pong', peers=1)
    ping = trial.start('ping', peers=1 + silent)
    trial.matched([*others, pong, ping])
    ping.say('go')
    ping.wait('finished')
    trial.drain(others, ping.sent)
    trial.collect()
