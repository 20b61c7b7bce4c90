// A tiny server with a rate limit, in a process of its own. Calls arrive after 10 to 10 + JITTER ms, are counted, and are
// answered 10 ms later. Arguments: way of counting, calls a second, jitter in milliseconds. Prints its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openWindow, type WindowName } from '../support/simulated-server.ts';

const [window = 'sliding', calls = '100', jitter = '150'] = process.argv.slice(2);
const admit = openWindow(window as WindowName, Number(calls), 1000, 0);
const onePassageMs = 10;

const server = createServer((request, response) => {
  request.resume();
  setTimeout(
    () => {
      const { admitted, remaining, resetMs, retryMs } = admit(performance.now());
      const seconds = (ms: number) => (Math.ceil(ms) / 1000).toFixed(3);
      const headers = {
        'content-type': 'application/json',
        'x-ratelimit-limit': `${calls};w=1`,
        'x-ratelimit-remaining': `${admitted ? remaining : 0}`,
        'x-ratelimit-reset': seconds(resetMs),
        'x-ratelimit-retryafter': admitted && remaining > 0 ? '0' : seconds(retryMs),
      };
      setTimeout(() => response.writeHead(admitted ? 200 : 429, headers).end('{}'), onePassageMs);
    },
    onePassageMs + Math.random() * Number(jitter),
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
