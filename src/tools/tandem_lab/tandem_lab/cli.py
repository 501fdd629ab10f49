"""tandem lab: the command line of the laboratory."""

import argparse
import json
import pathlib
import sys

from tandem_lab import paths
from tandem_lab.inputs import contestants, suite
from tandem_lab.inputs.yamlfile import Broken
from tandem_lab.results import store
from tandem_lab.trials import campaign


def parser():
    top = argparse.ArgumentParser(prog='tandem lab', description='Runs experiments over every publish/subscribe system '
                                  'that is built here, side by side, and makes one report of them.')
    verbs = top.add_subparsers(dest='verb', required=True, metavar='VERB')
    run = verbs.add_parser('run', help='measure: a suite, an experiment, or a YAML file of your own')
    run.add_argument('what', nargs='?', help='name or file (see `tandem lab list`)')
    run.add_argument('--only', nargs='+', default=[], metavar='NAME',
                     help='these experiments, contestants or groups only; between spaces or commas')
    run.add_argument('--repetitions', type=positive, default=0, help='instead of what the experiments say')
    run.add_argument('--time-limit', type=minutes, default=0, metavar='MINUTES',
                     help='stop between two trials when this is over; the report is made, and the run can go on')
    run.add_argument('--resume', metavar='RUN', help='go on with a run that was interrupted')
    run.add_argument('--seed', type=int, default=1, help='of the random order (default 1)')
    run.add_argument('--output', metavar='DIR', help='folder of the run (default log/lab/<date>-<suite>)')
    run.add_argument('--allow-settings', action='store_true',
                     help='set governors, cpusets and priorities for the time of the run (as root; undone afterwards)')
    run.add_argument('--dry-run', action='store_true', help='show the plan and the machine, measure nothing')
    run.add_argument('--quiet', action='store_true', help='no progress')
    show = verbs.add_parser('list', help='experiments, suites, contestants, runs')
    report = verbs.add_parser('report', help='make the report of a run again')
    report.add_argument('run')
    report.add_argument('--pdf', action='store_true', help='a PDF for printing as well')
    compare = verbs.add_parser('compare', help='what changed between two runs; fails beyond a threshold')
    compare.add_argument('a')
    compare.add_argument('b')
    compare.add_argument('--threshold', type=float, default=10.0, metavar='PERCENT',
                         help='a clear change for the worse beyond this fails (default 10)')
    for verb in (run, show, report, compare):
        verb.add_argument('--json', action='store_true', help='for programs')
    return top


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError('at least 1 is expected')
    return value


def minutes(text):
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError('a number of minutes above 0 is expected')
    return value


def run(args):
    only = [name for words in args.only for name in words.split(',') if name]
    options = campaign.Options(only, args.repetitions, args.time_limit, args.seed, args.allow_settings,
                               args.quiet or args.json)
    if args.resume:
        if args.what or args.only or args.repetitions or args.output:
            raise Broken('--resume goes on with a run as it was begun: give it without a suite, --only, --repetitions '
                         'and --output')
        folder = store.find_run(args.resume, paths.runs())
        planned = campaign.from_run(store.Store(folder).read_run())
    else:
        if not args.what:
            raise Broken('what is to be run? `tandem lab list` shows suites and experiments')
        planned = campaign.from_suite(suite.load(args.what), options)
        folder = None
    if args.dry_run:
        return dry_run(planned, args.json)
    if not planned.plan:
        raise Broken('none of the contestants can run here (`tandem lab list` says why)')
    campaign.check_programs(planned)
    folder = folder or new_folder(args, planned)
    one = campaign.Run(planned, folder, options)
    status = one.carry_out()
    print(one.summary(), file=sys.stderr)
    made = finish(one, folder)
    if args.json:
        counts = {}
        for record in one.records:
            counts[record['status']] = counts.get(record['status'], 0) + 1
        print(json.dumps({'run': str(folder), 'status': status, 'complete': not one.todo, 'trials': counts,
                          'ended': one.end_reason, 'report': made}))
    return status


