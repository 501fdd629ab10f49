// What the page keeps over a day in short: ten messages a second for an hour, of a megabyte and of a hundred bytes.
import { Kept } from '../web/src/kept.js';

const kept = new Kept();
const fail = (why) => {
  console.error(why);
  process.exit(1);
};
for (const bytes of [1e6, 100]) {
  for (let time = 0; time < 3600000; time += 100) {
    kept.add({ time, bytes });
    let sum = 0;
    for (let place = 0; place < kept.length; ++place) sum += kept.at(place).bytes;
    if (kept.length > 900 || sum > 65e6) fail(`${kept.length} messages of ${sum} bytes are kept`);
    if (kept.at(kept.length - 1).time !== time) fail('the newest is not kept');
  }
  if (bytes === 100 && kept.at(0).time !== 3599900 - 60000) fail(`the oldest is of ${kept.at(0).time}`);
}
kept.add({ time: 7e6, bytes: 1e9 });
if (kept.length !== 1) fail('one that is too large is kept alone');
