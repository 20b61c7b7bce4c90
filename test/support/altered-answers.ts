// Support: a server before an emulator, whose answers are changed in transit.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type JsonValue } from '../../src/lib/json.ts';

type Alteration = (answer: JsonValue, path: string, method: string) => JsonValue;

export const unaltered: Alteration = (answer) => answer;

/** `transit.change` may be replaced at any time. An answer that becomes an error gets the status `refusedAs`. */
export async function startAltering(url: string) {
  const transit = { change: unaltered, methods: new Set<string>(), refusedAs: 400 };
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    transit.methods.add(method);
    const passed = request(new URL(path, url), { method, headers });
    passed.on('response', async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      const { 'transfer-encoding': _chunked, 'content-length': _length, ...kept } = answer.headers;
      const original = JSON.parse(text) as JsonValue;
      const altered = transit.change(original, path, method);
      const isRefused = isObject(altered) && altered.error === true;
      const status = answer.statusCode ?? 500;
      outgoing.writeHead(isRefused && (status < 400 || altered !== original) ? transit.refusedAs : status, kept);
      outgoing.end(JSON.stringify(altered));
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { transit, url: url.replace(/:\d+/u, `:${port}`), close };
}
