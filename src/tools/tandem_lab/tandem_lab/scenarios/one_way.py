"""One publisher, `subscribers` subscribers, each in a process of its own: latency one way, loss, cost."""

SETTINGS = {'subscribers', 'mode'}


def run(trial, point, settings):
    number = int(trial.value('subscribers', 1))
    subscribers = [trial.start('subscribe', peers=1) for _ in range(number)]
    publisher = trial.start('publish', peers=number)
    trial.matched([*subscribers, publisher])
    publisher.say('go')
    publisher.wait('finished')
    trial.drain(subscribers, publisher.sent)
    trial.collect()
