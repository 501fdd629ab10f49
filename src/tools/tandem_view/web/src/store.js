// What the server has told, and who wants to know when it changes.
import { useEffect, useReducer } from 'preact/hooks';

class Part {
  #listeners = new Set();

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed() {
    for (const listener of this.#listeners) listener();
  }
}

const KEYS = ['id', 'topic', 'type', 'publishers', 'subscriptions', 'rate', 'bytes', 'areBytesAll', 'lost', 'lostRate',
  'copied', 'means', 'ways', 'objection'];

/** The table of topics. */
class Topics extends Part {
  rows = new Map();
  nodes = 0;
  version = 0;

  update(message) {
    for (const row of message.changed) {
      this.rows.set(row[0], Object.fromEntries(KEYS.map((key, place) => [key, row[place]])));
    }
    for (const id of message.removed) this.rows.delete(id);
    if (message.changed.length + message.removed.length === 0 && this.nodes === message.nodes) return;
    this.nodes = message.nodes;
    this.version += 1;
    this.changed();
  }

  byName(name) {
    for (const row of this.rows.values()) if (row.topic === name) return row;
    return undefined;
  }

  clear() {
    this.rows.clear();
    this.version += 1;
    this.changed();
  }
}

/** One value. */
class Cell extends Part {
  constructor(value) {
    super();
    this.value = value;
  }

  set(value) {
    this.value = value;
    this.changed();
  }
}

const MOST_NOTICES = 20;

/** Messages for people, the newest last. Those with an id replace each other. */
class Notices extends Part {
  all = [];
  #next = 1;

  add(text, level, id) {
    this.all = this.all.filter((each) => (id ? each.id !== id : each.text !== text));
    this.all.push({ key: this.#next++, text, level, id });
    this.all = this.all.slice(-MOST_NOTICES);
    this.changed();
  }

  remove(key) {
    this.all = this.all.filter((each) => each.key !== key);
    this.changed();
  }
}

export const topics = new Topics();
export const detail = new Cell(null);
export const graph = new Cell(null);
export const state = new Cell('connecting');
export const parameters = new Cell(new Map());
export const notices = new Notices();

/** Draws the component again whenever one of the parts changes. */
export function useParts(...parts) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    const ends = parts.map((part) => part.listen(redraw));
    redraw(); // what changed before this ran
    return () => ends.forEach((end) => end());
  }, []);
}
