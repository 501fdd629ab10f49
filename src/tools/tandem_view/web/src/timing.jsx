// Histograms of times: between messages, from stamp to publish, from publish to here.
import { duration, number } from './format.js';
import { useText } from './text.js';

const BUCKETS_OF_TEN = 10;

/** The upper end of a bucket in seconds. */
const end = (bucket) => 1e-6 * 10 ** ((bucket + 1) / BUCKETS_OF_TEN);

function quantile(counts, total, part) {
  let sum = 0;
  for (let bucket = 0; bucket < counts.length; ++bucket) {
    sum += counts[bucket];
    if (sum >= part * total) return duration(end(bucket));
  }
  return duration(end(counts.length - 1));
}

function Histogram({ label, counts }) {
  const text = useText();
  const total = counts.reduce((sum, count) => sum + count, 0);
  const first = Math.max(0, counts.findIndex((count) => count > 0) - 1);
  const last = Math.min(counts.length - 1, counts.findLastIndex((count) => count > 0) + 1);
  const shown = counts.slice(first, last + 1);
  const most = Math.max(...shown, 1);
  const summary = total === 0 ? text('noTimes')
    : text('median', quantile(counts, total, 0.5), quantile(counts, total, 0.99), number(total));
  return (
    <figure class="histogram">
      <figcaption>{label}</figcaption>
      {total > 0 && (
        <svg role="img" aria-label={`${label}: ${summary}`} viewBox={`0 0 ${shown.length * 10} 50`} preserveAspectRatio="none">
          {shown.map((count, place) => (
            <rect key={place} x={place * 10 + 0.5} width="9" y={50 - 50 * count / most} height={50 * count / most}>
              <title>{`≤ ${duration(end(first + place))}: ${count}`}</title>
            </rect>
          ))}
        </svg>
      )}
      {total > 0 && <p class="ends"><span>{duration(end(first - 1))}</span><span>{duration(end(last))}</span></p>}
      <p>{summary}</p>
    </figure>
  );
}

export function Timing({ timing }) {
  const text = useText();
  return (
    <>
      <h3>{text('timing')}</h3>
      <div class="histograms">
        {['interval', 'age', 'delivery'].map((each) => <Histogram key={each} label={text(each)} counts={timing[each]} />)}
      </div>
      <p class="hint">{text('timingHint')}</p>
    </>
  );
}
