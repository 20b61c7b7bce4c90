// Tests that the copy of an application ends as its guide says when its commands are killed, between them and during them.
import { cp, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copyManifests } from '../support/folders.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const guide = join(import.meta.dirname, '../../examples/operations/copy-an-application');
const source = ['--base-url', 'emulator:.chatform/first'];
const toFirst = ['apply', 'first', '--auto-approve', '--state', 'file:.chatform/state-first'];
const toSecond = ['apply', 'second', '--auto-approve', '--state', 'file:.chatform/state-second'];
const copied = ['export', '--out-dir', 'export', '--messages', '--reactions', '--without-state', ...source];

test('both copies arrive whole, although each export and each apply is killed', async () => {
  const cwd = await temporaryFolder();
  await copyManifests(guide, cwd);
  const run = async (args: readonly string[]): Promise<string> => {
    const ended = await spawnCli(args, { cwd }).ended;
    expect(ended, `${args.join(' ')}: ${ended.stdout}${ended.stderr}`).toMatchObject({ exit: 0 });
    return ended.stdout;
  };
  const ends: number[] = [];
  /** Kills the command once it has said that it begins, a little later, and runs it again. */
  const runKilled = async (args: readonly string[], begins: RegExp, laterMs: number): Promise<string> => {
    const child = spawnCli(args, { cwd });
    await child.wrote(begins);
    await sleep(laterMs);
    child.kill('SIGKILL');
    ends.push((await child.ended).exit);
    return await run(args);
  };
  await run(toFirst);
  await runKilled(copied, /Sending \d+ requests/u, 0);
  await runKilled(toSecond, /Applying \d+ steps/u, 150);
  expect(await run(['verify', 'second', '--all'])).toContain('1 of 1 channel matched: 4 declared messages');

  await cp(join(guide, 'later/support-1.ndjson'), join(cwd, 'first/history/support-1.ndjson'));
  await run(toFirst);
  await rename(join(cwd, 'export'), join(cwd, 'monday'));
  await runKilled([...copied, '--since', 'monday', '--overlap', '24h'], /Sending at most \d+ requests/u, 0);
  await runKilled(toSecond, /Applying \d+ steps/u, 100);
  expect(await run(['verify', 'second', '--all'])).toContain('1 of 1 channel matched: 4 declared messages');
  // On a busy machine, a command may end before it is killed.
  expect(ends.filter((exit) => exit === -1).length).toBeGreaterThan(1);
  const again = [...copied.with(2, 'again'), '--base-url', 'emulator:.chatform/second'];
  await run(again);
  expect(await readFile(join(cwd, 'again/history/support-1.ndjson'), 'utf8')).toBe(
    await readFile(join(cwd, 'export/history/support-1.ndjson'), 'utf8'),
  );
});
