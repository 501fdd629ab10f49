// One topic: how it fares, who is connected and how, its messages.
import { Chart } from './chart.jsx';
import { bytes, number } from './format.js';
import { Messages } from './messages.jsx';
import { detail, topics, useParts } from './store.js';
import { useText } from './text.js';
import { Timing } from './timing.jsx';

function Means({ connection }) {
  const text = useText();
  return <td class={`means ${connection.means}`}>{text(connection.means)}</td>;
}

function Qos({ end }) {
  const text = useText();
  const depth = end.depth === 0 ? text('keepAll') : text('keepLast', end.depth);
  return <td>{text(end.reliability)}, {depth}{end.latched && `, ${text('latched')}`}</td>;
}

function Table({ label, heads, children }) {
  const text = useText();
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead><tr>{heads.map((head) => <th key={head} scope="col">{text(head)}</th>)}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Publishers({ all }) {
  const text = useText();
  if (all.length === 0) return null;
  return (
    <>
      <h3>{text('publishers')}</h3>
      <Table label={text('publishers')} heads={['node', 'published', 'copied', 'memory', 'qos']}>
        {all.map((each) => (
          <tr key={`${each.node} ${each.pid}`}>
            <th scope="row">{each.node} <small>{each.pid}</small></th>
            <td class="number">{number(each.published)}</td>
            <td class={`number ${each.copied > 0 ? 'warn' : ''}`}>{number(each.copied)}</td>
            <td class="number">{each.blocks[0]} / {each.blocks[1]}</td>
            <Qos end={each} />
          </tr>
        ))}
      </Table>
    </>
  );
}

function Connections({ all }) {
  const text = useText();
  if (all.length === 0) return <p>{text('noConnections')}</p>;
  return (
    <Table label={text('connections')} heads={['from', 'to', 'means', 'why', 'backlog', 'held', 'copied', 'lost', 'qos']}>
      {all.map((each, place) => (
        <tr key={place}>
          <td>{each.from}</td>
          <td>{each.to} <small>{each.pid}</small></td>
          <Means connection={each} />
          <td class="why">{each.why}</td>
          <td class="number">{each.backlog} / {each.depth}</td>
          <td class="number">{each.held} / {each.quota}</td>
          <td class={`number ${each.copied > 0 ? 'warn' : ''}`}>{number(each.copied)}</td>
          <td class={`number ${each.lost > 0 ? 'bad' : ''}`}>{number(each.lost)}</td>
          <Qos end={each} />
        </tr>
      ))}
    </Table>
  );
}

function LastMinute({ history }) {
  const text = useText();
  if (!history) return null;
  const seconds = history.messages.map((_, place) => place - history.messages.length + 1);
  return (
    <div class="charts">
      <Chart label={text('messagesPerSecond')} x={seconds} lines={[{ values: history.messages }]} show={number} height={110} />
      <Chart label={text('bytesPerSecond')} x={seconds} lines={[{ values: history.bytes }]} show={bytes} height={110} />
      <Chart label={text('lostPerSecond')} x={seconds} lines={[{ values: history.lost }]} show={number} height={110} />
    </div>
  );
}

export function TopicDetail({ topic }) {
  useParts(topics, detail);
  const text = useText();
  const row = topics.byName(topic);
  const now = detail.value && row && detail.value.channel === row.id ? detail.value : null;
  return (
    <>
      <p class="back"><a href="#topics">← {text('back')}</a></p>
      <h2><bdi>{topic}</bdi></h2>
      {!row && <p role="status">{text('gone')}</p>}
      {row && <p class="type">{row.type}</p>}
      {row && row.objection && <p class="notice">{row.objection}</p>}
      {row && row.ways.length > 0 && <Messages topic={topic} ways={row.ways} />}
      {now && now.timing && <Timing timing={now.timing} />}
      {now && now.history && <h3>{text('lastMinute')}</h3>}
      {now && <LastMinute history={now.history} />}
      <h3>{text('connections')}</h3>
      {now && now.isUnknown && <p>{text('unknownConnections')}</p>}
      {now && !now.isUnknown && <Connections all={now.connections} />}
      {now && <Publishers all={now.publishers} />}
    </>
  );
}
