// Tests that kill -9 at any moment leaves the folder in its old state, in its new state, or refused until it is complete.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { program } from '../../support/program.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { expectRefused } from './support/series.ts';
import { ann, type Files, room, said, slackFiles } from './support/small-exports.ts';

const project = join(import.meta.dirname, '../../..');
const rooms = 40;

/** An export whose conversion takes a few hundred milliseconds. Every message contains `word`. */
function exportOf(word: string): Files {
  const ids = Array.from({ length: rooms }, (_none, number) => `C${String(number).padStart(6, '0')}`);
  const messages = Array.from({ length: 200 }, (_none, number) => ({
    ...said,
    ts: `${1_714_982_400 + number}.000100`,
    text: `${word} ${number}`,
  }));
  return slackFiles({
    users: [{ ...ann, name: word }],
    channels: ids.map((id) => ({ ...room, id, name: id.toLowerCase() })),
    'room/2023-11-14': [],
    ...Object.fromEntries(ids.map((id) => [`${id.toLowerCase()}/2024-05-06`, messages])),
  });
}

/** The generated files. */
async function generatedIn(folder: string): Promise<string> {
  const found = Object.entries(await contentOf(folder)).filter(
    ([name, text]) =>
      text !== 'folder' &&
      !/decisions\.yaml|\.staged|\.chatform-lock|application|mine|generated\.json|series\.ndjson/u.test(name),
  );
  return JSON.stringify(found.sort());
}

/** Kills a conversion once `isTime` holds, or `afterMs` after its start. */
async function killed(cwd: string, exported: string, afterMs: number, isTime = () => false): Promise<void> {
  const args = ['convert', 'slack', join(cwd, exported), '--out-dir', join(cwd, 'chat')];
  const child = spawn(process.execPath, [program, ...args], { cwd: project, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const end = performance.now() + afterMs;
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && performance.now() < end && !isTime()) await sleep(1);
  child.kill('SIGKILL');
  await ended;
}

test('leaves the old folder, the new one, or one that is refused until the next conversion', async () => {
  const cwd = await temporaryFolder();
  await writeFiles(join(cwd, 'old'), exportOf('old'));
  await writeFiles(join(cwd, 'new'), exportOf('new'));
  const convert = (name: string, out = 'chat') => runCli(['convert', 'slack', name, '--out-dir', out], { cwd });
  expect((await convert('new', 'other')).exit).toBe(0);
  expect((await convert('old')).exit).toBe(0);
  await writeFile(join(cwd, 'chat/mine.txt'), 'mine');
  const whole = { old: await generatedIn(join(cwd, 'chat')), new: await generatedIn(join(cwd, 'other')) };
  // Over an earlier conversion, which takes longer than into an empty folder.
  const started = performance.now();
  await killed(cwd, 'new', Number.POSITIVE_INFINITY);
  const wholeMs = performance.now() - started;
  const isCommitting = () => existsSync(join(cwd, 'chat/conversion/.commit.json'));
  const seen = { before: 0, after: 0, refused: 0 };
  let [before, after] = ['new', 'old'] as ['new' | 'old', 'new' | 'old'];
  for (let round = 0; round < 12; round++) {
    // Half of the rounds end with the commit, however long a busy machine takes for it.
    if (round % 4 < 2) await killed(cwd, after, Number.POSITIVE_INFINITY, isCommitting);
    else await killed(cwd, after, wholeMs * (0.1 + 0.13 * round));
    const found = await generatedIn(join(cwd, 'chat'));
    if (isCommitting()) {
      await expectEnd(runCli(['validate', 'chat'], { cwd }), 65, 'convert.unfinished');
      seen.refused++;
    } else {
      expect([whole.old, whole.new]).toContain(found);
      seen[found === whole[before] ? 'before' : 'after']++;
    }
    expect((await convert(after)).exit).toBe(0);
    expect(await generatedIn(join(cwd, 'chat'))).toBe(whole[after]);
    expect((await contentOf(join(cwd, 'chat')))['mine.txt']).toBe('mine');
    // The next round goes back, over the files of this one.
    [before, after] = [after, before];
  }
  expect(seen.before).toBeGreaterThan(0);
  expect(seen.refused + seen.after).toBeGreaterThan(0);
});

test.for(['a new folder', 'the folder of an earlier conversion'])('lets one of several into %s', async (into) => {
  const cwd = await temporaryFolder();
  await writeFiles(join(cwd, 'old'), exportOf('old'));
  await writeFiles(join(cwd, 'new'), exportOf('new'));
  const args = (name: string) => ['convert', 'slack', name, '--out-dir', 'chat'];
  await succeeded(runCli([...args('new').slice(0, -1), 'expected'], { cwd }));
  const expected = await generatedIn(join(cwd, 'expected'));
  if (into !== 'a new folder') await succeeded(runCli(args('old'), { cwd }));
  const ends = await Promise.all(Array.from({ length: 4 }, () => spawnCli(args('new'), { cwd }).ended));
  const exits = ends.map(({ exit }) => exit);
  expect(exits).toContain(0);
  expect(exits.filter((exit) => exit !== 0 && exit !== 7)).toEqual([]);
  for (const end of ends) if (end.exit === 7) expectRefused(end, 7, 'Another conversion into');
  expect(await generatedIn(join(cwd, 'chat'))).toBe(expected);
  await expectEnd(runCli(['validate', 'chat'], { cwd }), 0, '');
});

test('a conversion that is stopped keeps others out, and one that is killed does not', async () => {
  const cwd = await temporaryFolder();
  await writeFiles(join(cwd, 'new'), exportOf('new'));
  const args = ['convert', 'slack', 'new', '--out-dir', 'chat'];
  const child = spawnCli(args, { cwd });
  await vi.waitUntil(() => existsSync(join(cwd, 'chat/conversion/.staged')), { timeout: 60_000, interval: 2 });
  child.kill('SIGSTOP');
  expectRefused(await runCli(args, { cwd }), 7, 'Another conversion into', 'is running');
  child.kill('SIGKILL');
  expect((await child.ended).exit).toBe(-1);
  await succeeded(runCli(args, { cwd }));
  expect((await readdir(join(cwd, 'chat/conversion'))).filter((name) => name.startsWith('.'))).toEqual([]);
});
