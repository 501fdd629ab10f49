// The messages of a topic in one of several ways, live or one of the last minute.
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { connection } from './connection.js';
import { clock } from './format.js';
import { Kept } from './kept.js';
import { Picture } from './picture.jsx';
import { Plot } from './plot.jsx';
import { Points } from './points.jsx';
import { useText } from './text.js';
import { Tree } from './tree.jsx';

const RATES = { tree: 5, picture: 15, points: 10 }; // a second, at most
const MOST_POINTS = 30000;

function bestOf(ways) {
  return ways.includes('picture') ? 'picture' : ways.includes('points') ? 'points' : 'tree';
}

/** What was kept of a topic's messages, and which of them is shown: null is the newest. */
function useMessages(topic, way) {
  const kept = useRef(new Kept());
  const objection = useRef('');
  const [place, setPlace] = useState(null);
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    kept.current = new Kept();
    objection.current = '';
    setPlace(null);
    const ratio = Math.min(devicePixelRatio, 2);
    const options = { as: way, rate: RATES[way], points: MOST_POINTS,
      width: Math.round(Math.min(innerWidth, 900) * ratio), height: Math.round(700 * ratio) };
    return connection.watch(topic, options, (message) => {
      objection.current = message.objection ?? '';
      if (!message.objection) {
        const gone = kept.current.add(message);
        setPlace((now) => (now === null ? null : Math.max(0, now - gone)));
      }
      redraw();
    });
  }, [topic, way]);
  const shown = kept.current.at(place ?? kept.current.length - 1);
  return { shown, kept: kept.current, place, setPlace, objection: objection.current };
}

function LookBack({ kept, place, setPlace, shown }) {
  const text = useText();
  const at = place ?? kept.length - 1;
  const where = text('ofMessages', clock(shown.time), at + 1, kept.length);
  return (
    <div class="look-back">
      <button type="button" aria-pressed={place === null} onClick={() => setPlace(place === null ? kept.length - 1 : null)}>
        {text('live')}
      </button>
      <input type="range" min={0} max={Math.max(0, kept.length - 1)} value={at} aria-label={text('lookBack')} aria-valuetext={where}
        onInput={(event) => {
          const to = Number(event.currentTarget.value);
          setPlace(to === kept.length - 1 ? null : to);
        }} />
      <output>{where}</output>
    </div>
  );
}

function Shown({ topic, way }) {
  const text = useText();
  const { shown, kept, place, setPlace, objection } = useMessages(topic, way);
  if (objection) return <p class="notice">{objection}</p>;
  if (!shown) return <p>{text('waiting')}</p>;
  return (
    <>
      {way === 'tree' && <Tree message={shown.message} />}
      {way === 'picture' && <Picture topic={topic} picture={shown} />}
      {way === 'points' && <Points topic={topic} points={shown} />}
      <LookBack {...{ kept, place, setPlace, shown }} />
      {shown.skipped > 0 && <p class="hint">{text('skipped', shown.skipped, RATES[way])}</p>}
    </>
  );
}

export function Messages({ topic, ways }) {
  const text = useText();
  const [way, setWay] = useState(bestOf(ways));
  const choices = ['off', ...ways.filter((each) => each === 'tree'), 'plot', ...ways.filter((each) => each !== 'tree')];
  return (
    <>
      <h3>{text('messages')}</h3>
      <fieldset class="choices">
        <legend>{text('showAs')}</legend>
        {choices.map((each) => (
          <label key={each}>
            <input type="radio" name="way" value={each} checked={each === way} onChange={() => setWay(each)} />
            <span>{text(each)}</span>
          </label>
        ))}
      </fieldset>
      {way === 'plot' && <Plot topic={topic} />}
      {way !== 'plot' && way !== 'off' && <Shown key={way} topic={topic} way={way} />}
    </>
  );
}
