"""The look at the machine before (and after) a run: facts, findings with advice, as text and as JSON."""

import textwrap
from dataclasses import asdict, dataclass, field

from . import processor_findings, system_findings
from .facts import facts
from .processor_findings import Finding

ORDER = ('warning', 'info', 'ok')


@dataclass
class Preflight:
    facts: list
    findings: list
    counters: dict = field(default_factory=dict)  # for drift()

    def to_json(self):
        """The `machine` of analysis.json without its settings."""
        return {'facts': self.facts, 'findings': [asdict(finding) for finding in self.findings],
                'counters': self.counters}

    def text(self, width=110):
        """For people."""
        lines = [f'  {fact["name"]:<15} {fact["value"]}' for fact in self.facts]
        lines += ['', *findings_text(self.findings, width)]
        return '\n'.join(lines)


def findings_text(findings, width=110):
    """Lines: what is well in one, then each thing that is not, with what to do."""
    lines = []
    for finding in sorted(findings, key=lambda f: ORDER.index(f.severity)):
        if finding.severity == 'ok':
            continue
        lines += textwrap.wrap(f'{finding.subject}: {finding.text}', width, initial_indent=f'  {finding.severity:<8}',
                               subsequent_indent=' ' * 10)
        if finding.advice:
            lines += textwrap.wrap(f'-> {finding.advice}', width, initial_indent=' ' * 10, subsequent_indent=' ' * 13,
                                   break_long_words=False, break_on_hyphens=False)
    well = [finding.subject for finding in findings if finding.severity == 'ok']
    return lines + ([f'  {"ok":<8}{", ".join(well)}'] if well else [])


def checked(check, sysfs):
    """A file that is other than expected must not keep anyone from measuring."""
    try:
        return check(sysfs)
    except (ValueError, IndexError, KeyError, OSError) as error:
        return [Finding('info', check.__name__.replace('_', ' '), f'could not be found out: {error}')]


def preflight(sysfs, executable=None):
    """Looks at the machine; `executable` is one of the build, asked for its compiler."""
    findings = [finding for module in (processor_findings, system_findings) for check in module.CHECKS
                for finding in checked(check, sysfs)]
    try:
        counters = system_findings.cpu_times(sysfs)
    except ValueError:
        counters = {}
    return Preflight(facts(sysfs, executable), findings, counters)


def fact_of(look, name):
    return next((fact['value'] for fact in look['facts'] if fact['name'] == name), None)


def drift(before, after):
    """What happened between two looks (their to_json()): findings."""
    first, last = before.get('counters') or {}, after.get('counters') or {}
    total = last.get('total', 0) - first.get('total', 0)
    found = []
    if first and last and total > 0:
        stolen = (last['steal'] - first['steal']) / total
        text = f'{stolen:.1%} of the processors\' time during the run went to other virtual machines'
        found.append(Finding('warning' if stolen > 0.01 else 'ok', 'steal time', text))
    was, became = (fact_of(look, 'clock source') for look in (before, after))
    if was != became:
        found.append(Finding('warning', 'clock source', f'changed from {was} to {became} during the run'))
    return found
