// From a chart of analysis.json to what the chart library is told.
//
// view: {shows(index) -> bool, xLog, yLog, look: {ink, muted, grid, surface, noise, dark, narrow}, contestants}

const kMostDrawn = 1200; // points of one series; beyond, the least and the greatest of each stretch are drawn

function configOf(chart, view) {
  const series = looks(chart, view.contestants).filter(({index}) => view.shows(index));
  const single = series.every(({points}) => points.length <= 1);
  const builders = {boxes: single ? flatBoxes : groupedBoxes, bars: single ? flatBars : lines, layers: layers};
  return (builders[chart.shape] ?? lines)(chart, series, view);
}

// Series with the look of their contestant. Several series of one contestant (variants) differ in dash and marker;
// among bars they are one series with a place for each variant.
function looks(chart, contestants) {
  const met = new Map();
  return (chart.shape === 'bars' ? mergedVariants(chart) : list(chart.series)).map((one, index) => {
    const look = contestants.of(one.contestant, one.name);
    const variant = met.get(one.contestant) ?? 0;
    met.set(one.contestant, variant + 1);
    return {
      ...one,
      name: one.name ?? look.title,
      index,
      points: list(one.points),
      look: variant ? {...look, ...kVariants[(variant - 1) % kVariants.length]} : look,
    };
  });
}

function mergedVariants(chart) {
  const merged = new Map();
  for (const one of list(chart.series)) {
    const words = pointText(one.variant);
    if (!words || list(one.points).length > 1) return list(chart.series);
    const whole = merged.get(one.contestant) ?? {contestant: one.contestant, points: []};
    merged.set(one.contestant, whole);
    whole.points.push(...list(one.points).map((point) => ({...point, x: words})));
  }
  return [...merged.values()];
}

function colourOf(one, view) {
  return view.look.dark ? one.look.colour.dark : one.look.colour.light;
}

function isDrawable(value, log) {
  return isNumber(value) && (!log || value > 0);
}

// Percentiles and words have axes of their own; all else may be switched between linear and logarithmic.
function hasNumbersBelow(chart) {
  return (
    ['line', 'dots'].includes(chart.shape) &&
    list(chart.series).every(({points}) => list(points).every(({x}) => isNumber(x)))
  );
}

function thinned(points) {
  if (points.length <= kMostDrawn) return points;
  const stretch = Math.ceil(points.length / (kMostDrawn / 2));
  const kept = [];
  for (let start = 0; start < points.length; start += stretch) {
    const part = points.slice(start, start + stretch);
    const least = part.reduce((a, b) => (b.y < a.y ? b : a));
    const greatest = part.reduce((a, b) => (b.y > a.y ? b : a));
    kept.push(...(least === greatest ? [least] : least.x < greatest.x ? [least, greatest] : [greatest, least]));
  }
  return kept;
}

function lowerAxis(chart, series, view) {
  const points = series.flatMap((one) => one.points);
  if (chart.shape === 'steps') return percentAxis(chart, points, view.look);
  const values = points.map(({x}) => x);
  if (!values.every(isNumber)) return wordAxis(chart.x, values, view.look);
  return numberAxis(
    chart.x,
    values.filter((x) => isDrawable(x, view.xLog)),
    view.xLog,
    view.look,
  );
}

function lines(chart, series, view) {
  const {place, ...axis} = lowerAxis(chart, series, view);
  const words = list(chart.series).some(({points}) => list(points).some(({x}) => !isNumber(x)));
  const many = chart.shape === 'dots' || series.some(({points}) => points.length > 60);
  const datasets = series.map((one, position) => {
    const placed = one.points
      .map((point) => ({
        ...point,
        quiet: chart.shape === 'steps' && !kPercentTicks.includes(point.x) && point.x < 100,
        at: point.x,
        x: place(point.x, position, series.length),
      }))
      .filter(({x, y}) => isDrawable(x, view.xLog && !words) && isDrawable(y, view.yLog));
    const data = thinned(placed);
    return {
      ...lineLook(one, view, {many, joined: !words && chart.shape !== 'dots'}),
      label: one.name,
      data,
      raw: data,
      band: one.band,
    };
  });
  const data = datasets[oursOf(series)]?.data ?? [];
  const reference =
    chart.kind === 'jitter'
      ? undefined
      : chart.shape === 'dots'
        ? levelAt(medianOf(data.map(({y}) => y)), axis, data)
        : data;
  return assembled(chart, series, view, {
    type: 'line',
    data: {datasets},
    x: axis,
    reference,
    separate: words,
    y: valueAxis(chart.y, view.yLog, view.look),
    interaction: {mode: 'nearest', axis: 'x', intersect: false},
  });
}

// Whose line the noise floor goes around.
function oursOf(series) {
  return Math.max(
    0,
    series.findIndex(({look}) => look.ours),
  );
}

