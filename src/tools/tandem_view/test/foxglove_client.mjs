// Foxglove's own client library, driven by JSON lines: {"do": method, ...} on the input, what happens on the output.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const load = createRequire(`${process.env.NODE_MODULES}/`);
const { FoxgloveClient } = load('@foxglove/ws-protocol');
const WebSocket = load('ws');

const text = (view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64');
const tell = (event, value) => process.stdout.write(`${JSON.stringify({ event, value }, (_, each) => {
  if (typeof each === 'bigint') return Number(each);
  return ArrayBuffer.isView(each) ? text(each) : each;
})}\n`);

const client = new FoxgloveClient({ ws: new WebSocket(process.argv[2], [process.argv[3]]) });
for (const event of ['open', 'serverInfo', 'status', 'message', 'advertise', 'unadvertise', 'advertiseServices',
  'unadvertiseServices', 'parameterValues', 'serviceCallResponse', 'serviceCallFailure', 'connectionGraphUpdate',
  'fetchAssetResponse']) {
  client.on(event, (value) => tell(event, value));
}
client.on('error', (error) => tell('error', String(error)));
client.on('close', () => tell('close', null));

const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'));
const methods = {
  subscribe: ({ channel }) => client.subscribe(channel),
  unsubscribe: ({ id }) => client.unsubscribe(id),
  advertise: ({ channel }) => client.advertise(channel),
  publish: ({ id, data }) => client.sendMessage(id, bytes(data)),
  call: ({ service, call, encoding, data }) => {
    const payload = bytes(data);
    client.sendServiceCallRequest({ serviceId: service, callId: call, encoding, data: new DataView(payload.buffer) });
  },
  getParameters: ({ names, id }) => client.getParameters(names, id),
  setParameters: ({ parameters, id }) => client.setParameters(parameters, id),
  subscribeParameters: ({ names }) => client.subscribeParameterUpdates(names),
  subscribeGraph: () => client.subscribeConnectionGraph(),
  fetchAsset: ({ uri, id }) => client.fetchAsset(uri, id),
};
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const request = JSON.parse(line);
    tell('returned', methods[request.do](request) ?? null);
  })
  .on('close', () => process.exit(0));
