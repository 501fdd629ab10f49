"""One publisher, two subscribers, of which one works `delay_us` on each message: does the other one suffer?

All figures are the publisher's and the other one's; `slow_received` is what the slow one got.
"""

SETTINGS = set()


def run(trial, point, settings):
    other = trial.start('subscribe', peers=1, delay_us=0)
    slow = trial.start('subscribe', name='slow', peers=1, samples=False)
    publisher = trial.start('publish', peers=2, delay_us=0)
    trial.matched([other, slow, publisher])
    publisher.say('go')
    publisher.wait('finished')
    trial.drain([other], publisher.sent)
    slow.stop()
    trial.figure('slow_received', slow.figures.get('received'))
    trial.collect([publisher, other])
