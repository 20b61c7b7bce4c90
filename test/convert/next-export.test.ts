// Tests a later export from which all messages of a channel are gone.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeFiles } from '../support/folders.ts';
import { expectEnd, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rooms = ['C000001', 'C000002'];
const users = [{ id: 'U000001', name: 'ann' }];

function exportOf(texts: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  const days = Object.entries(texts).map(([room, list]) => {
    const messages = list.map((text, number) => ({
      type: 'message',
      user: 'U000001',
      text,
      ts: `170000000${number}.000100`,
    }));
    return [`export/${room.toLowerCase()}/2023-11-14.json`, JSON.stringify(messages)] as const;
  });
  return {
    'export/users.json': JSON.stringify(users),
    'export/channels.json': JSON.stringify(rooms.map((id) => ({ id, name: id.toLowerCase(), members: ['U000001'] }))),
    ...Object.fromEntries(days),
  };
}

let cwd = '';
const chat = (...args: string[]) => runCli(args, { cwd: join(cwd, 'chat') });

async function convert(texts: Readonly<Record<string, readonly string[]>>): Promise<string> {
  await rm(join(cwd, 'export'), { recursive: true, force: true });
  await writeFiles(cwd, exportOf(texts));
  const { stdout } = await expectEnd(
    runCli(['convert', 'slack', 'export', '--out', 'chat', '--covers', 'all'], { cwd }),
    0,
  );
  return stdout;
}

const policy = (messages: string): Promise<void> =>
  writeFiles(join(cwd, 'chat'), {
    'application.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator" }
policy: { messages: { ${messages} }, acknowledge: [{ effect: messages.erase, count: 2 }] }
`,
  });

beforeEach(async () => {
  cwd = await temporaryFolder();
  await convert({ C000001: ['one', 'two'], C000002: ['three'] });
  expect((await chat('apply', '--auto-approve')).exit).toBe(0);
});

test('deletes its messages, or refuses to with their number', async () => {
  expect(await convert({ C000002: ['three'] })).toContain('1 message ');
  expect(await chat('validate')).toMatchObject({ exit: 0, stderr: '' });
  const refused = await chat('plan');
  expect(refused).toMatchObject({ exit: 65, stderr: expect.stringContaining('2 sent lines that are gone') });
  await policy('deleted: delete');
  const applied = await chat('apply', '--auto-approve');
  expect(applied.stderr).toContain('Done.');
  expect(await chat('verify', '--all')).toMatchObject({ exit: 0 });
  // Once gone, they stay declared as gone.
  await convert({ C000002: ['three'] });
  expect(await chat('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
});

test('gives them back when a later export has them again', async () => {
  await convert({ C000002: ['three'] });
  await policy('deleted: delete, late: insert');
  expect((await chat('apply', '--auto-approve')).exit).toBe(0);
  await convert({ C000001: ['one', 'two'], C000002: ['three'] });
  expect((await chat('apply', '--auto-approve')).exit).toBe(0);
  expect(await chat('verify', '--all')).toMatchObject({ exit: 0 });
  expect(await chat('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
});

test('removes the archive of a channel that is left out', async () => {
  const leftOut = 'format_version: 1\nsource: slack\nleft_out: { channels: { C000001: gone } }\n';
  await writeFiles(join(cwd, 'chat'), { 'conversion/decisions.yaml': leftOut });
  expect(await convert({ C000002: ['three'] })).toContain('1 channel ');
  expect(await readdir(join(cwd, 'chat/history'))).toEqual(['slack_C000002.ndjson']);
});

test('applies later exports with new messages of people who were deactivated', async () => {
  const left = [{ ...users[0] }, { id: 'U000002', name: 'bob', deleted: true }];
  const export_ = (texts: readonly string[]) => {
    const messages = texts.map((text, number) => ({
      type: 'message',
      // The third person is in no list of the export.
      user: `U00000${(number % 3) + 1}`,
      text,
      ts: `170000000${number}.000100`,
    }));
    return {
      'leavers/users.json': JSON.stringify(left),
      'leavers/channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'] }]),
      'leavers/room/2023-11-14.json': JSON.stringify(messages),
    };
  };
  for (const texts of [
    ['1', '2', '3'],
    ['1', '2', '3', '4', '5', '6'],
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  ]) {
    await writeFiles(cwd, export_(texts));
    expect((await runCli(['convert', 'slack', 'leavers', '--out', 'moved'], { cwd })).exit).toBe(0);
    expect((await runCli(['apply', '--auto-approve'], { cwd: join(cwd, 'moved') })).stderr).toContain('Done.');
  }
  expect(await runCli(['verify', '--all'], { cwd: join(cwd, 'moved') })).toMatchObject({ exit: 0 });
});

test('keeps a public channel to its members unless the decisions open it', async () => {
  const declared = () => readFile(join(cwd, 'chat/group_channels.yaml'), 'utf8');
  expect(await declared()).not.toContain('is_public');
  const decisions = await readFile(join(cwd, 'chat/conversion/decisions.yaml'), 'utf8');
  await writeFiles(cwd, {
    'chat/conversion/decisions.yaml': decisions.replace('public: members', 'public: everybody'),
  });
  await convert({ C000001: ['one', 'two'], C000002: ['three'] });
  expect(await declared()).toContain('is_public: true');
  // In the form that an earlier version wrote.
  const without = decisions.replace(/\nchannels:\n.*\n.*public: members\n/u, '');
  expect(without).not.toContain('channels:\n  #');
  await writeFiles(cwd, { 'chat/conversion/decisions.yaml': without });
  await convert({ C000001: ['one', 'two'], C000002: ['three'] });
  expect(await declared()).toContain('is_public: true');
});
