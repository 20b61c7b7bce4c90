// Tests later messages whose millisecond was already sent.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../support/folders.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const said = (text: string, ts: string) => ({ type: 'message', user: 'U000001', text, ts });

test('sends and verifies a late message whose millisecond is already taken', async () => {
  const cwd = await temporaryFolder();
  const convertAndApply = async (messages: readonly object[]) => {
    await rm(join(cwd, 'export'), { recursive: true, force: true });
    await writeFiles(cwd, {
      'export/users.json': JSON.stringify([{ id: 'U000001', name: 'ann' }]),
      'export/channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'] }]),
      'export/room/2016-01-14.json': JSON.stringify(messages),
      'chat/application.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator" }
policy: { messages: { late: insert } }
`,
    });
    expect((await runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd })).exit).toBe(0);
    expect((await runCli(['apply', '--auto-approve'], { cwd: join(cwd, 'chat') })).stderr).toContain('Done.');
  };
  const [first, late, last] = ['1452800000.000002', '1452800000.000003', '1452800000.000004'];
  await convertAndApply([said('first', first ?? ''), said('last', last ?? '')]);
  await convertAndApply([said('first', first ?? ''), said('late', late ?? ''), said('last', last ?? '')]);
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd: join(cwd, 'chat') })).toMatchObject({ exit: 0 });
  expect(await runCli(['verify', '--all'], { cwd: join(cwd, 'chat') })).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('in order of arrival'),
  });
});
