// The answer before the evidence: who wins what, by how much, how sure; and where ours stands.

const kCertainty = {
  clear: ['clear', 'the intervals of the repetitions do not overlap'],
  tie: ['tie', 'the intervals overlap: neither is ahead'],
  unknown: ['undecided', 'too few repetitions to tell, or nobody to compare with'],
};

// 'won', 'tied', 'behind', 'open' or 'absent': how one row of the verdict ended for ours.
function outcomeOf(row) {
  const rank = row.ours?.rank;
  if (row.certainty !== 'clear' && row.certainty !== 'tie')
    return row.rows.length && !row.rows.some(({contestant}) => isOurs(contestant)) ? 'absent' : 'open';
  if (!isNumber(rank)) return 'absent';
  return rank > 1 ? 'behind' : row.certainty === 'clear' ? 'won' : 'tied';
}

// Rows of the verdict with those of the ranking that they sum up (systems only, best first).
function verdictRows(analysis) {
  return list(analysis.verdict).map((row) => {
    const section = list(analysis.sections).find(({id}) => id === row.experiment);
    const at = JSON.stringify(row.point);
    const ranking = list(section?.ranking).find(({point}) => JSON.stringify(point) === at);
    return {...row, section, rows: list(ranking?.rows).filter(({reference}) => !reference)};
  });
}

const kOutcomes = [
  ['won', 'first, clearly'],
  ['tied', 'shares the first place'],
  ['behind', 'not first'],
  ['open', 'undecided'],
  ['absent', 'takes no part'],
];

function headline(rows) {
  if (rows.every((row) => outcomeOf(row) === 'open')) {
    const all = rows.length === 1 ? 'the one comparison' : `all ${rows.length} comparisons`;
    return `Nothing is decided yet: too few repetitions in ${all}.`;
  }
  const count = (outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;
  const comparisons = counted(rows.length, 'comparison');
  const parts = [];
  if (count('tied')) parts.push(`shares the first place in ${count('tied')}`);
  if (count('behind')) parts.push(`is behind in ${count('behind')}`);
  if (count('open')) parts.push(`cannot be placed in ${count('open')}`);
  if (count('absent')) parts.push(`takes no part in ${count('absent')}`);
  const rest = parts.length > 1 ? parts.slice(0, -1).join(', ') + ' and ' + parts.at(-1) : parts.join('');
  return `Tandem is clearly first in ${count('won') || 'none'} of ${comparisons}${rest ? '; it ' + rest : ''}.`;
}

function verdictPart(analysis, contestants) {
  const rows = verdictRows(analysis);
  if (!rows.length) {
    return el(
      'section.verdict',
      {id: 'verdict'},
      el('h2', {}, 'Verdict'),
      el('p.headline', {}, 'Nothing can be said: no experiment has results of two systems yet.'),
    );
  }
  const tally = kOutcomes
    .map(([outcome, text]) => [outcome, text, rows.filter((row) => outcomeOf(row) === outcome).length])
    .filter(([, , count]) => count);
  const bar = el(
    'div.tally',
    {'aria-hidden': 'true'},
    tally.map(([outcome, , count]) => {
      const part = el('span', {class: outcome});
      part.style.flexGrow = String(count);
      return part;
    }),
  );
  return el(
    'section.verdict',
    {id: 'verdict'},
    el('h2', {}, 'Verdict'),
    el('p.headline', {}, headline(rows)),
    bar,
    el(
      'ul.tally-key',
      {},
      tally.map(([outcome, text, count]) => el('li', {class: outcome}, el('b', {}, String(count)), ` ${text}`)),
    ),
    experimentsOf(rows).map(([id, group]) => verdictGroup(id, group, {contestants, scale: scaleOf(rows)})),
    el(
      'p.explain',
      {},
      "How far a row's bar reaches is how many times better the winner is than the next system; the thin line " +
        'is the interval of that ratio. ',
      'A winner is named only where the intervals of the repetitions do not overlap. Floors (bare memory, ' +
        'futex, sockets) are shown in charts but not ranked.',
    ),
  );
}

function experimentsOf(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.experiment, [...(groups.get(row.experiment) ?? []), row]);
  return [...groups];
}

