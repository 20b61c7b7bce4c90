// Tests that no command ends with a bug, whatever a platform responds, and that later runs succeed after correct responses.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/server.ts';
import type { JsonValue } from '../../src/lib/json.ts';
import { reaching } from '../support/desk.ts';
import { makeFolder, removeFolder } from '../support/folders.ts';
import { type Damage, damage } from '../support/odd-values.ts';
import { Place } from '../support/place.ts';
import { estate } from '../support/planning/arbitrary-estates.ts';
import { manifestOf } from '../support/planning/manifest-of.ts';
import { expectEnd, fastClock } from '../support/run-cli.ts';
import { inSuite } from '../support/suite.ts';

const right: Damage = (value) => value;

/** A platform's server whose responses are changed in transit. */
async function startLiar(url: string) {
  const liar = { change: right };
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const asked = request(new URL(path ?? '/', url), { ...(method === undefined ? {} : { method }), headers });
    asked.on('response', async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      const { 'transfer-encoding': _chunked, 'content-length': _length, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, kept);
      outgoing.end(JSON.stringify(liar.change(JSON.parse(text) as JsonValue)));
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { liar, port, close };
}

const policy = {
  existing: 'adopt',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  removals: { max_share: 1, min_count: 1000 },
};

const commands: readonly (readonly string[])[] = [
  ['plan', 'm.yaml', '--refresh'],
  ['drift', 'm.yaml'],
  ['export', '--out', 'estate', '--read-each', '--hidden-status', '--messages', '--state', 'file:own'],
  ['verify', 'm.yaml', '--all'],
  ['validate', 'm.yaml', '--online'],
  ['state', 'rebuild', 'm.yaml', '--state', 'file:other'],
  ['adopt', 'm.yaml', '--state', 'file:third'],
  ['apply', 'm.yaml', '--auto-approve', '--refresh', '--tokens-out', 'tokens-of-lies'],
  ['apply', 'm.yaml', '--auto-approve', '--tokens-out', 'more-tokens'],
];

test('ends no command with a bug, whatever a platform responds', async () => {
  const damages = fc.oneof(damage(300), damage(40), damage(10));
  await fc.assert(
    fc.asyncProperty(estate, damages, async (resources, change) => {
      const running = await startEmulator({ rateLimits: false });
      const { liar, port, close } = await startLiar(running.url);
      const at = new Place(await makeFolder());
      const env = reaching({ url: running.url.replace(/:\d+/u, `:${port}`), token: running.token });
      const run = (...args: readonly string[]) => at.with({ env, clock: fastClock(5) }).run(args);
      try {
        await at.write({ 'm.yaml': manifestOf(resources, policy) });
        expect(await run('apply', 'm.yaml', '--auto-approve', '--tokens-out', 'tokens')).toMatchObject({ exit: 0 });
        liar.change = change;
        for (const args of commands) {
          const { stdout, stderr } = await run(...args);
          expect(`${stdout}${stderr}`).not.toMatch(/This is a bug|undefined|\[object /u);
        }
        liar.change = right;
        await run('apply', 'm.yaml', '--auto-approve', '--refresh', '--tokens-out', 'last-tokens');
        await expectEnd(run('plan', 'm.yaml', '--refresh', '--detailed-exitcode'), 0);
      } finally {
        close();
        await running.close();
        await removeFolder(at.cwd);
      }
    }),
    { numRuns: inSuite(3, 20), endOnFailure: true },
  );
});
