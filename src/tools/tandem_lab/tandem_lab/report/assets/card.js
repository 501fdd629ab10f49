// One chart on the page: title, switches, legend, canvas, noise, who is not in it, and the numbers as table and CSV.

const kExplained = {
  by_point:
    'Each line is a system. A mark is the result of all repetitions; the small bar through it is the interval ' +
    'that the repetitions leave open. Where two intervals overlap, neither system is ahead.',
  by_percentile:
    'How long the slower messages took: at 99 on the lower axis, 99 of 100 messages were at least as fast. A ' +
    'line that stays flat to the right is a steady system.',
  by_number:
    'Each dot is one message, in the order of sending. A rising line means that messages queue up; the shade ' +
    'is what the other repetitions did.',
  boxes:
    'A box holds the middle half of the messages, its line is the median, the whiskers reach to the least and ' +
    'the greatest.',
  jitter: 'How far each message was from the mean delay. Low and flat is steady.',
  queue: 'Messages sent but not yet received. Where it climbs, the sender is faster than the system can deliver.',
  bars: 'One bar for each system, the best on top, with the interval of its repetitions.',
  by_layer: 'What each layer adds to the time of the layers below it.',
};

const kBetter = {lower: 'Lower is better.', higher: 'Higher is better.', '': ''};

// page: {contestants, look() -> look, isHidden(contestant) -> bool}
class Card {
  constructor(chart, page, explains) {
    this.chart = chart;
    this.explains = explains;
    this.page = page;
    this.hidden = new Set();
    this.xLog = chart.x?.scale === 'log';
    this.yLog = chart.y?.scale === 'log';
    this.drawn = null;
    this.series = looks(chart, page.contestants);
    this.canvas = el('canvas', {role: 'img', 'aria-label': `${chart.title}. The same numbers are in the table below.`});
    this.empty = el('p.empty', {hidden: true}, '');
    this.stage = el('div.stage', {}, this.canvas, this.empty);
    this.stage.style.setProperty(
      '--rows',
      String(this.isFlat() ? this.series.length + (this.chart.shape === 'layers' ? 2 : 0) : 0),
    );
    this.element = this.build();
  }

  isFlat() {
    return (
      this.chart.shape === 'layers' ||
      (['bars', 'boxes'].includes(this.chart.shape) && this.series.every(({points}) => list(points).length <= 1))
    );
  }

  isEmpty() {
    return !this.series.some(({points}) => points.length);
  }

  shows(index) {
    return !this.hidden.has(index) && !this.page.isHidden(this.series[index].contestant);
  }

  build() {
    const {chart} = this;
    const explained = this.explains
      ? (kExplained[this.isFlat() || chart.kind !== 'bars' ? chart.kind : 'by_point'] ?? '')
      : '';
    const better = kBetter[betterOf(chart.y)];
    return el(
      'figure.card',
      {id: `chart-${chart.id}`, class: `${this.isFlat() ? 'flat' : ''} ${this.isEmpty() ? 'nothing' : ''}`},
      el('div.card-head', {}, el('h4', {}, chart.title || chart.id), el('div.tools', {}, this.tools())),
      explained || better ? el('p.explain', {}, [explained, better].filter(Boolean).join(' ')) : null,
      (this.legend = el(
        'div.legend',
        {role: 'group', 'aria-label': 'systems in this chart'},
        this.isFlat() && chart.shape === 'layers' ? null : this.legendItems(),
      )),
      this.stage,
      el(
        'figcaption',
        {},
        this.isEmpty() ? null : this.noiseText(),
        this.omitted(),
        this.isEmpty() ? null : this.numbers(),
      ),
    );
  }

  tools() {
    const tools = [];
    if (hasNumbersBelow(this.chart)) tools.push(this.switchOf('xLog', 'x log', 'horizontal axis logarithmic'));
    if (this.chart.shape !== 'layers')
      tools.push(this.switchOf('yLog', this.isFlat() ? 'log' : 'y log', 'values logarithmic'));
    tools.push(
      el(
        'button.tool',
        {
          type: 'button',
          'data-tool': 'csv',
          title: 'download the numbers of this chart',
          onclick: () => this.download(),
        },
        'CSV',
      ),
    );
    return tools;
  }

  switchOf(field, text, title) {
    return el(
      'button.tool',
      {
        type: 'button',
        'data-tool': field,
        title,
        'aria-pressed': String(this[field]),
        onclick: (event) => {
          this[field] = !this[field];
          event.currentTarget.setAttribute('aria-pressed', String(this[field]));
          this.redraw();
        },
      },
      text,
    );
  }

