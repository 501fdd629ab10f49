// Numbers of a topic over the last minute, each message of it.
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { Chart, COLOURS } from './chart.jsx';
import { connection } from './connection.js';
import { number } from './format.js';
import { useText } from './text.js';
import { numbersOf } from './tree.jsx';

const MINUTE = 60000; // ms
const MOST = 30000; // values of each line
const DRAW = 100; // ms between two drawings

/** The fields that a message has, from the first that comes; and the first of them that is another in a later message. */
function useFields(topic) {
  const [found, setFound] = useState({ fields: null, first: null });
  useEffect(() => {
    let before = null;
    return connection.watch(topic, { as: 'tree', rate: 2 }, (message) => {
      if (!message.message) return;
      const numbers = numbersOf(message.message);
      const fields = [...numbers.keys()];
      const other = before && fields.find((field) => numbers.get(field) !== before.get(field));
      before ??= numbers;
      setFound((known) => ({ fields: known.fields ?? fields, first: known.first ?? other }));
    });
  }, [topic]);
  return found;
}

function useNumbers(topic, fields) {
  const lines = useRef({ times: [], values: [] });
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    lines.current = { times: [], values: fields.map(() => []) };
    if (fields.length === 0) return undefined;
    let timer = null;
    const end = connection.watch(topic, { as: 'numbers', fields }, (message) => {
      if (!message.times) return;
      const { times, values } = lines.current;
      times.push(...message.times);
      message.values.forEach((each, place) => values[place].push(...each));
      const oldest = times[times.length - 1] - MINUTE;
      let gone = Math.max(0, times.length - MOST);
      while (gone < times.length && times[gone] < oldest) gone += 1;
      if (gone > 0) [times, ...values].forEach((each) => each.splice(0, gone));
      timer ??= setTimeout(() => {
        timer = null;
        redraw();
      }, DRAW);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [topic, fields.join()]);
  return lines.current;
}

export function Plot({ topic }) {
  const text = useText();
  const { fields: known, first } = useFields(topic);
  const [chosen, setChosen] = useState(null);
  const fields = chosen ?? (first ? [first] : (known ?? []).slice(0, 1));
  const { times, values } = useNumbers(topic, fields);
  if (known === null) return <p>{text('waiting')}</p>;
  if (known.length === 0) return <p>{text('noNumbers')}</p>;
  const last = times[times.length - 1];
  const lines = fields.map((label, place) => ({ label, values: values[place] ?? [] }));
  const toggle = (field) => setChosen((now) => {
    const before = now ?? fields;
    return before.includes(field) ? before.filter((each) => each !== field) : [...before, field].slice(-COLOURS.length);
  });
  return (
    <>
      <Chart key={fields.join()} label={text('plot')} x={times.map((time) => (time - last) / 1000)} lines={lines} show={number} height={260} />
      <fieldset class="fields">
        <legend>{text('fields')}</legend>
        {known.map((field) => {
          const line = fields.indexOf(field);
          return (
            <label key={field} class={line >= 0 ? `line-${line % COLOURS.length + 1}` : ''}>
              <input type="checkbox" checked={line >= 0} onChange={() => toggle(field)} />
              <span>{field}</span>
              {line >= 0 && <output>{number(lines[line].values[lines[line].values.length - 1] ?? null)}</output>}
            </label>
          );
        })}
      </fieldset>
    </>
  );
}
