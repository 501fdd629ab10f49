"""`pairs` pairs that play ping-pong side by side, each with topics and processes of its own."""

SETTINGS = {'pairs'}


def run(trial, point, settings):
    pings, pongs = [], []
    for pair in range(int(trial.value('pairs', 1))):
        topics = {'topic': '/lab/pair_%d' % pair, 'reply_topic': '/lab/pair_%d/reply' % pair}
        pongs.append(trial.start('pong', peers=1, **topics))
        pings.append(trial.start('ping', peers=1, **topics))
    trial.matched([*pongs, *pings])
    for ping in pings:
        ping.say('go')
    for ping in pings:
        ping.wait('finished')
    trial.collect()
