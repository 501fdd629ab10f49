"""Drivers: each module here turns one trial into processes and figures.

    def run(trial) -> None

`trial` (peers.Trial) says what to measure and takes what was measured:

    trial.experiment    experiment.Experiment: name, settings, seconds, ... as in its YAML file
    trial.contestant    contestants.Contestant: id, title, kind, link, rmw (the transport's name or None),
                        plugin (perf_test -c)
    trial.point         this trial's values of the sweep, {'size': 1024}
    trial.settings      the experiment's settings (constants of all points)
    trial.value(key, default)    a value of the point, else of the settings
    trial.attest        True in the attest pass
    trial.folder        pathlib.Path, exists and is empty: the trial's own files go here
    trial.env           environment of its processes: own TANDEM_SHM_DIR, ROS_DOMAIN_ID, RMW_IMPLEMENTATION, tuning ...
    trial.record        the line of results.jsonl to be: fill figures, histograms, samples (relative to folder), notes
    trial.machine       machine.Applied when the user allows settings, else None
    trial.note(text)    a caveat for the report
    trial.remaining()   seconds until the trial is ended; give no wait more

    trial.start(role, name=None, **spec)    a lab_peer (peers.Peer), see scenarios/__init__.py
    trial.launch(name, argv, **popen)    any other process (peers.Process): its output goes to NAME.out and NAME.err;
                                         .wait(timeout) -> exit status, .text() what it printed, .kill()
    trial.run_command(name, argv)        launch + wait; Failed with the tail of stderr unless it exits with 0

Processes that are still there when run() returns or raises are ended by the runner, with all their children.
Their command lines are added to the record by start() and launch(). What goes wrong is said by raising:

    peers.Failed('what happened')       status failed
    peers.Unsupported('why')            status unsupported: this contestant cannot do this; not an error
    peers.TimedOut                      raised by every wait when the trial's time is over; let it pass

Any other exception is a failure as well. The runner never stops for one trial.
"""
