// One section for each experiment: question, method, charts, ranking, tables, caveats, command lines.

function sectionPart(section, page) {
  // A kind of chart is explained where it first stands.
  const charts = list(section.charts);
  const cards = charts.map(
    (chart, index) => new Card(chart, page, charts.findIndex(({kind}) => kind === chart.kind) === index),
  );
  page.cards.push(...cards);
  const commands = list(section.commands);
  return el(
    'section',
    {id: `section-${section.id}`},
    el('div.eyebrow', {}, section.source ? `Experiment · ${section.source}` : 'Experiment'),
    el('h2', {}, section.title || section.id),
    section.question ? el('p.question', {}, section.question) : null,
    section.method ? el('p.method', {}, el('b', {}, 'Method. '), section.method) : null,
    el('p.machine-line', {}, el('b', {}, 'Machine. '), page.machineLine, ' ', el('a', {href: '#machine'}, 'More')),
    list(section.caveats).length
      ? el(
          'div.caveats',
          {},
          el('b', {}, 'Keep in mind'),
          el(
            'ul',
            {},
            section.caveats.map((text) => el('li', {}, text)),
          ),
        )
      : null,
    cards.length
      ? el(
          'div.cards',
          {class: cards.length > 1 ? 'several' : null},
          cards.map((card) => card.element),
        )
      : null,
    list(section.ranking).length ? rankingTable(section, page.contestants) : null,
    list(section.tables).map((one) =>
      el(
        'div.plain-table',
        {},
        table({caption: one.title, columns: list(one.columns), rows: list(one.rows).map(list)}),
        list(one.notes).map((note) => el('p.noise', {}, note)),
      ),
    ),
    commands.length
      ? details(`Command lines (${commands.length})`, el('pre', {tabindex: 0}, commands.join('\n')))
      : null,
  );
}

// Systems down, points across; the first in bold, ties marked.
function rankingTable(section, contestants) {
  const ids = [...new Set(section.ranking.flatMap(({rows}) => list(rows).map(({contestant}) => contestant)))];
  // Ours first, floors last.
  const order = (id) => (isOurs(id) ? 0 : contestants.of(id).group === 'floors' ? 2 : 1);
  ids.sort((a, b) => order(a) - order(b));
  const cells = section.ranking.map(
    ({rows, unit}) => new Map(list(rows).map((row) => [row.contestant, rankCell(row, unit)])),
  );
  const rows = ids.map((id) => [nameWithSwatch(contestants.of(id)), ...cells.map((cell) => cell.get(id) ?? '–')]);
  const reasons = reasonsOf(section.ranking);
  const {metric, label, better} = section.ranking[0];
  return el(
    'div.ranking',
    {},
    table({
      caption: `Ranking by ${label ?? metric}${better ? `, ${better} is better` : ''}`,
      columns: ['', ...section.ranking.map(({point}) => pointText(point) || 'all')],
      rows,
    }),
    el(
      'p.noise',
      {},
      'Small: the rank, one more than the number of systems that are clearly better. With = the interval ' +
        'overlaps that of another system. Hover over a figure for its interval.',
    ),
    reasons.length ? el('div.reasons', {}, el('b', {}, 'Why Tandem is where it is'), el('ul', {}, reasons)) : null,
  );
}

// The same reason for several points is said once.
function reasonsOf(rankings) {
  const points = new Map();
  for (const {point, ours} of rankings) {
    if (!ours?.why) continue;
    const said = `${isNumber(ours.rank) ? `${ordinal(ours.rank)}: ` : ''}${ours.why}`;
    points.set(said, [...(points.get(said) ?? []), pointText(point) || 'all']);
  }
  return [...points].map(([said, at]) =>
    el(
      'li',
      {},
      el('b', {}, at.length > 1 && at.length === rankings.length ? 'everywhere' : at.join('; ')),
      ` – ${said}`,
    ),
  );
}

function rankCell(row, unit) {
  const interval =
    isNumber(row.low) && isNumber(row.high) ? `${span(row.low, row.high, unit)}, n = ${row.n ?? '?'}` : '';
  const rank = isNumber(row.rank) ? el('small', {}, ` ${row.rank}${row.tied ? '=' : ''}`) : null;
  return el('span.number', {class: row.rank === 1 ? 'first' : null, title: interval}, withUnit(row.value, unit), rank);
}