function verdictGroup(id, rows, {contestants, scale}) {
  const {section} = rows[0];
  const title = section ? el('a', {href: `#section-${id}`}, section.title || id) : id;
  return el(
    'div.verdict-group',
    {},
    el('h3', {}, title),
    rows[0].question ? el('p.question', {}, rows[0].question) : null,
    rows.map((row) => verdictRow(row, {contestants, scale})),
    details(
      'In words',
      el(
        'ul',
        {},
        rows.map(({text}) => el('li', {}, text ?? '')),
      ),
    ),
  );
}

// The winner, or all who share the first place, or who has the best figure.
function leadersOf({winner, certainty, rows}) {
  if (winner && certainty === 'clear') return [winner];
  const leaders = certainty === 'tie' ? rows.filter(({rank}) => rank === 1) : rows.slice(0, 1);
  return leaders.map(({contestant}) => contestant).sort((a, b) => isOurs(b) - isOurs(a));
}

function verdictRow(row, {contestants, scale}) {
  const [word, meaning] = kCertainty[row.certainty] ?? [String(row.certainty ?? ''), ''];
  const outcome = outcomeOf(row);
  return el(
    'div.verdict-row',
    {class: outcome, 'data-outcome': outcome},
    el('div.at', {}, pointText(row.point) || 'all'),
    el(
      'div.who',
      {},
      leadersOf(row).map((id, index) => [index ? ' = ' : '', nameWithSwatch(contestants.of(id))]),
      row.certainty === 'unknown' && row.rows.length > 1 ? ' ?' : null,
    ),
    el(
      'div.ratio',
      {},
      isNumber(row.ratio)
        ? [
            ratioPicture(row, scale),
            el('b', {}, `${digits(row.ratio)}×`),
            isNumber(row.ratio_low) ? el('span', {}, ` (${digits(row.ratio_low)} to ${digits(row.ratio_high)})`) : null,
          ]
        : null,
    ),
    el('div.sure', {}, el('span.chip', {class: row.certainty, title: meaning}, word)),
    outcome === 'behind'
      ? el(
          'p.why',
          {},
          el('b', {}, `Tandem is ${ordinal(row.ours.rank)}`),
          row.ours.why ? `: ${row.ours.why}` : ', the reason is not known.',
        )
      : outcome === 'absent' && row.ours?.why
        ? el('p.why', {}, `Tandem: ${row.ours.why}`)
        : null,
  );
}

// Ratios are drawn on a logarithmic scale from 1 to the greatest of all rows.
function scaleOf(rows) {
  const greatest = rows.reduce((most, row) => Math.max(most, row.ratio_high ?? 0, row.ratio ?? 0), 2);
  return (ratio) => (120 * Math.log(Math.max(1, ratio))) / Math.log(greatest);
}

function ratioPicture(row, scale) {
  const line =
    isNumber(row.ratio_low) && isNumber(row.ratio_high)
      ? svg('path', {
          class: 'interval',
          d: `M${scale(row.ratio_low)} 7H${scale(row.ratio_high)}M${scale(row.ratio_low)} 4V10M${scale(row.ratio_high)} 4V10`,
        })
      : null;
  return svg(
    'svg',
    {class: 'ratio-bar', width: 122, height: 14, viewBox: '-1 0 122 14', 'aria-hidden': 'true'},
    svg('rect', {class: 'track', x: 0, y: 6.5, width: 120, height: 1}),
    svg('rect', {class: 'bar', x: 0, y: 4, width: Math.max(1, scale(row.ratio)), height: 6, rx: 1}),
    line,
  );
}
