"""Contestants: systems with their settings, from contestants.yaml; which are here, in which version, why others not."""

import dataclasses
import functools
import re
import subprocess
import xml.etree.ElementTree

from tandem_lab import paths
from tandem_lab.inputs.checker import Checker
from tandem_lab.inputs.yamlfile import Broken, Document

FIELDS = {'id', 'title', 'kind', 'link', 'perf_test', 'vendor', 'variant', 'lends', 'env', 'package', 'version',
          'note'}


@dataclasses.dataclass(frozen=True)
class Contestant:
    """`settings`: tuned, variant (tuned, but for its env), vendor or none. `plugin`: of perf_test -c; `rmw`:
    RMW_IMPLEMENTATION; None: there is none."""

    id: str
    title: str
    kind: str
    link_name: str
    settings: str = 'none'
    plugin: str = None
    lends: bool = False
    env: dict = dataclasses.field(default_factory=dict, hash=False)
    package: str = ''
    told_version: str = ''
    note: str = ''

    @property
    def link(self):
        """As lab_peer's spec has it."""
        name = str(paths.connector() or '') if self.kind == 'connector' else self.link_name
        return {'kind': self.kind, 'name': name}

    @property
    def rmw(self):
        return self.link_name if self.kind == 'transport' else None

    def environment(self):
        """What its processes need."""
        values = {key: paths.shared(text) if text.startswith('share/') else text for key, text in self.env.items()}
        if self.rmw:
            values['RMW_IMPLEMENTATION'] = self.rmw
        if self.settings != 'none':
            values['TANDEM_TRANSPORT_TUNING'] = 'vendor' if self.settings == 'vendor' else 'tuned'
        return values


def load(path=None):
    """{id: Contestant}, in the file's order, each followed by its -vendor."""
    document = Document(path or paths.data() / 'contestants.yaml')
    top = Checker(document)
    top.refuse_unknown({'contestants'})
    if not isinstance(top.value.get('contestants'), list):
        raise top.error(('contestants',), 'a list is expected')
    found = {}
    for number in range(len(top.value['contestants'])):
        checker = Checker(document, ('contestants', number))
        checker.refuse_unknown(FIELDS)
        for one in _read(checker):
            if one.id in found:
                raise checker.error(('id',), "'%s' is there twice" % one.id)
            found[one.id] = one
    return found


def _read(checker):
    value = checker.value
    kind = checker.choice('kind', ('transport', 'zeromq', 'connector', 'floor', 'faulty'))
    if not re.fullmatch('[a-z0-9-]+', checker.text('id')):
        raise checker.error(('id',), 'small letters, digits and - are allowed')
    env = {key: str(text) for key, text in checker.mapping('env').items()}
    settings = 'none' if kind != 'transport' else 'variant' if value.get('variant') else 'tuned'
    one = Contestant(checker.text('id'), checker.text('title'), kind, str(value.get('link', '')),
                     settings, value.get('perf_test'), bool(value.get('lends')), env,
                     value.get('package', ''), str(value.get('version', '')), str(value.get('note', '')).strip())
    if not value.get('vendor'):
        return [one]
    title = one.title + ", vendor's settings"
    return [one, dataclasses.replace(one, id=one.id + '-vendor', title=title, settings='vendor')]


def expand(names, known):
    """Ids for names and groups, each once, in order. Raises Broken for an unknown one."""
    transports = [one for one in known.values() if one.kind == 'transport']
    groups = {
        'transports': [one.id for one in transports if one.settings == 'tuned'],
        'vendor': [one.id for one in transports if one.settings == 'vendor'],
        'floors': [one.id for one in known.values() if one.kind == 'floor'],
        'zero_copy': [one.id for one in known.values() if one.lends and one.settings == 'tuned'],
        'all': list(known),
    }
    result = []
    for name in names:
        if name not in known and name not in groups:
            raise Broken("there is no contestant or group '%s'; contestants: %s; groups: %s" % (
                name, ', '.join(known), ', '.join(groups)))
        result += groups.get(name, [name])
    return list(dict.fromkeys(result))


@functools.lru_cache(maxsize=None)
def why_absent(contestant):
    """Why it cannot run here; '' when it can."""
    if contestant.kind == 'connector' and not paths.connector():
        return "RTI's Connector is not installed: make connext"
    if contestant.kind != 'transport':
        return ''
    if any((prefix / 'share/ament_index/resource_index/tandem_transport' / contestant.link_name).exists()
           for prefix in paths.prefixes()):
        return ''
    return _loader_says(contestant) or "there is no transport named '%s' here: it was not built" % contestant.link_name


def _loader_says(contestant):
    """The transports' loader knows what must be installed: perf_test asks it, and ends at once."""
    program = paths.program('performance_test', 'perf_test')
    if not program or not contestant.plugin:
        return ''
    command = [program, '-c', contestant.plugin, '--max-runtime', '1', '-o', 'none']
    try:
        done = subprocess.run(command, env={**_system(), **paths.environment()}, capture_output=True, text=True,
                              timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ''
    said = re.search(r'there is no transport named .*?(?=; installed are|$)', done.stderr, re.MULTILINE)
    return said.group(0) if done.returncode and said else ''


def _system():
    return {'HOME': '/nonexistent', 'LC_ALL': 'C'}


@functools.lru_cache(maxsize=None)
def version(contestant):
    """Of the library behind it; '' when not known."""
    if contestant.told_version:
        return contestant.told_version
    if contestant.package:
        return _debian(contestant.package)
    return _own(contestant.link_name) if contestant.kind == 'transport' else ''


def _debian(name):
    """Version of the installed Debian library whose package is called NAME and its version: libzmq -> libzmq5."""
    try:
        done = subprocess.run(['dpkg-query', '-W', '-f', '${db:Status-Status} ${Package} ${Version}\n', name + '*'],
                              capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ''
    for line in done.stdout.splitlines():
        status, package, found = line.split(' ', 2)
        if status == 'installed' and re.fullmatch(re.escape(name) + r'[\d.]+(debian)?', package):
            return re.sub(r'(\+ds|\+dfsg|~|-)\S*$', '', found)
    return ''


def _own(package):
    for prefix in paths.prefixes():
        file = prefix / 'share' / package / 'package.xml'
        try:
            return (xml.etree.ElementTree.parse(file).findtext('version') or '').strip()
        except (OSError, xml.etree.ElementTree.ParseError):
            continue
    return ''


def describe(contestants):
    """For run.json: [{"id", "title", "kind", "version", "settings", "reason"}], `reason` why one is absent."""
    return [{'id': one.id, 'title': one.title, 'kind': 'floor' if one.kind == 'floor' else 'transport',
             'settings': one.settings, 'reason': why_absent(one),
             'version': '' if why_absent(one) else version(one)} for one in contestants]
