// The messages of the last minute, as many as fit in a bound of memory.
const MINUTE = 60000; // ms
const MOST_BYTES = 64e6;
const MOST = 900;

export class Kept {
  #entries = [];
  #bytes = 0;

  add(entry) {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    const oldest = entry.time - MINUTE;
    let gone = 0;
    while (gone < this.#entries.length - 1 &&
      (this.#entries[gone].time < oldest || this.#bytes > MOST_BYTES || this.#entries.length - gone > MOST)) {
      this.#bytes -= this.#entries[gone].bytes;
      gone += 1;
    }
    if (gone > 0) this.#entries.splice(0, gone);
    return gone;
  }

  get length() {
    return this.#entries.length;
  }

  at(place) {
    return this.#entries[place];
  }
}
