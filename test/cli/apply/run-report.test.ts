// Tests that the report of a run gives the exit code of the command, however it ended (semantics §12: written on failure too).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveText } from '../../support/archives.ts';
import { crowd, deskElsewhere, reaching } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { soon } from '../../support/soon.ts';
import { spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const apply = ['apply', '--auto-approve', '--report', 'report.json'];

async function reportIn(cwd: string): Promise<unknown> {
  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
  expect(publishedSchema('report')(report)).toEqual([]);
  return report;
}

test('reports 4 for messages that --verify does not find, beside the steps that succeeded', async () => {
  const running = await startPlatform({ rateLimits: false, readings: { dedup: 'ignore' } });
  const env = reaching(running);
  const manifest = 'version: 1\nopen_channels: { lobby-1: { messages: { file: lobby.ndjson } } }\n';
  const message = { message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_000 };
  const cwd = await temporaryFolder({ 'm.yaml': manifest, 'lobby.ndjson': archiveText([message]) });
  expect(await runCli(apply, { cwd, env })).toMatchObject({ exit: 0 });
  await call(running, 'POST', '/migration/lobby-1', { messages: [message] });
  await writeFiles(cwd, { 'm.yaml': manifest.replace('messages', 'name: Lobby, messages') });
  await expectEnd(runCli([...apply, '--verify'], { cwd, env }), 4);
  expect(await reportIn(cwd)).toMatchObject({
    outcome: 'incomplete',
    exit_code: 4,
    steps: { succeeded: 1, failed: 0 },
  });
});

test('removes the report of an earlier run before it starts', async () => {
  const running = await startPlatform();
  const cwd = await temporaryFolder({ ...crowd(25), 'report.json': '{"outcome":"done"}' });
  const child = spawnCli(apply, { cwd, env: { ...reaching(running), CHATFORM_RATE_PLAN: '5k_mau' } });
  const isAtWork = (): boolean => (running.stats.requests.get('POST /users') ?? 0) >= 3;
  await Promise.race([child.ended, soon(isAtWork)]);
  child.kill('SIGKILL');
  await child.ended;
  expect(await reportIn(cwd)).toMatchObject({ outcome: 'interrupted', exit_code: 8, steps: { planned: 25 } });
});

test('removes the events of an earlier run when there is nothing to do', async () => {
  const env = reaching(await startPlatform());
  const cwd = await temporaryFolder(deskElsewhere);
  const args = ['apply', '--auto-approve', '--events', 'events.ndjson'];
  for (const isEmpty of [false, true]) {
    expect(await runCli(args, { cwd, env })).toMatchObject({ exit: 0 });
    expect((await readFile(join(cwd, 'events.ndjson'), 'utf8')) === '').toBe(isEmpty);
  }
});

test.for(['file.txt/report.json', '.'])(
  'a report that cannot be written is told before anything is sent: %s',
  async (report) => {
    const running = await startPlatform();
    const cwd = await temporaryFolder({ ...deskElsewhere, 'file.txt': '' });
    await expectEnd(
      runCli(['apply', '--auto-approve', '--report', report], { cwd, env: reaching(running) }),
      1,
      'file.unwritable',
    );
    expect(running.stats.requests.size).toBe(0);
  },
);
