// Tests that the commands advised by refusals of an unreadable state work when they are followed.
import { execSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { desk } from '../../support/desk.ts';
import { type Place, place } from '../../support/place.ts';
import { fastTest, longTest } from '../../support/suite.ts';

const [key, otherKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

/** An applied estate with a copy of its state. */
async function applied(env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const at = await place(desk, env);
  await at.does('apply --auto-approve');
  await at.does('state pull --out copy.ndjson');
  return at;
}

/** Moves the state away, and expects that the command brings it back. */
async function expectReplaced(at: Place, command: string): Promise<void> {
  await rename(at.path('.chatform/state'), at.path('damaged'));
  await at.does(command);
  expect((await at.does('plan')).stdout).toContain('Nothing to do since the last apply.');
}

fastTest.for(['state push copy.ndjson', 'state rebuild'])(
  'a damaged state can be moved away and replaced by: %s',
  async (command) => {
    const at = await applied();
    const file = at.path('.chatform/state/state.ndjson');
    const bytes = await readFile(file);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await writeFile(file, bytes);
    const says = 'move the folder .chatform/state away. Then chatform state push puts the last copy';
    await at.ends('plan', 1, says);
    await expectReplaced(at, command);
  },
);

fastTest(
  'a copy that was converted as a text is refused with the cause, and what is advised brings it back',
  async () => {
    const at = await applied();
    const copy = await readFile(at.path('copy.ndjson'), 'utf8');
    const converted: readonly (readonly [string, Buffer])[] = [
      ['is UTF-16', Buffer.from(`\ufeff${copy}`, 'utf16le')],
      ['has Windows line ends', Buffer.from(copy.replaceAll('\n', '\r\n'))],
      ['contains the conflict markers', Buffer.from(copy.replace('\n', '\n<<<<<<< HEAD\n'))],
    ];
    for (const [says, bytes] of converted) {
      await writeFile(at.path('copy.ndjson'), bytes);
      await at.ends('state push copy.ndjson --force', 1, 'state.bad-copy', says);
    }
    await writeFile(at.path('copy.ndjson'), converted[1]?.[1] ?? '');
    const { stderr } = await at.ends('state push copy.ndjson', 1);
    const [, command = ''] = /: (tr .*RESTORED)\./u.exec(stderr.replace(/\s+/gu, ' ')) ?? [];
    execSync(command.replace('FILE', 'copy.ndjson'), { cwd: at.cwd });
    await expectReplaced(at, 'state push RESTORED');
  },
);

// Deriving keys takes seconds.
longTest('a state whose key is lost can be rebuilt under another key, unlike its copy', async () => {
  const at = (await applied({ CHATFORM_STATE_KEY: key })).with({ env: { CHATFORM_STATE_KEY: otherKey } });
  const copy = await at.ends('state push copy.ndjson', 5);
  expect(copy.stderr.replace(/\s+/gu, ' ')).toMatch(/^error\[state.key-wrong\]: The copy copy.ndjson.* make it again/u);
  await at.ends('plan', 5, 'If that key is lost, move the folder');
  await expectReplaced(at, 'state rebuild');
});
