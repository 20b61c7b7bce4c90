// A server before an emulator that answers some calls without passing them on: it ignores them, or refuses them.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/lib/json.ts';

/** What to answer in the platform's place; a text is the path of an object that is answered as if it had the fields of the call. Undefined: the call is passed on. */
export type Lie = (method: string, path: string, body: JsonObject) => JsonObject | string | undefined;

export async function startLying(url: string, lie: Lie) {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const bytes = Buffer.concat(await incoming.toArray());
    const isJson = headers['content-type']?.startsWith('application/json') === true && bytes.length > 0;
    const answer = lie(method, path, isJson ? (JSON.parse(bytes.toString()) as JsonObject) : {});
    if (typeof answer === 'object') {
      outgoing.writeHead(answer.error === true ? 400 : 200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify(answer));
      return;
    }
    const isRead = typeof answer === 'string';
    const { 'content-length': _length, 'content-type': _type, ...ofRead } = headers;
    const passed = isRead
      ? request(new URL(answer, url), { method: 'GET', headers: ofRead })
      : request(new URL(path, url), { method, headers });
    passed.on('response', async (answered) => {
      if (isRead) {
        const shown = JSON.parse(Buffer.concat(await answered.toArray()).toString()) as JsonObject;
        outgoing.writeHead(answered.statusCode ?? 500, { 'content-type': 'application/json' });
        outgoing.end(JSON.stringify({ ...shown, ...(JSON.parse(bytes.toString()) as JsonObject) }));
        return;
      }
      outgoing.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    passed.end(isRead ? undefined : bytes);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: url.replace(/:\d+/u, `:${port}`),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
