"""Scenarios of the driver `peers`: each module here says what the peers of one trial do.

    def run(trial, point: dict, settings: dict) -> None

A point's value goes before a setting of the same name: trial.value('size', 1024). The usual shape is

    subscriber = trial.start('subscribe', count=1000)    # starts lab_peer; fields of its spec that are not given are
    publisher = trial.start('publish', count=1000)       # taken from the point, then the settings, then its defaults
    trial.matched([subscriber, publisher])               # waits until both have said so
    publisher.say('go')
    publisher.wait('finished')                           # an event is a dict: {'event': 'finished', 'at': 123, ...}
    trial.drain([subscriber], publisher.sent)            # until all have arrived; warm-up messages do not count
    trial.collect()    # stop, wait for `finished`; figures, histograms and samples into trial.record

trial.start(role, name=None, side=None, **spec) -> Peer
    name: of its files, default the role (`subscribe-2` for the third). side: 0 or 1, the end of the veth where it runs
    (environment veth), default 0 for publish and ping, else 1. link, domain, output and hosts are filled in.

Peer
    wait(event, timeout=None) -> dict    blocks until the peer has said it (at once if it has already); Failed when it
                                         ends before, Unsupported when it exits with 3, TimedOut when the trial's time
                                         is over. With a timeout: None after it.
    seen(event) -> dict or None          whether it has said so
    say(word)                            a line to its standard input
    stop() -> dict                       says stop, waits for `finished`; peer.figures are there from then on
    kill()                               SIGKILL
    role, name, pid, spec, figures (None until finished), attestation, sent, alive()

trial.collect(peers=None)
    of these, or all. Peers that were killed, or died as they should (die_at), are left out unless they had finished.

trial.end(peers)
    ends them without putting anything into the record: for the steps of a search, of which only one counts in the end.

trial.figure(name, value), trial.note(text), trial.record
    for what a scenario finds out itself (discovery_ns, best_rate_hz ...).
"""
