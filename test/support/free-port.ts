// Support: a port of this machine that nobody has, and that nobody else is given meanwhile.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The system gives connections, and listeners that ask for any port, one from here on. Tests make thousands of both. */
const givenFrom = 32_768;
const least = 20_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(least, givenFrom);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
