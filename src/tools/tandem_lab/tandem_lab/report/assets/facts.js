// What surrounds the figures: the run, the machine with its findings, the systems, failures, and who is absent.

function machineLine(machine) {
  const told = new Map(list(machine?.facts).map(({name, value}) => [name, value]));
  const facts = ['processor', 'cores', 'memory', 'kernel', 'distribution', 'virtualisation']
    .map((name) => told.get(name))
    .filter(Boolean);
  return facts.length ? facts.join(' · ') : 'Nothing is known about it.';
}

function runPart({run = {}}) {
  const trials = Object.entries(run.trials ?? {})
    .filter(([, count]) => count)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
  const facts = [
    ['run', run.id],
    ['suite', run.suite],
    ['started', dateText(run.started)],
    ['finished', dateText(run.finished)],
    ['trials', trials],
    ['seed of the random order', run.seed],
    ['complete', run.complete ? 'yes' : 'no: a part of the trials is missing'],
    ['command', run.command],
  ];
  return el(
    'section',
    {id: 'run'},
    el('h2', {}, 'This run'),
    factList(facts),
    el(
      'p.explain',
      {},
      'Each system ran in fresh processes, in random order within each round, so that what drifts on the ' +
        'machine hits all alike. ',
      'The same command repeats the comparison; the seed repeats the order.',
    ),
  );
}

function factList(facts) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return el(
    'dl.facts',
    {},
    known.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, String(value)))),
  );
}

function machinePart({machine = {}}) {
  const findings = list(machine.findings);
  const settings = list(machine.settings);
  return el(
    'section',
    {id: 'machine'},
    el('h2', {}, 'Machine'),
    factList(list(machine.facts).map(({name, value}) => [name, value])),
    findings.length
      ? el(
          'div.findings',
          {},
          el('h3', {}, 'What about it affects the figures'),
          findings.map((one) =>
            el(
              'div.finding',
              {class: one.severity},
              el('span.chip', {class: one.severity}, one.severity ?? 'note'),
              el(
                'div',
                {},
                el('b', {}, one.subject ?? ''),
                ' ',
                one.text ?? '',
                one.advice ? el('p.advice', {}, one.advice) : null,
              ),
            ),
          ),
        )
      : null,
    settings.length
      ? el(
          'div',
          {},
          el('h3', {}, 'Set for the run, and undone after it'),
          el(
            'ul',
            {},
            settings.map((text) => el('li', {}, String(text))),
          ),
        )
      : null,
  );
}

function systemsPart(analysis, contestants) {
  const rows = list(analysis.contestants).map((one) => [
    nameWithSwatch(contestants.of(one.id)),
    one.kind ?? '',
    one.version ?? '',
    one.settings ?? '',
    one.reason ?? '',
  ]);
  if (!rows.length) return null;
  return el(
    'section',
    {id: 'systems'},
    el('h2', {}, 'Systems'),
    table({columns: ['system', 'kind', 'version', 'settings', 'remark'], rows, kind: 'texts'}),
    el(
      'p.explain',
      {},
      'Tuned: with the settings that suit these experiments best. Vendor: as the vendor ships it. Floors are ' +
        'not publish/subscribe systems; they show what the machine itself needs.',
    ),
  );
}

function failuresPart({failures, run = {}}, contestants) {
  const rows = list(failures).map((one) => [
    one.experiment ?? '',
    contestants.of(one.contestant).title,
    pointText(one.point),
    one.status ?? '',
    String(one.count ?? 1),
    one.reason ?? '',
  ]);
  return el(
    'section',
    {id: 'failures'},
    el('h2', {}, 'Failures'),
    rows.length
      ? table({columns: ['experiment', 'system', 'at', 'what', 'times', 'reason'], rows, kind: 'texts'})
      : el('p', {}, run.complete ? 'None: every trial ended as it should.' : 'None so far.'),
  );
}

function absentPart({absent}) {
  const cards = list(absent).map((one) =>
    el(
      'div.missing-system',
      {},
      el('h3', {}, one.title || one.contestant || ''),
      el('p', {}, one.reason ?? ''),
      list(one.studies).length
        ? table({
            caption: 'What the original studies report for it',
            columns: ['what', 'value'],
            kind: 'texts',
            rows: one.studies.map(({what, value}) => [what ?? '', String(value ?? '')]),
          })
        : null,
    ),
  );
  return cards.length
    ? el('section', {id: 'absent'}, el('h2', {}, 'Systems that could not run'), el('div.missing-systems', {}, cards))
    : null;
}