def new_folder(args, planned):
    if not args.output:
        return store.new_folder(paths.runs(), planned.info['suite'])
    folder = pathlib.Path(args.output)
    if (folder / 'run.json').exists() or (folder / 'results.jsonl').exists():
        raise store.BadRun('%s has a run already: go on with --resume %s, or name another folder' % (folder, folder))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if store.is_full(error):
            raise store.DiskFull('%s: no room for the folder of a run' % folder) from error
        raise store.BadRun('%s cannot be made: %s' % (folder, error.strerror)) from error
    return folder.resolve()


def finish(one, folder):
    """The report, unless the user wants an end at once, or there is nothing to report. Its path, or ''."""
    if one.stop.requested or not one.records:
        return ''
    try:
        path = make_report(folder, False).html
    except Exception as error:  # what was measured is safe, whatever the report has met
        print('the report could not be made: %s: %s; try `tandem lab report %s`' % (
            type(error).__name__, error, folder), file=sys.stderr)
        one.status = one.status or 1
        return ''
    print('report: %s' % path, file=sys.stderr)
    return str(path)


def make_report(folder, pdf):
    """analysis.json, report.html and perhaps report.pdf of a run; what was made."""
    from tandem_lab.analysis import analysis
    analysis.analyse(folder)
    from tandem_lab import report
    made = report.write(folder, pdf=pdf)
    if made.problem:
        print(made.problem, file=sys.stderr)
    return made


def dry_run(planned, as_json):
    if as_json:
        print(json.dumps([{'experiment': item.experiment.name, 'contestant': item.contestant.id, 'point': item.point,
                           'pass': item.pass_name, 'repetition': item.repetition, 'seconds': item.experiment.seconds}
                          for item in planned.plan]))
    else:
        print(campaign.dry_run(planned))
        print()
        print(campaign.preflight().text())
    return 0


def report(args):
    folder = store.find_run(args.run, paths.runs())
    made = make_report(folder, args.pdf)
    if args.json:
        print(json.dumps({'report': str(made.html), 'pdf': str(made.pdf) if made.pdf else None}))
    else:
        print('\n'.join(str(path) for path in (made.html, made.pdf) if path))
    return 1 if made.problem else 0


def compare(args):
    from tandem_lab.analysis import compare as comparing
    a, b = (store.find_run(name, paths.runs()) for name in (args.a, args.b))
    return comparing.main(a, b, args.threshold, args.json)


def show(args):
    """`tandem lab list`."""
    listing = {
        'suites': [{'name': name, **_describe(path)} for name, path in suite.shipped('suites').items()],
        'experiments': [{'name': name, **_describe(path)} for name, path in suite.shipped('experiments').items()],
        'contestants': contestants.describe(contestants.load().values()),
        'runs': [{'name': folder.name, **_run_state(folder)} for folder in store.list_runs(paths.runs())],
    }
    if args.json:
        print(json.dumps(listing, indent=1, ensure_ascii=False))
        return 0
    for kind in ('suites', 'experiments'):
        print(kind)
        for one in listing[kind]:
            print('  %-24s %s' % (one['name'], one['title']))
    print('contestants')
    for one in listing['contestants']:
        told = 'absent: ' + one['reason'] if one['reason'] else one['version']
        print('  %-18s %-34s %s' % (one['id'], one['title'], told))
    print('runs in %s' % paths.runs())
    for one in listing['runs']:
        print('  %-32s %s' % (one['name'], one['state']))
    return 0


def _describe(path):
    try:
        loaded = suite.load(str(path))
        return {'title': loaded.title, 'minutes': loaded.minutes}
    except Broken as error:
        return {'title': 'broken: %s' % error, 'minutes': None}


def _run_state(folder):
    try:
        info = store.Store(folder).read_run()['run']
        state = 'complete' if info.get('complete') else 'not complete: --resume %s goes on' % folder.name
        return {'state': state, 'title': info.get('title', '')}
    except (store.BadRun, KeyError, TypeError) as error:
        return {'state': 'broken: %s' % error, 'title': ''}


def main(argv=None):
    args = parser().parse_args(argv)
    verbs = {'run': run, 'list': show, 'report': report, 'compare': compare}
    try:
        return verbs[args.verb](args)
    except (Broken, store.BadRun) as error:
        print('tandem lab: %s' % error, file=sys.stderr)
        return 2
    except store.DiskFull as error:
        print('tandem lab: disk full: %s' % error, file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return campaign.INTERRUPTED
