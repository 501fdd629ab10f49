// Parameters of all nodes, to be read and set.
import { useEffect, useState } from 'preact/hooks';
import { connection } from './connection.js';
import { notices, parameters, state, useParts } from './store.js';
import { useText } from './text.js';

const MOST = 2000; // drawn at a time

/** What was typed, as JSON; text without quotes is accepted for what is a text already. */
function parsed(typed, parameter) {
  try {
    return JSON.parse(typed);
  } catch {
    return typeof parameter.value === 'string' && parameter.type === undefined ? typed : undefined;
  }
}

function Parameter({ parameter }) {
  const text = useText();
  const [typed, setTyped] = useState(null);
  const now = typeof parameter.value === 'string' ? parameter.value : JSON.stringify(parameter.value);
  const name = parameter.name.slice(parameter.name.indexOf('.') + 1);
  const set = (event) => {
    event.preventDefault();
    const value = parsed(typed ?? now, parameter);
    if (value === undefined) {
      notices.add(text('notJson', name), 2, `parameter ${parameter.name}`);
      return;
    }
    connection.setParameter(parameter.name, value, parameter.type);
    setTyped(null);
  };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <form onSubmit={set}>
          <input type="text" value={typed ?? now} aria-label={text('setLabel', parameter.name)} spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)} />
          <button type="submit" disabled={typed === null}>{text('set')}</button>
        </form>
      </td>
    </tr>
  );
}

function byNode(all, filter) {
  const nodes = new Map();
  for (const each of [...all.values()].filter(({ name }) => name.includes(filter)).slice(0, MOST)) {
    const node = each.name.slice(0, each.name.indexOf('.'));
    nodes.set(node, [...(nodes.get(node) ?? []), each]);
  }
  return [...nodes].sort((a, b) => a[0].localeCompare(b[0]));
}

export function ParametersSection() {
  useParts(parameters, state);
  const text = useText();
  const [filter, setFilter] = useState('');
  useEffect(() => {
    if (state.value === 'connected') connection.readParameters();
  }, [state.value]);
  const nodes = byNode(parameters.value, filter);
  return (
    <section class="whole" aria-label={text('parameters')}>
      <div class="tools">
        <input type="search" value={filter} placeholder={text('filterParameters')} aria-label={text('filterParameters')}
          onInput={(event) => setFilter(event.currentTarget.value)} />
        <button type="button" onClick={() => connection.readParameters()}>{text('read')}</button>
      </div>
      {nodes.length === 0 && <p class="empty">{text('noParameters')}</p>}
      {nodes.map(([node, list]) => (
        <details key={node} class="node" open={nodes.length <= 3}>
          <summary>{node} <small>{list.length}</small></summary>
          <table aria-label={node}><tbody>{list.map((each) => <Parameter key={each.name} parameter={each} />)}</tbody></table>
        </details>
      ))}
    </section>
  );
}
