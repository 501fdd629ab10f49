"""`publishers` processes publish on one topic; one subscriber takes all."""

from tandem_lab.trials.processes import Unsupported

SETTINGS = {'publishers'}


def run(trial, point, settings):
    number = int(trial.value('publishers', 2))
    if trial.contestant.kind in ('floor', 'zeromq') and number > 1:
        raise Unsupported('a floor joins one sender with its receivers')
    subscriber = trial.start('subscribe', peers=number)
    publishers = [trial.start('publish', peers=1, source=source) for source in range(number)]
    trial.matched([subscriber, *publishers])
    for publisher in publishers:
        publisher.say('go')
    for publisher in publishers:
        publisher.wait('finished')
    trial.drain([subscriber], sum(publisher.sent for publisher in publishers))
    trial.collect()
