// Axes: values with units, message sizes as powers of two, categories, and percentiles by their nines.

const kPercentTicks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999];

// 0, 90, 99, 99.9 % stand at equal distances: 0, 1, 2, 3. The greatest value (100 %) goes half a step beyond the last.
function ninesOf(percent, beyond) {
  return percent >= 100 ? beyond : -Math.log10(1 - percent / 100);
}

function lastNines(points) {
  const below = points.map(({x}) => x).filter((x) => isNumber(x) && x < 100);
  return below.length ? Math.max(...below.map((x) => ninesOf(x))) : 1;
}

function percentAxis(chart, points, look) {
  const last = lastNines(points);
  const hasMax = points.some(({x}) => x >= 100);
  const beyond = hasMax ? last + 0.55 : last;
  const ticks = kPercentTicks
    .filter((percent) => ninesOf(percent) <= last + 1e-9)
    .map((percent) => ({value: ninesOf(percent), label: `${percent}`}));
  if (hasMax) ticks.push({value: beyond, label: 'max'});
  return {
    ...axisLook(chart.x, look, {noUnit: true}),
    type: 'linear',
    min: 0,
    max: beyond + 0.06,
    title: {...axisTitle(chart.x?.label || 'percentile', look)},
    afterBuildTicks: (axis) => {
      axis.ticks = ticks.map(({value}) => ({value}));
    },
    ticks: {
      color: look.muted,
      autoSkip: false,
      maxRotation: 0,
      callback: (value) => ticks.find((tick) => Math.abs(tick.value - value) < 1e-9)?.label ?? '',
    },
    place: (x) => ninesOf(x, beyond),
  };
}

function axisTitle(text, look) {
  return {display: Boolean(text), text: text ?? '', color: look.muted, font: {size: 12, weight: '500'}};
}

function axisLook(axis, look) {
  return {grid: {color: look.grid, borderColor: look.grid, tickColor: look.grid}, title: axisTitle(axis?.label, look)};
}

function numberTicks(unit, look, extra = {}) {
  return {color: look.muted, maxRotation: 0, autoSkipPadding: 14, callback: (value) => withUnit(value, unit), ...extra};
}

// On a logarithmic axis: powers of ten, with 3 or 2, 3, 5, 7 between where the range is short; even steps where it is
// shorter still.
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const firsts = decades > 3 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 3, 5, 7];
  const values = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1)
    values.push(...firsts.map((first) => first * 10 ** power));
  const shown = values.filter((value) => value >= low && value <= high);
  return shown.length > 2 ? shown : evenTicks(low, high);
}

function evenTicks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((one) => one * power >= rough);
  const first = Math.ceil(low / step);
  return Array.from({length: Math.max(0, Math.floor(high / step) - first + 1)}, (_, index) => (first + index) * step);
}

// Bytes go by powers of two.
function byteTicks(low, high, factor) {
  const from = Math.log2(low * factor);
  const to = Math.log2(high * factor);
  const step = [1, 2, 5, 10].find((one) => (to - from) / one <= 7) ?? 10;
  const values = [];
  for (let power = Math.ceil(from / step) * step; power <= to; power += step) values.push(2 ** power / factor);
  return values.length > 2 ? values : evenTicks(low, high);
}

function logAxis(axis, look) {
  const unit = axis?.unit;
  const [steps, factor] = kUnits[unitParts(unit).base] ?? [];
  return {
    ...axisLook(axis, look),
    type: 'logarithmic',
    ticks: numberTicks(unit, look),
    afterBuildTicks: (scale) => {
      const {min, max} = scale;
      scale.ticks = (steps === kBytes ? byteTicks(min, max, factor) : logTicks(min, max)).map((value) => ({value}));
    },
  };
}

function valueAxis(axis, log, look) {
  if (log) return logAxis(axis, look);
  return {...axisLook(axis, look), type: 'linear', beginAtZero: true, ticks: numberTicks(axis?.unit, look)};
}

// Over numbers. Few distinct ones (a sweep) are the ticks themselves.
function numberAxis(axis, values, log, look) {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const shared = {...valueAxis(axis, log, look), beginAtZero: false, place: (x) => x};
  if (distinct.length > 16 || distinct.length === 0) return shared;
  const low = distinct[0];
  const high = distinct[distinct.length - 1];
  const margin = low === high ? 2 : log ? (high / low) ** 0.03 : (high - low) * 0.03;
  return {
    ...shared,
    min: log ? low / margin : low - margin,
    max: log ? high * margin : high + margin,
    afterBuildTicks: (scale) => {
      const room = log ? Math.log(scale.max / scale.min) : scale.max - scale.min;
      const least = (room * 58) / (scale.chart.width - 90);
      scale.ticks = apart(distinct, (a, b) => (log ? Math.log(b / a) : b - a) >= least).map((value) => ({value}));
    },
    ticks: numberTicks(axis?.unit, look, {autoSkip: false}),
  };
}

// Values that leave room for each other's names; the greatest is among them.
function apart(values, isFar) {
  const kept = [];
  for (const value of [...values].reverse()) {
    if (!kept.length || isFar(value, kept[0])) kept.unshift(value);
  }
  return kept;
}

// Over words. Series stand side by side, so that their intervals do not cover each other.
function wordAxis(axis, values, look) {
  const words = [...new Set(values.map(String))];
  return {
    ...axisLook(axis, look),
    type: 'linear',
    min: -0.5,
    max: words.length - 0.5,
    afterBuildTicks: (scale) => {
      scale.ticks = words.map((_, value) => ({value}));
    },
    ticks: {color: look.muted, autoSkip: false, maxRotation: 40, callback: (value) => words[value] ?? ''},
    place: (x, series, of) => words.indexOf(String(x)) + (of > 1 ? (series / (of - 1) - 0.5) * 0.5 : 0),
  };
}
