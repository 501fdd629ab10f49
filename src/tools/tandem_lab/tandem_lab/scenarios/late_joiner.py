"""A publisher has sent `messages` and stays; a subscriber comes later.

`join_ns` is from before it has loaded its middleware until its first message: some find the others while an endpoint is
made, some afterwards. `owed` is how many messages it must get, `lost` how many it did not.
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
    subscriber.wait('started')
    trial.drain([subscriber], messages)
    first = subscriber.seen('first')
    trial.collect()
    trial.figure('owed', messages)
    if first:
        trial.figure('join_ns', first['at'] - subscriber.seen('started')['at'])
    # How old these messages were when they came says nothing about how long they took.
    trial.record['histograms'].clear()
    trial.record['samples'].clear()
