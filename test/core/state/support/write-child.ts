// A process to be paused or killed: writes users into the given state and prints which entries are acknowledged.
import { application, put } from '../../../support/state/fixtures.ts';
import { backendAt } from './backend-at.ts';

const [spec = '', name = '', lease = ''] = process.argv.slice(2);
const leaseMs = Number(lease);
const owner = { user: 'ci', host: 'this-host', pid: process.pid };
const terms = { leaseMs, heartbeatMs: leaseMs / 4, retryMs: 50 };
const writer = await backendAt(spec, { owner, terms }, process.env).open({ application, lockTimeoutMs: 0 });
process.stdout.write(`opened ${writer.size}\n`);
try {
  await Promise.all(
    Array.from({ length: 8 }, async (_, lane) => {
      for (let count = 0; ; count += 1) {
        const key = `${name}-${lane}-${count}`;
        await writer.done(key, put(key));
        process.stdout.write(`${key}\n`);
      }
    }),
  );
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  process.stdout.write(`ended ${code}, ${writer.leaseLeft()} ms left\n`);
}
await writer.close();
