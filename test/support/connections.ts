// Support: a listener that counts connections and never responds.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CountingListener {
  readonly port: number;
  readonly connections: number;
}

/** Closes when the test ends. First proves that it counts. */
export async function countConnections(): Promise<CountingListener> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.destroy();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const probe = connect(port, '0.0.0.0').on('error', () => {});
  await once(probe, 'close');
  if (connections !== 1) throw new Error('the listener does not count');
  connections = 0;
  return {
    port,
    get connections() {
      return connections;
    },
  };
}