function medianOf(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function levelAt(y, axis, data) {
  const places = data.map(({x}) => x);
  return places.length
    ? [
        {x: places.reduce((a, b) => Math.min(a, b)), y},
        {x: places.reduce((a, b) => Math.max(a, b)), y},
      ]
    : [];
}

function lineLook(one, view, {many, joined}) {
  const colour = colourOf(one, view);
  return {
    borderColor: colour,
    borderWidth: one.look.width * (many ? 0.6 : 1),
    borderDash: joined ? one.look.dash : [],
    showLine: joined,
    backgroundColor: colour,
    emphasis: one.look.ours,
    order: one.look.ours ? 0 : 1,
    tension: 0,
    parsing: false,
    pointStyle: one.look.marker,
    pointRadius: radiusOf(one, many, joined),
    pointHitRadius: 6,
    pointHoverRadius: 6,
    pointBackgroundColor: !one.look.hollow ? colour : many ? colour + '55' : view.look.surface,
    pointBorderColor: one.look.hollow && many ? colour + '55' : colour,
    pointBorderWidth: many ? 0.5 : 1.5,
  };
}

// Percentiles are many; markers stand where the axis has names.
function radiusOf(one, many, joined) {
  const radius = one.look.ours ? 5 : 4;
  return ({raw}) => (many ? (joined ? 0 : 1.6) : raw?.quiet ? 0 : radius);
}

// The range has to hold whiskers and intervals too.
function widen(axis, chart, series, log) {
  const values = series
    .flatMap(({points}) => points.flatMap(({y, low, high, min, max}) => [y, low, high, min, max]))
    .filter((value) => isDrawable(value, log));
  if (!values.length || chart.shape === 'layers') return axis;
  const least = values.reduce((a, b) => Math.min(a, b));
  const greatest = values.reduce((a, b) => Math.max(a, b));
  return log
    ? {...axis, min: least / 1.15, max: greatest * 1.15}
    : {...axis, suggestedMin: Math.min(0, least), suggestedMax: greatest * 1.03};
}

function assembled(chart, series, view, {type, data, x, y, indexAxis, interaction, reference, separate}) {
  const lying = indexAxis === 'y';
  return {
    type,
    data,
    plugins: [noisePlugin, bandPlugin, boxPlugin, intervalPlugin],
    options: {
      animation: false,
      layout: {padding: {top: isNumber(chart.noise?.value) ? 18 : 2}},
      responsive: true,
      maintainAspectRatio: false,
      indexAxis: indexAxis ?? 'x',
      interaction,
      devicePixelRatio: view.look.print ? 2 : undefined,
      scales: {x: lying ? widen(x, chart, series, view.yLog) : x, y: lying ? y : widen(y, chart, series, view.yLog)},
      plugins: {
        legend: {display: false},
        tooltip: tooltip(chart, view),
        noise: {
          value: chart.noise?.value,
          relative: chart.noise?.relative,
          label: noiseLabel(chart),
          colour: view.look.noise,
          reference,
          separate,
        },
      },
    },
  };
}

function noiseLabel({noise, y, kind}) {
  const relative = isNumber(noise?.relative) && kind !== 'jitter';
  return `noise floor ${relative ? `±${Number((noise.relative * 100).toPrecision(2))} %` : withUnit(noise?.value, y?.unit)}`;
}

function tooltip(chart, view) {
  const raw = (item) => item.dataset.raw?.[item.dataIndex] ?? {};
  const value = (item) => raw(item).y ?? raw(item).median ?? 0;
  return {
    backgroundColor: view.look.ink,
    titleColor: view.look.surface,
    bodyColor: view.look.surface,
    padding: 10,
    boxPadding: 4,
    usePointStyle: true,
    itemSort: (a, b) => value(b) - value(a),
    callbacks: {
      title: (items) => {
        const at = raw(items[0] ?? {dataset: {}}).at;
        if (at === undefined) return '';
        return chart.shape === 'steps'
          ? at >= 100
            ? 'the greatest'
            : `${at} % are at or below`
          : `${chart.x?.label ?? ''} ${withUnit(at, chart.x?.unit)}`.trim();
      },
      label: (item) => pointLine(raw(item).name ?? item.dataset.label ?? '', raw(item), chart.y?.unit),
    },
  };
}

// A line of a tooltip; of a box two, as phones are narrow.
function pointLine(name, point, unit) {
  if (isNumber(point.median)) {
    const half = `    half ${span(point.q1, point.q3, unit)}, all ${span(point.min, point.max, unit)}`;
    return [`${name}: median ${withUnit(point.median, unit)}`, half];
  }
  const interval = isNumber(point.low) && point.low !== point.high ? ` (${span(point.low, point.high, unit)})` : '';
  return `${name}: ${withUnit(point.y, unit)}${interval}`;
}
