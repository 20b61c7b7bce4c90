// A process to be killed: writes users into the state folder it is given, and says on stdout which are acknowledged.
import { fileBackend } from '../../../src/state/file/file.ts';
import { application, put } from '../../support/state/fixtures.ts';

const [path = '', name = ''] = process.argv.slice(2);
let ids = 0;
const backend = fileBackend('file:DIR', path, {
  clock: {
    now: () => performance.now(),
    date: () => new Date(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  },
  owner: { user: 'ci', host: 'this-host', pid: process.pid },
  newId: () => `${process.pid}-${++ids}`,
});
const writer = await backend.open({ application, lockTimeoutMs: 0 });
process.stdout.write(`opened ${writer.size}\n`);
await Promise.all(
  Array.from({ length: 32 }, async (_, lane) => {
    for (let count = 0; ; count += 1) {
      const key = `${name}-${lane}-${count}`;
      await writer.done(key, put(key));
      process.stdout.write(`${key}\n`);
    }
  }),
);
