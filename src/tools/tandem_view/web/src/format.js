// Numbers for people.

/** 1234.5 -> "1235", 12.345 -> "12.3". */
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6) return (value / 1e6).toPrecision(3) + ' M';
  if (size >= 1e4) return (value / 1e3).toPrecision(3) + ' k';
  if (size >= 100) return value.toFixed(0);
  return size >= 0.01 ? value.toPrecision(3).replace(/\.?0+$/, '') : value.toExponential(1);
}

export function bytes(value) {
  const units = ['B', 'KB', 'MB', 'GB'];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : value.toPrecision(3)} ${units[unit]}`;
}

/** Seconds as "12 µs". */
export function duration(seconds) {
  if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 1) return `${Number((seconds * 1e3).toPrecision(2))} ms`;
  return `${Number(seconds.toPrecision(2))} s`;
}

export function clock(milliseconds) {
  const date = new Date(milliseconds);
  const pad = (value, width = 2) => String(value).padStart(width, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}