  legendItems() {
    return this.series.map((one, index) =>
      el(
        'button.key',
        {
          type: 'button',
          'data-contestant': one.contestant,
          'aria-pressed': 'true',
          title: 'show or hide; twice: only this one',
          onclick: () => this.toggle(index),
          ondblclick: () => this.only(index),
        },
        nameWithSwatch(one.look, one.name),
      ),
    );
  }

  toggle(index) {
    if (!this.hidden.delete(index)) this.hidden.add(index);
    this.refresh();
  }

  only(index) {
    this.hidden = new Set(this.series.keys());
    this.hidden.delete(index);
    this.refresh();
  }

  refresh() {
    [...this.legend.children].forEach((key, index) => {
      key.setAttribute('aria-pressed', String(!this.hidden.has(index)));
      key.hidden = this.page.isHidden(this.series[index].contestant);
    });
    this.redraw();
  }

  draw() {
    if (this.drawn) return;
    const config = configOf(this.chart, {
      shows: (index) => this.shows(index),
      xLog: this.xLog,
      yLog: this.yLog,
      look: this.page.look(),
      contestants: this.page.contestants,
    });
    const nothing = !config.data.datasets.some(({data}) => data.length);
    this.empty.hidden = !nothing;
    this.empty.textContent = !this.isEmpty()
      ? 'Nothing to draw: no system is chosen, or no value is above zero.'
      : 'Nothing was measured for this chart.';
    this.canvas.hidden = nothing;
    if (!nothing) this.drawn = new Chart(this.canvas, config);
  }

  erase() {
    this.drawn?.destroy();
    this.drawn = null;
  }

  redraw() {
    this.erase();
    if (this.isNear) this.draw();
  }

  noiseText() {
    const {noise} = this.chart;
    if (!isNumber(noise?.value)) return el('p.noise', {}, 'Noise floor: not known for this chart.');
    return el(
      'p.noise',
      {},
      el('span.noise-key', {'aria-hidden': 'true'}),
      `${noiseLabel(this.chart)}: `.replace(/^n/, 'N'),
      `${noise.text || 'smaller differences mean nothing'}.`.replace(/\.\.$/, '.'),
    );
  }

  omitted() {
    const omitted = list(this.chart.omitted);
    if (!omitted.length) return null;
    return details(
      `Not in this chart: ${omitted.length}`,
      el(
        'ul',
        {},
        omitted.map(({contestant, reason}) =>
          el('li', {}, el('b', {}, this.page.contestants.of(contestant).title), `: ${reason || 'no reason is known'}`),
        ),
      ),
    );
  }

  // Long tables are made when they are opened, and end where a person stops reading.
  numbers() {
    const box = details('Numbers as a table');
    box.classList.add('numbers');
    const fill = () => {
      if (box.open && box.children.length === 1) box.append(...this.numberTable());
    };
    box.addEventListener('toggle', fill);
    return box;
  }

  numberTable() {
    const [columns, ...rows] = csvRows(this.chart);
    const units = this.chart.y?.unit;
    const shown = rows.slice(0, 300).map((row) =>
      row.map((value, column) => {
        if (column === 1 && isNumber(value) && this.chart.shape !== 'steps') return withUnit(value, this.chart.x?.unit);
        return column > 1 && columns[column] !== 'n' ? withUnit(value, units) : String(value ?? '–');
      }),
    );
    const left = rows.length - shown.length;
    return [
      table({caption: this.chart.title, columns, rows: shown}),
      left > 0 ? el('p.noise', {}, `${left} more rows are in the CSV.`) : null,
    ].filter(Boolean);
  }

  download() {
    const link = el('a', {
      href: URL.createObjectURL(new Blob([csvText(this.chart)], {type: 'text/csv'})),
      download: `${this.chart.id}.csv`,
    });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

// The same rows, fields and order as in charts/*.csv, see csv.py.
function csvRows(chart) {
  const fields = chart.shape === 'boxes' ? ['min', 'q1', 'median', 'q3', 'max', 'n'] : ['y', 'low', 'high', 'n'];
  const label = (axis) => [axis?.label, axis?.unit && `(${axis.unit})`].filter(Boolean).join(' ');
  const header = [
    'system',
    label(chart.x) || 'x',
    ...fields.map((field) => (field === 'y' ? label(chart.y) || 'y' : field)),
  ];
  return [
    header,
    ...list(chart.series).flatMap((one) =>
      list(one.points).map((point) => [
        one.name ?? one.contestant,
        point.x ?? '',
        ...fields.map((field) => point[field]),
      ]),
    ),
  ];
}

function csvText(chart) {
  return csvRows(chart)
    .map((row) => row.map(csvField).join(',') + '\n')
    .join('');
}
