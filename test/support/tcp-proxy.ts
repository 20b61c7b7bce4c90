// Support: a proxy on loopback that can cut, stall or truncate connections.
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Closes every connection at once, as a firewall does. */
  cut(): void;
  /** Refuses new connections until `open` is called. */
  refuse(): void;
  open(): void;
  /** The next matching bytes from the client reach the server, but the connection is closed before the response. */
  loseAnswerTo(matches: (bytes: Buffer) => boolean): void;
  close(): Promise<void>;
}

export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  let loses: ((bytes: Buffer) => boolean) | undefined;
  const server = createServer((client) => {
    if (!isOpen) {
      client.resetAndDestroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    let isLosing = false;
    const end = () => {
      client.destroy();
      target.destroy();
      sockets.delete(client);
    };
    sockets.add(client);
    client.on('data', (bytes) => {
      if (loses?.(bytes) === true) {
        loses = undefined;
        isLosing = true;
      }
      target.write(bytes);
    });
    target.on('data', (bytes) => {
      if (isLosing) end();
      else client.write(bytes);
    });
    for (const socket of [client, target]) {
      socket.on('error', end);
      socket.on('close', end);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address === null || typeof address === 'string' ? 0 : address.port,
    cut,
    refuse: () => {
      isOpen = false;
    },
    open: () => {
      isOpen = true;
    },
    loseAnswerTo: (matches) => {
      loses = matches;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
