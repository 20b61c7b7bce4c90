// Tests that no run in CI keeps its state only in a folder that is discarded with the checkout.
import { expect, test } from 'vitest';
import { deskElsewhere, reaching } from '../../support/desk.ts';
import { contentOf } from '../../support/folders.ts';
import { startPlatform } from '../../support/platform.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function inCi() {
  const sent: string[] = [];
  const running = await startPlatform({ rateLimits: false, log: (line) => sent.push(line) });
  const cwd = await temporaryFolder(deskElsewhere);
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = { CI: 'true' }) =>
    runCli(args, { cwd, env: { ...reaching(running), ...env } });
  return { cwd, running, sent, run };
}

test.for([
  { args: ['apply', '--auto-approve'] },
  { args: ['apply', '--auto-approve', '--refresh'] },
  { args: ['destroy', '--confirm', 'IDENTITY'] },
  { args: ['adopt', 'user.alice'] },
  { args: ['state', 'rebuild'] },
  { args: ['export', '--out', 'exported'] },
])('refuses a state that would be thrown away, and sends nothing: $args', async ({ args }) => {
  const { cwd, running, sent, run } = await inCi();
  const before = await contentOf(cwd);
  const identity = new URL(running.url);
  const words = args.map((word) => word.replace('IDENTITY', `${identity.host}${identity.pathname}`));
  await expectEnd(run(words), 64, '--state (CHATFORM_STATE)');
  expect(sent).toEqual([]);
  expect(await contentOf(cwd)).toEqual(before);
});

test('accepts a state that is named or contains objects', async () => {
  const { run } = await inCi();
  expect((await run(['plan'])).exit).toBe(0);
  await succeeded(run(['apply', '--auto-approve', '--state', 'file:.chatform/state']));
  expect((await run(['apply', '--auto-approve'])).exit).toBe(0);
});

test('begins the default state outside CI', async () => {
  const { run } = await inCi();
  await succeeded(run(['apply', '--auto-approve'], { CI: 'false' }));
});
