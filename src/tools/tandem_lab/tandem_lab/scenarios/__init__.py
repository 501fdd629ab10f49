"""Scenarios of the driver `peers`: each module here says what the peers of one trial do.

    def run(trial, point: dict, settings: dict) -> None

A point's value goes before a setting of the same name: trial.value('size', 1024). The usual shape is

    subscriber = trial.start('subscribe', size=..., count=...)      # starts lab_peer with this spec; what is not given comes from the settings
    publisher = trial.start('publish', size=..., count=...)         # and point, as far as lab_peer knows the field; then its defaults
    trial.matched([subscriber, publisher])                          # waits until both have said so
    publisher.say('go')
    sent = publisher.wait('done')                                   # the event, a dict: {'event': 'done', 'at': 123, ...}
    subscriber.say('expect %d' % sent.get('sent', count))
    subscriber.wait('done')
    trial.collect()                                                 # stop, wait for `finished`, sum up figures, histograms and samples into trial.record

trial.start(role, name=None, side=None, **spec) -> Peer
    name: of its files, default the role (`subscribe-2` for the third); side 0 or 1: on which end of the veth it runs (environment veth), default 0 for
    publish and ping, else 1. link, domain, output, hosts are filled in.

Peer
    wait(event, timeout=None) -> dict    blocks until the peer has said it (at once if it has already); Failed when the peer ends before,
                                         Unsupported when it exits with 3, TimedOut when the trial's time is over. With a timeout: None after it.
    seen(event) -> dict or None          what it has said so far
    say(word)                            a line to its standard input
    stop() -> dict                       says stop, waits for `finished`, returns that event; its figures are in peer.figures from then on
    kill()                               SIGKILL
    role, name, pid, spec, figures (None until finished), attestation, alive()

trial.matched(peers), trial.collect(peers=None): see above; collect() leaves out peers that were killed or died as they should (die_at), unless they had finished.
trial.figure(name, value), trial.note(text), trial.record: for what a scenario finds out itself (discovery_ns, best_rate_hz ...).
"""
