// The table of topics: only the rows that are in view are drawn, so that ten thousand are no burden.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { connection } from './connection.js';
import { bytes, number } from './format.js';
import { topics, useParts } from './store.js';
import { useText } from './text.js';
import { TopicDetail } from './topic.jsx';

const ROW = 34; // px
const BEYOND = 10; // rows above and below what is in view
const COLUMNS = [
  { key: 'topic', isText: true },
  { key: 'type', isText: true, isWide: true, style: 'type-cell' },
  { key: 'publishers', short: 'publishersShort', isWide: true },
  { key: 'subscriptions', short: 'subscriptionsShort', isWide: true },
  { key: 'rate' },
  { key: 'bytes' },
  { key: 'lost' },
  { key: 'means', isText: true, isWide: true },
];

const names = new Intl.Collator('en', { numeric: true });
const isHidden = (name) => /(^|\/)_/.test(name);

function sorted(rows, { key, isDown }) {
  const sign = isDown ? -1 : 1;
  return rows.sort((a, b) => {
    const order = typeof a[key] === 'string' ? names.compare(a[key], b[key]) : a[key] - b[key];
    return order !== 0 ? sign * order : names.compare(a.topic, b.topic);
  });
}

function Cell({ column, row }) {
  const text = useText();
  const { key } = column;
  if (key === 'rate') return <td class="number">{text('perSecond', number(row.rate))}</td>;
  if (key === 'bytes') {
    const isLess = !row.areBytesAll && row.bytes > 0;
    return <td class="number" title={isLess ? text('atLeast') : undefined}>{isLess && '≥ '}{bytes(row.bytes)}</td>;
  }
  if (key === 'lost') return <td class={`number ${row.lostRate > 0 ? 'bad' : ''}`}>{number(row.lost)}</td>;
  if (key === 'means') return <td class={`wide means ${row.means}`}>{row.means && text(row.means)}</td>;
  if (key === 'topic') return <th scope="row" title={row.topic}><bdi>{row.topic}</bdi></th>;
  return <td class={`${column.isText ? '' : 'number'} ${column.style ?? ''} wide`} title={row[key]}>{row[key]}</td>;
}

function Head({ column, order, setOrder }) {
  const text = useText();
  const isOrder = order.key === column.key;
  const direction = order.isDown ? 'descending' : 'ascending';
  return (
    <th scope="col" class={`${column.isText ? '' : 'number'} ${column.isWide ? 'wide' : ''} ${column.style ?? ''} column-${column.key}`}
      aria-sort={isOrder ? direction : 'none'}>
      <button type="button" onClick={() => setOrder({ key: column.key, isDown: isOrder ? !order.isDown : !column.isText })}>
        {column.short ? <abbr title={text(column.key)}>{text(column.short)}</abbr> : text(column.key)}{isOrder && <span aria-hidden="true">{order.isDown ? ' ▾' : ' ▴'}</span>}
      </button>
    </th>
  );
}

/** Where the view begins, and how many rows it has. */
function useScroll(element) {
  const [view, setView] = useState({ first: 0, count: 40 });
  useEffect(() => {
    const box = element.current;
    const look = () => element.current && setView({ first: Math.floor(box.scrollTop / ROW), count: Math.ceil(box.clientHeight / ROW) });
    box.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, []);
  return view;
}

function Table({ rows, chosen }) {
  const text = useText();
  const box = useRef(null);
  const view = useScroll(box);
  const [order, setOrder] = useState({ key: 'topic', isDown: false });
  const [current, setCurrent] = useState(null); // the name of the row that the keys are at
  const ordered = useMemo(() => sorted([...rows], order), [rows, order]);
  const first = Math.max(0, view.first - BEYOND);
  const last = Math.min(ordered.length, view.first + view.count + BEYOND);
  const at = Math.max(0, ordered.findIndex((row) => row.topic === (current ?? chosen)));

  const go = (to) => {
    const place = Math.max(0, Math.min(ordered.length - 1, to));
    setCurrent(ordered[place].topic);
    const top = place * ROW;
    const height = box.current.clientHeight - ROW; // without the head
    if (top < box.current.scrollTop) box.current.scrollTop = top;
    else if (top + ROW > box.current.scrollTop + height) box.current.scrollTop = top + ROW - height;
    requestAnimationFrame(() => box.current?.querySelector('tr[tabindex="0"]')?.focus());
  };
  const press = (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: view.count, PageUp: -view.count, Home: -1e9, End: 1e9 };
    if (event.target.tagName !== 'TR' || ordered.length === 0) return;
    if (event.key in steps) go(at + steps[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') location.hash = `topics:${ordered[at].topic}`;
    else return;
    event.preventDefault();
  };
  const gap = (count) => <tr aria-hidden="true" style={{ height: `${count * ROW}px` }} />;
  return (
    <div class="table" ref={box} onKeyDown={press}>
      <table aria-rowcount={ordered.length + 1} aria-label={text('topics')}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => <Head key={column.key} {...{ column, order, setOrder }} />)}
          </tr>
        </thead>
        <tbody>
          {first > 0 && gap(first)}
          {ordered.slice(first, last).map((row, place) => (
            <tr key={row.id} aria-rowindex={first + place + 2} aria-selected={row.topic === chosen}
              tabIndex={first + place === at ? 0 : -1}
              onClick={() => { setCurrent(row.topic); location.hash = `topics:${row.topic}`; }}>
              {COLUMNS.map((column) => <Cell key={column.key} column={column} row={row} />)}
            </tr>
          ))}
          {last < ordered.length && gap(ordered.length - last)}
        </tbody>
      </table>
    </div>
  );
}

export function TopicsSection({ chosen }) {
  useParts(topics);
  const text = useText();
  const [filter, setFilter] = useState('');
  const [withHidden, setWithHidden] = useState(false);
  useEffect(() => connection.choose(chosen), [chosen]);
  useEffect(() => () => connection.choose(null), []);
  const rows = useMemo(() => {
    const wanted = filter.toLowerCase();
    return [...topics.rows.values()].filter((row) => (withHidden || !isHidden(row.topic)) &&
      (row.topic.toLowerCase().includes(wanted) || row.type.toLowerCase().includes(wanted)));
  }, [topics.version, filter, withHidden]);
  return (
    <div class={`topics ${chosen ? 'has-chosen' : ''}`}>
      <section class="list" aria-label={text('topics')}>
        <div class="tools">
          <input type="search" value={filter} placeholder={text('filterTopics')} aria-label={text('filterTopics')}
            onInput={(event) => setFilter(event.currentTarget.value)} />
          <label><input type="checkbox" checked={withHidden}
            onChange={(event) => setWithHidden(event.currentTarget.checked)} /> {text('showHidden')}</label>
          <p role="status">{text('shown', rows.length, topics.rows.size, topics.nodes)}</p>
        </div>
        <Table rows={rows} chosen={chosen} />
        {rows.length === 0 && <p class="empty">{text(topics.rows.size === 0 ? 'noTopics' : 'noMatch')}</p>}
      </section>
      <section class="detail" aria-live="off">
        {chosen ? <TopicDetail key={chosen} topic={chosen} /> : <p class="empty">{text('choose')}</p>}
      </section>
    </div>
  );
}
