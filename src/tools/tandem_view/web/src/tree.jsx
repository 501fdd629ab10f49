// A message as a tree of its fields.
import { useText } from './text.js';

const isCut = (value) => value !== null && typeof value === 'object' && '$count' in value;

function Leaf({ value }) {
  const text = useText();
  if (typeof value === 'string') return <span class="text"><bdi>{value === '' ? '""' : value}</bdi></span>;
  if (isCut(value)) {
    return <span class="text"><bdi>{value.$first}</bdi>… <small>{text('characters', value.$count, value.$first.length)}</small></span>;
  }
  return <span class="value">{value === null ? 'NaN' : String(value)}</span>;
}

/** Numbers, and the like, in one line. */
function Flat({ values, of }) {
  const text = useText();
  const shown = values.slice(0, 24);
  const total = of ?? values.length;
  return (
    <span class="value">
      [{shown.map((each) => (each === null ? 'NaN' : String(each))).join(', ')}{total > shown.length && ', …'}]
      {total > shown.length && <small> {text('elements', total, shown.length)}</small>}
    </span>
  );
}

function Branch({ name, value, depth }) {
  const text = useText();
  const cut = isCut(value);
  const array = Array.isArray(value) ? value : cut && Array.isArray(value.$first) ? value.$first : null;
  const isFlat = array && array.every((each) => each === null || typeof each !== 'object');
  if (value === null || typeof value !== 'object' || (cut && !array)) {
    return <li><span class="name">{name}</span> <Leaf value={value} /></li>;
  }
  if (isFlat) return <li><span class="name">{name}</span> <Flat values={array} of={cut ? value.$count : undefined} /></li>;
  const entries = array ? array.map((each, place) => [place, each]) : Object.entries(value);
  return (
    <li>
      <details open={depth < 3 && entries.length <= 20}>
        <summary><span class="name">{name}</span>{array && <small> [{cut ? value.$count : array.length}]</small>}</summary>
        <ul>{entries.map(([key, each]) => <Branch key={key} name={key} value={each} depth={depth + 1} />)}</ul>
        {cut && <small>{text('elements', value.$count, array.length)}</small>}
      </details>
    </li>
  );
}

export function Tree({ message }) {
  const text = useText();
  return (
    <ul class="tree" aria-label={text('tree')}>
      {Object.entries(message).map(([name, value]) => <Branch key={name} name={name} value={value} depth={0} />)}
    </ul>
  );
}

/** The numbers of a message by their paths, as "pose.position.x"; the stamps of headers last. */
export function numbersOf(message, most = 60) {
  const found = new Map();
  const walk = (value, path) => {
    if (found.size >= most) return;
    if (typeof value === 'number' || typeof value === 'boolean') {
      found.set(path, value);
    } else if (value !== null && typeof value === 'object') {
      const inner = isCut(value) ? value.$first : value;
      if (Array.isArray(inner)) inner.slice(0, 20).forEach((each, place) => walk(each, `${path}[${place}]`));
      else if (typeof inner === 'object') Object.entries(inner).forEach(([key, each]) => walk(each, path ? `${path}.${key}` : key));
    }
  };
  walk(message, '');
  const isStamp = (path) => /(^|\.)(sec|nanosec)$/.test(path);
  const all = [...found];
  return new Map([...all.filter(([path]) => !isStamp(path)), ...all.filter(([path]) => isStamp(path))]);
}
