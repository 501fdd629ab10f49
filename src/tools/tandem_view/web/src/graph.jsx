// Who is connected to whom: nodes that publish, topics, nodes that subscribe, in three columns.
import { useEffect, useState } from 'preact/hooks';
import { connection } from './connection.js';
import { number } from './format.js';
import { graph, topics, useParts } from './store.js';
import { useText } from './text.js';

const WIDTH = 230;
const HEIGHT = 26;
const GAP = 8;
const COLUMN = 330;

/** Names in the order of the middle of what they are joined to, so that few lines cross. */
function ordered(ends, places) {
  const sums = new Map();
  ends.forEach((names, place) => names.forEach((name) => {
    const [sum, count] = sums.get(name) ?? [0, 0];
    sums.set(name, [sum + places[place], count + 1]);
  }));
  return [...sums].map(([name, [sum, count]]) => [name, sum / count]).sort((a, b) => a[1] - b[1]).map(([name]) => name);
}

function layout(list) {
  const byFrom = [...list].sort((a, b) => (a.from[0] ?? '~').localeCompare(b.from[0] ?? '~') || a.name.localeCompare(b.name));
  const places = byFrom.map((_, place) => place);
  const left = ordered(byFrom.map((topic) => topic.from), places);
  const right = ordered(byFrom.map((topic) => topic.to), places);
  const rows = Math.max(left.length, byFrom.length, right.length, 1);
  const spread = (count) => (place) => (place + 0.5) * rows / count * (HEIGHT + GAP);
  return { list: byFrom, left, right, height: rows * (HEIGHT + GAP), yLeft: spread(left.length), yTopic: spread(byFrom.length), yRight: spread(right.length) };
}

function Line({ x1, y1, x2, y2, means }) {
  const half = (x1 + x2) / 2;
  return <path class={`edge ${means}`} d={`M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}`} />;
}

function Box({ x, y, label, detail, kind }) {
  const short = label.length > 30 ? `…${label.slice(-29)}` : label;
  return (
    <g class={`box ${kind}`}>
      <title>{label}{detail && ` ${detail}`}</title>
      <rect x={x} y={y - HEIGHT / 2} width={WIDTH} height={HEIGHT} rx="5" />
      <text x={x + 8} y={y + 4}>{short}</text>
      {detail && <text class="detail" x={x + WIDTH - 8} y={y + 4} text-anchor="end">{detail}</text>}
    </g>
  );
}

function Drawing({ list }) {
  const text = useText();
  const { list: topicsInOrder, left, right, height, yLeft, yTopic, yRight } = layout(list);
  const nodes = new Set([...left, ...right]).size;
  return (
    <div class="scroll graph" tabIndex={0} role="region" aria-label={text('graph')}>
      <svg width={2 * COLUMN + WIDTH + 20} height={height + 10} role="group" aria-label={text('graphLabel', list.length, nodes)}>
        <g transform="translate(10 5)">
          {topicsInOrder.map((topic, place) => {
            const means = topics.byName(topic.name)?.means ?? '';
            return [
              ...topic.from.map((node) => <Line key={`f${node}`} x1={WIDTH} y1={yLeft(left.indexOf(node))} x2={COLUMN} y2={yTopic(place)} means={means} />),
              ...topic.to.map((node) => <Line key={`t${node}`} x1={COLUMN + WIDTH} y1={yTopic(place)} x2={2 * COLUMN} y2={yRight(right.indexOf(node))} means={means} />),
            ];
          })}
          {left.map((node, place) => <Box key={node} x={0} y={yLeft(place)} label={node} kind="node" />)}
          {topicsInOrder.map((topic, place) => {
            const row = topics.byName(topic.name);
            return (
              <a key={topic.name} href={`#topics:${topic.name}`}>
                <Box x={COLUMN} y={yTopic(place)} label={topic.name} kind="topic" detail={row && text('perSecond', number(row.rate))} />
              </a>
            );
          })}
          {right.map((node, place) => <Box key={node} x={2 * COLUMN} y={yRight(place)} label={node} kind="node" />)}
        </g>
      </svg>
    </div>
  );
}

function AsTable({ list }) {
  const text = useText();
  return (
    <details>
      <summary>{text('asTable')}</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={text('asTable')}>
        <table aria-label={text('graph')}>
          <thead><tr><th scope="col">{text('from')}</th><th scope="col">{text('topic')}</th><th scope="col">{text('to')}</th></tr></thead>
          <tbody>
            {list.map((topic) => (
              <tr key={topic.name}>
                <td>{topic.from.join(', ')}</td>
                <th scope="row"><a href={`#topics:${topic.name}`}>{topic.name}</a></th>
                <td>{topic.to.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function GraphSection() {
  useParts(graph, topics);
  const text = useText();
  const [filter, setFilter] = useState('');
  useEffect(() => connection.showGraph(filter), [filter]);
  useEffect(() => () => connection.showGraph(null), []);
  const now = graph.value;
  return (
    <section class="whole" aria-label={text('graph')}>
      <div class="tools">
        <input type="search" value={filter} placeholder={text('filterGraph')} aria-label={text('filterGraph')}
          onInput={(event) => setFilter(event.currentTarget.value)} />
        <p>{text('graphHint')}</p>
        <ul class="legend">
          {['zero-copy', 'copies', 'pending', 'mismatch'].map((means) => <li key={means} class={`means ${means}`}>{text(means)}</li>)}
        </ul>
      </div>
      {now && now.leftOut > 0 && <p class="notice">{text('leftOut', now.leftOut)}</p>}
      {now && now.topics.length > 0 && <Drawing list={now.topics} />}
      {now && now.topics.length > 0 && <AsTable list={now.topics} />}
      {now && now.topics.length === 0 && <p class="empty">{text('emptyGraph')}</p>}
    </section>
  );
}
