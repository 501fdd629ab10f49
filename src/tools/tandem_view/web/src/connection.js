// The WebSocket to `tandem view`: the Foxglove protocol and tandem.* of this page. Connects again when it was cut.
import { detail, graph, notices, parameters, state, topics } from './store.js';

const RETRY = 1000; // ms
const PICTURE = 0x80;
const COMPRESSED = 0x81;
const POINTS = 0x82;

class Connection {
  #socket = null;
  #watches = new Map(); // by number: what was asked for, and who gets it
  #next = 1;
  #chosen = null;
  #filter = null;

  open() {
    const address = location.href.replace(/^http/, 'ws').replace(/[?#].*$/, '');
    state.set('connecting');
    const socket = new WebSocket(address, ['tandem.view.v1']);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => {
      state.set('disconnected');
      this.#socket = null;
      setTimeout(() => this.open(), RETRY);
    };
    socket.onopen = () => {
      this.#socket = socket;
      topics.clear();
      this.#chosen = null;
      state.set('connected');
      // Numbers of topics are the server's: what was watched is asked for by name once they are known.
      for (const watch of this.#watches.values()) watch.isAsked = false;
      this.#send({ op: 'subscribeParameterUpdates', parameterNames: [] });
      if (this.#filter !== null) this.showGraph(this.#filter);
    };
  }

  #send(message) {
    if (this.#socket) this.#socket.send(JSON.stringify(message));
  }

  #receive(data) {
    if (data instanceof ArrayBuffer) {
      this.#receiveBinary(new DataView(data));
      return;
    }
    const message = JSON.parse(data);
    switch (message.op) {
      case 'tandem.topics':
        topics.update(message);
        this.#askAgain();
        break;
      case 'tandem.topic': detail.set(message); break;
      case 'tandem.graph': graph.set(message); break;
      case 'tandem.message': this.#hand(message.id, { ...message, bytes: data.length }, true); break;
      case 'tandem.numbers': this.#hand(message.id, message, false); break;
      case 'tandem.objection': this.#hand(message.id, { objection: message.message }, false); break;
      case 'status': notices.add(message.message, message.level, message.id); break;
      case 'parameterValues': this.#receiveParameters(message); break;
      default: break; // of the protocol, and not needed here
    }
  }

  #receiveParameters(message) {
    const known = message.id === 'all' ? new Map() : new Map(parameters.value);
    for (const each of message.parameters) {
      if (each.value === undefined) known.delete(each.name);
      else known.set(each.name, each);
    }
    parameters.set(known);
  }

  #receiveBinary(view) {
    const opcode = view.getUint8(0);
    const id = view.getUint32(1, true);
    const message = {
      time: Number(view.getBigUint64(5, true)) / 1e6,
      skipped: view.getUint32(13, true),
      bytes: view.byteLength,
    };
    if (opcode === PICTURE) {
      message.width = view.getUint32(17, true);
      message.height = view.getUint32(21, true);
      message.ofWidth = view.getUint32(25, true);
      message.ofHeight = view.getUint32(29, true);
      message.pixels = new Uint8ClampedArray(view.buffer, 33);
    } else if (opcode === COMPRESSED) {
      message.compressed = new Uint8Array(view.buffer, 21 + view.getUint32(17, true));
    } else if (opcode === POINTS) {
      message.count = view.getUint32(17, true);
      message.total = view.getUint32(21, true);
      message.areColoured = view.getUint32(25, true) !== 0;
      message.values = view.buffer.slice(29);
    }
    this.#hand(id, message, true);
  }

  #hand(id, message, isAcknowledged) {
    const watch = this.#watches.get(id);
    if (!watch) return;
    watch.use(message);
    // Told when the browser has had time to draw: what comes faster than that is left out by the server.
    if (isAcknowledged) requestAnimationFrame(() => this.#send({ op: 'tandem.shown', id }));
  }

  #ask(id, watch) {
    const row = topics.byName(watch.topic);
    if (row && this.#socket) {
      watch.isAsked = true;
      this.#send({ ...watch.options, op: 'tandem.watch', id, channel: row.id });
    }
  }

  #askAgain() {
    for (const [id, watch] of this.#watches) if (!watch.isAsked) this.#ask(id, watch);
    if (this.#chosen === null) this.choose(this.chosenTopic);
  }

  /** Hands messages of a topic to `use`, until the function that it returns is called. */
  watch(topic, options, use) {
    const id = this.#next++;
    const watch = { topic, options, use, isAsked: false };
    this.#watches.set(id, watch);
    this.#ask(id, watch);
    return () => {
      this.#watches.delete(id);
      this.#send({ op: 'tandem.unwatch', id });
    };
  }

  /** Details of a topic, or of none. */
  choose(topic) {
    this.chosenTopic = topic;
    const row = topic ? topics.byName(topic) : undefined;
    const id = row ? row.id : 0;
    if (id === this.#chosen) return;
    this.#chosen = topic && !row ? null : id;
    detail.set(null);
    this.#send({ op: 'tandem.choose', channel: id });
  }

  /** The graph of what has this text in its name; null: none. */
  showGraph(filter) {
    this.#filter = filter;
    if (filter === null) graph.set(null);
    this.#send({ op: 'tandem.showGraph', filter });
  }

  readParameters() {
    this.#send({ op: 'getParameters', parameterNames: [], id: 'all' });
  }

  setParameter(name, value, type) {
    this.#send({ op: 'setParameters', parameters: [{ name, value, type }], id: 'set' });
  }
}

export const connection = new Connection();
