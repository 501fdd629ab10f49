"""One publisher, `subscribers` subscribers, each in a process of its own: latency one way, loss, cost."""

SETTINGS = {'subscribers', 'mode'}


def run(trial, point, settings):
    number = int(trial.value('subscribers', 1))
    subscribers = [trial.start('subscribe', peers=1) for _ in range(number)]
    publisher = trial.start('publish', peers=number)
    trial.matched([*subscribers, publisher])
    publisher.say('go')
    finish(trial, publisher, subscribers)


def finish(trial, publisher, subscribers):
    """After `go`: waits until all that was sent has arrived, or no more comes. The publisher stays until then."""
    publisher.wait('finished')
    for subscriber in subscribers:
        subscriber.say('expect %d' % (publisher.figures.get('sent') or 0))
    for subscriber in subscribers:
        subscriber.wait('done')
    trial.collect()
