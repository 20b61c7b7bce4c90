// Support: a free port that the system does not assign to others in the meantime.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The first ephemeral port. The system assigns ports from here on to the thousands of connections of the tests. */
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
