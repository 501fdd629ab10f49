// A chart of lines over time, by uPlot; its last value in words for who does not see it.
import uPlot from 'uplot';
import { useEffect, useRef } from 'preact/hooks';

export const COLOURS = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6'];

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Of a line that does not change, something around it. */
function range(_, least, most) {
  if (least === null || least !== most) return uPlot.rangeNum(least ?? 0, most ?? 1, 0.1, true);
  return least === 0 ? [0, 1] : [least - Math.abs(least) / 2, least + Math.abs(least) / 2];
}

function options(lines, show, width, height) {
  const axis = { stroke: () => colour('--quiet'), grid: { stroke: () => colour('--rule'), width: 1 },
    ticks: { show: false }, font: '11px system-ui' };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range } },
    axes: [
      { ...axis, size: 24, values: (_, splits) => splits.map((split) => `${split} s`) },
      { ...axis, size: 58, values: (_, splits) => splits.map((split) => show(split)) },
    ],
    series: [{}, ...lines.map((_, place) => ({
      stroke: () => colour(COLOURS[place % COLOURS.length]), width: 1.5, points: { show: false }, spanGaps: true }))],
  };
}

/** x in seconds; lines: [{values, label?}]. */
export function Chart({ label, x, lines, show, height }) {
  const box = useRef(null);
  const chart = useRef(null);
  const data = [x, ...lines.map((line) => line.values)];
  useEffect(() => {
    chart.current = new uPlot(options(lines, show, box.current.clientWidth || 200, height), data, box.current);
    const observer = new ResizeObserver(() => {
      if (box.current) chart.current.setSize({ width: box.current.clientWidth, height });
    });
    observer.observe(box.current);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => chart.current.redraw();
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      observer.disconnect();
      chart.current.destroy();
    };
  }, [lines.length]);
  useEffect(() => chart.current && chart.current.setData(data));
  const last = lines.map((line) => `${line.label ? `${line.label}: ` : ''}${show(line.values[line.values.length - 1] ?? null)}`);
  return (
    <figure class="chart">
      <figcaption>{label} <output>{lines.length === 1 ? last[0] : ''}</output></figcaption>
      <div ref={box} role="img" aria-label={`${label}: ${last.join(', ')}`} />
    </figure>
  );
}
