"""A publisher has sent `messages` and stays; a subscriber comes later.

`join_ns` is from its endpoints to its first message, `owed` how many it must get, `lost` how many it did not.
"""

SETTINGS = {'messages'}


def run(trial, point, settings):
    messages = int(trial.value('messages', 10))
    kept = {'durability': 'transient_local', 'history': 'keep_last', 'depth': messages, 'warm_up': 0}
    publisher = trial.start('publish', peers=0, count=messages, **kept)
    publisher.wait('matched')
    publisher.say('go')
    publisher.wait('finished')
    subscriber = trial.start('subscribe', peers=1, count=messages, **kept)
    subscriber.wait('joined')
    subscriber.say('expect %d' % messages)
    subscriber.wait('done')
    first = subscriber.seen('first')
    trial.collect()
    trial.figure('owed', messages)
    if first:
        trial.figure('join_ns', first['at'] - subscriber.seen('joined')['at'])
    # How old these messages were when they came says nothing about how long they took.
    trial.record['histograms'].clear()
    trial.record['samples'].clear()
