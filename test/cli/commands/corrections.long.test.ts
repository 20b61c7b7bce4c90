// Tests a later history file in which lines that were sent are edited, removed, or followed by late ones (semantics §7).
import { beforeEach, describe, expect, test } from 'vitest';
import { writeFiles } from '../../support/folders.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const start = 1_600_000_000_000;
const all = Array.from({ length: 40 }, (_none, number) => lineOf(number, `text ${number}`));

function lineOf(number: number, message: string, timestamp = start + number * 1000): object {
  return { message_type: 'MESG', user_id: 'alice', message, timestamp };
}

function manifest(policy: string, more = ''): string {
  return `
version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
policy: { ${policy} }
users: { alice: { nickname: Alice${more} } }
group_channels: { room: { members: { alice: }, messages: { file: room.ndjson } } }
`;
}

const allowed = 'messages: { edited: update, deleted: delete, late: insert }';
let cwd = '';

async function declare(lines: readonly object[], policy = allowed, more = ''): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFiles(cwd, { 'chat.yaml': manifest(policy, more), 'room.ndjson': text });
}

const run = (...args: string[]) => runCli(args, { cwd });

beforeEach(async () => {
  cwd = await temporaryFolder();
  await declare(all);
  expect((await run('apply', '--auto-approve')).exit).toBe(0);
});

const later = [
  ...all
    .with(3, lineOf(3, 'edited'))
    .toSpliced(20, 1)
    .toSpliced(10, 0, lineOf(10, 'late', start + 9500)),
  lineOf(50, 'appended'),
];

test('is refused with counts and the line to write, until the policy allows it', async () => {
  await declare(later, 'existing: refuse');
  const refused = await expectEnd(run('plan'), 65);
  const said = refused.stderr.replace(/\s+/gu, ' ');
  expect(said).toContain('1 sent line that was edited, 1 sent line that is gone and 1 new line before lines');
  expect(said).toContain('policy: {messages: {edited: update, deleted: delete, late: insert}}');
});

test('is planned, rehearsed and applied as a difference, and the next plan is empty', async () => {
  await declare(later);
  const plan = JSON.parse((await run('plan', '--format', 'json')).stdout);
  expect(plan.changes[0]).toMatchObject({ actions: ['update', 'migrate', 'erase'], dangerous: true });
  expect(plan.changes[0].requests).toEqual([
    { method: 'GET', route: '/group_channels/{channel_url}/messages', count: 3 },
    { method: 'POST', route: '/migration/{channel_url}', count: 2 },
    { method: 'DELETE', route: '/group_channels/{channel_url}/messages/{message_id}', count: 1 },
    { method: 'PUT', route: '/group_channels/{channel_url}/messages/{message_id}', count: 1 },
  ]);
  expect((await run('rehearse')).stdout).toContain('4 of 4 steps succeed');
  expect((await run('apply', '--auto-approve')).exit).toBe(0);
  expect(await run('verify', '--all')).toMatchObject({ exit: 0 });
  expect((await run('plan', '--detailed-exitcode')).exit).toBe(0);
});

test('leaves sent messages unchanged with keep, and sends new ones', async () => {
  await declare(later, 'messages: { edited: keep, deleted: keep, late: insert }');
  expect((await run('apply', '--auto-approve')).exit).toBe(0);
  expect((await run('plan', '--detailed-exitcode')).exit).toBe(0);
  const verified = await run('verify', '--all');
  expect(verified).toMatchObject({ exit: 4, stdout: expect.stringContaining('1 missing') });
  await declare(later);
  expect((await run('apply', '--auto-approve')).exit).toBe(0);
  expect(await run('verify', '--all')).toMatchObject({ exit: 0 });
});

test('does not reactivate a sender for messages that were sent', async () => {
  await declare(all, `${allowed}, acknowledge: [{ effect: user.deactivate, count: 1 }]`, ', deactivated: true');
  expect((await run('apply', '--auto-approve')).exit).toBe(0);
  await declare(all.with(3, lineOf(3, 'edited')), allowed, ', deactivated: true');
  const plan = JSON.parse((await run('plan', '--format', 'json')).stdout);
  expect(plan.summary).toEqual({ update: 1 });
  expect((await run('apply', '--auto-approve')).exit).toBe(0);
});

describe('more than a tenth of the messages', () => {
  test('are deleted only if the reviewed diff states the number', async () => {
    await declare(all.slice(15));
    await expectEnd(run('apply', '--auto-approve'), 5, 'messages.erase would happen 15 times, of 40');
    await declare(all.slice(15), `${allowed}, acknowledge: [{ effect: messages.erase, count: 15 }]`);
    expect((await run('apply', '--auto-approve')).exit).toBe(0);
    expect(await run('verify', '--all')).toMatchObject({ exit: 0 });
  });
});

describe('changes that no call can make', () => {
  const file = (number: number, name: string, more: object = {}) => ({
    message_type: 'FILE',
    user_id: 'alice',
    url: `https://example.com/${number}`,
    file_name: name,
    timestamp: start + 100_000 + number,
    ...more,
  });
  const withFiles = [...all, file(1, 'a.pdf'), file(2, 'b.pdf')];

  test.for<{ name: string; lines: readonly object[]; note: string | undefined }>([
    {
      name: 'the name of a file',
      lines: [...all.with(3, lineOf(3, 'edited')), file(1, 'new.pdf'), file(2, 'b.pdf')],
      note: '1 edited message has is_silent',
    },
    {
      name: 'all edited lines',
      lines: [...all, file(1, 'new.pdf'), file(2, 'c.pdf')],
      note: '2 edited messages have is_silent',
    },
    { name: 'text alone', lines: [...withFiles.with(3, lineOf(3, 'edited'))], note: undefined },
  ])('$name: the plan says so before, and verify afterwards', async ({ lines, note }) => {
    await declare(withFiles);
    expect((await run('apply', '--auto-approve')).exit).toBe(0);
    await declare(lines);
    const { changes } = JSON.parse((await run('plan', '--format', 'json')).stdout);
    const said = changes[0].notes.filter((text: string) => text.includes('which the platform cannot change'));
    expect(said).toEqual(note === undefined ? [] : [expect.stringContaining(note)]);
    expect((await run('apply', '--auto-approve')).exit).toBe(0);
    expect((await run('verify', '--all')).exit).toBe(note === undefined ? 0 : 4);
  });
});
