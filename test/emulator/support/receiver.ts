// Support: the server of an application, which takes webhooks and calls to bots.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Parsed } from './support.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Parsed;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The status of each answer. `never`: no answer. */
  status: number | 'never';
}

/** Closes when the test ends. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) });
    if (receiver.status === 'never') return;
    response.writeHead(receiver.status, receiver.status === 302 ? { location: '/elsewhere' } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}`, received, status: 200 };
  return receiver;
}
