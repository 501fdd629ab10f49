// Axes: values with units, message sizes as powers of two, categories, and percentiles by their nines.

const kPercentTicks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999];

// 0, 90, 99, 99.9 % stand at equal distances: 0, 1, 2, 3. The greatest value (100 %) goes half a step beyond the last.
function ninesOf(percent, beyond) { return percent >= 100 ? beyond : -Math.log10(1 - percent / 100); }

function lastNines(points) {
  const below = points.map(({x}) => x).filter((x) => isNumber(x) && x < 100);
  return below.length ? Math.max(...below.map((x) => ninesOf(x))) : 1;
}

function percentAxis(chart, points, look) {
  const last = lastNines(points);
  const hasMax = points.some(({x}) => x >= 100);
  const beyond = hasMax ? last + 0.4 : last;
  const ticks = kPercentTicks.filter((percent) => ninesOf(percent) <= last + 1e-9)
    .map((percent) => ({value: ninesOf(percent), label: `${percent}`}));
  if (hasMax) ticks.push({value: beyond, label: 'max'});
  return {
    ...axisLook(chart.x, look, {noUnit: true}), type: 'linear', min: 0, max: beyond + 0.06,
    title: {...axisTitle(chart.x?.label || 'percentile', look)},
    afterBuildTicks: (axis) => { axis.ticks = ticks.map(({value}) => ({value})); },
    ticks: {color: look.muted, autoSkip: false, maxRotation: 0,
      callback: (value) => ticks.find((tick) => Math.abs(tick.value - value) < 1e-9)?.label ?? ''},
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

// On a logarithmic axis only powers of ten (and 2 and 5 where the range is short) are named.
function logTicks(unit, look) {
  return numberTicks(unit, look, {callback(value) {
    const decades = Math.log10(this.max / this.min);
    const first = Number(value.toExponential()[0]);
    const named = decades > 3 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 3, 5, 7];
    return named.includes(first) && Math.abs(value / 10 ** Math.floor(Math.log10(value) + 1e-9) - first) < 1e-6 ? withUnit(value, unit) : null;
  }});
}

// Bytes go by powers of two.
function byteTicks(scale, unit) {
  const factor = kUnits[unitParts(unit).base][1];
  const low = Math.log2(scale.min * factor);
  const high = Math.log2(scale.max * factor);
  const step = [1, 2, 5, 10].find((one) => (high - low) / one <= 7) ?? 10;
  scale.ticks = [];
  for (let power = Math.ceil(low / step) * step; power <= high; power += step) scale.ticks.push({value: 2 ** power / factor});
}

function valueAxis(axis, log, look) {
  const unit = axis?.unit;
  if (log && kUnits[unitParts(unit).base]?.[0] === kBytes) {
    return {...axisLook(axis, look), type: 'logarithmic', afterBuildTicks: (scale) => byteTicks(scale, unit), ticks: numberTicks(unit, look)};
  }
  return {...axisLook(axis, look), type: log ? 'logarithmic' : 'linear', beginAtZero: !log,
    ticks: log ? logTicks(unit, look) : numberTicks(unit, look)};
}

// Over numbers. Few distinct ones (a sweep) are the ticks themselves.
function numberAxis(axis, values, log, look) {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const shared = {...axisLook(axis, look), type: log ? 'logarithmic' : 'linear', place: (x) => x,
    ticks: log ? logTicks(axis?.unit, look) : numberTicks(axis?.unit, look)};
  if (distinct.length > 16 || distinct.length === 0) return shared;
  const low = distinct[0];
  const high = distinct[distinct.length - 1];
  const margin = log ? (high / low) ** 0.03 : (high - low) * 0.03 || 1;
  return {...shared, min: log ? low / margin : low - margin, max: log ? high * margin : high + margin,
    afterBuildTicks: (scale) => { scale.ticks = distinct.map((value) => ({value})); },
    ticks: numberTicks(axis?.unit, look)};
}

// Over words. Series stand side by side, so that their intervals do not cover each other.
function wordAxis(axis, values, look) {
  const words = [...new Set(values.map(String))];
  return {...axisLook(axis, look), type: 'linear', min: -0.5, max: words.length - 0.5,
    afterBuildTicks: (scale) => { scale.ticks = words.map((_, value) => ({value})); },
    ticks: {color: look.muted, autoSkip: false, maxRotation: 40, callback: (value) => words[value] ?? ''},
    place: (x, series, of) => words.indexOf(String(x)) + (of > 1 ? (series / (of - 1) - 0.5) * 0.5 : 0)};
}
