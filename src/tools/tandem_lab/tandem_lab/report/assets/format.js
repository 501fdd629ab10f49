// Numbers for people: 41 µs, 64 KiB, 1.2 M/s. A unit is 'ns', 'byte', 'KiB', 'byte/s', '1/s', 'ns per message' ...

const kTime = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];
const kBytes = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
  [1, 'B'],
];
const kCount = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
];
const kUnits = {
  ns: [kTime, 1],
  us: [kTime, 1e3],
  µs: [kTime, 1e3],
  ms: [kTime, 1e6],
  s: [kTime, 1e9],
  B: [kBytes, 1],
  byte: [kBytes, 1],
  bytes: [kBytes, 1],
  KiB: [kBytes, 1024],
  kib: [kBytes, 1024],
  MiB: [kBytes, 1024 ** 2],
};
const kAbbreviations = {message: 'msg', messages: 'msg', msgs: 'msg', sec: 's', second: 's'};
const kCountables = ['', '1', 'message', 'messages', 'msg', 'msgs'];

// 'ns/msg' -> {base: 'ns', per: 'msg'}
function unitParts(unit) {
  const text = String(unit ?? '').trim();
  if (/^hz$/i.test(text)) return {base: '', per: 's'};
  const [, base, per] = text.match(/^(.*?)\s*(?:\/|\bper\b)\s*(.*)$/) ?? [null, text, ''];
  return {base: base.trim(), per: kAbbreviations[per.trim()] ?? per.trim()};
}

// Three digits that count, without an exponent.
function digits(value) {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return String(Math.round(value));
  if (size >= 1e-4 || size === 0) return String(Number(value.toPrecision(3)));
  return value.toExponential(1);
}

function scaled(value, steps) {
  if (value === 0) return ['0', steps[steps.length - 1][1]];
  const size = Math.abs(value);
  // 999.7 ns rounds to 1000 ns; it is said as 1 µs.
  const found = steps.findIndex(([factor]) => Math.round((size / factor) * 1000) / 1000 >= 0.9995);
  let index = found < 0 ? steps.length - 1 : found;
  if (index > 0 && Math.round(size / steps[index][0]) * steps[index][0] >= steps[index - 1][0]) index -= 1;
  return [digits(value / steps[index][0]), steps[index][1]];
}

function withUnit(value, unit) {
  if (!isNumber(value)) return value === null || value === undefined ? '–' : String(value);
  const {base, per} = unitParts(unit);
  const suffix = per ? '/' + per : '';
  if (base === '%') return digits(value) + '\u202f%';
  if (kUnits[base]) {
    const [steps, factor] = kUnits[base];
    const [number, name] = scaled(value * factor, steps);
    return number + '\u00a0' + name + suffix;
  }
  const [number, prefix] = Math.abs(value) >= 1e4 ? scaled(value, kCount) : [digits(value), ''];
  const name = prefix + suffix + (kCountables.includes(base) ? '' : (prefix || suffix ? ' ' : '') + base);
  return number + (name ? '\u00a0' : '') + name;
}

// Durations and costs are better when small, rates when great; of other figures nothing is claimed.
function betterOf(axis) {
  if (axis?.better) return axis.better;
  const {base, per} = unitParts(axis?.unit);
  if (per === 's') return 'higher';
  return kUnits[base]?.[0] === kTime ? 'lower' : '';
}

function span(low, high, unit) {
  const [from, to] = [withUnit(low, unit), withUnit(high, unit)];
  const [number, name] = from.split('\u00a0');
  return `${name && to.endsWith('\u00a0' + name) ? number : from} to ${to}`;
}

// The keys of a sweep whose unit is known from their name, so that a point reads 'size 64 KiB'.
const kPointUnits = {size: 'byte', rate: '1/s', delay_us: 'us', best_rate_hz: '1/s', seconds: 's'};

function pointText(point) {
  const parts = Object.entries(point ?? {}).map(([key, value]) => {
    const name = key.replace(/_us$/, '').replaceAll('_', ' ');
    if (typeof value === 'boolean') return `${name}: ${value ? 'yes' : 'no'}`;
    if (!isNumber(value)) return `${name} ${value}`;
    return `${name} ${kPointUnits[key] ? withUnit(value, kPointUnits[key]) : value.toLocaleString('en')}`;
  });
  return parts.join(', ');
}

function counted(count, what) {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

function ordinal(rank) {
  const ending = {1: 'st', 2: 'nd', 3: 'rd'}[rank % 100 > 10 && rank % 100 < 14 ? 0 : rank % 10] ?? 'th';
  return `${rank}${ending}`;
}

function dateText(text) {
  const match = String(text ?? '').match(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/);
  return match ? `${match[1]} ${match[2]} UTC` : String(text ?? '');
}

// How numbers stand in CSV files: in full, as the files beside the report have them.
function csvField(value) {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
