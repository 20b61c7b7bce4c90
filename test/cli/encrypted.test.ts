// Tests that with a key of state no written file contains a name, and that each wrong key is refused with advice.
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Place } from '../support/place.ts';
import { runCli } from '../support/run-cli.ts';
import { fastTest, inSuite } from '../support/suite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const key = 'a key that is long enough';
const other = 'another key, as long as that';
const canary = 'Zaphkielcanary';

const estate = `version: 1
application:
  base_url: emulator:data
users:
  ${canary}-alice: { nickname: ${canary} nick, metadata: { team: ${canary}team } }
  ${canary}-bot: { nickname: Bot, access_token: { issue: true } }
open_channels:
  ${canary}-lobby: { name: ${canary} Lobby, operators: [${canary}-alice] }
group_channels:
  ${canary}-room: { name: ${canary} Room, members: { ${canary}-alice: } }
`;

async function folderWith(text = estate): Promise<string> {
  return temporaryFolder({ 'chat.yaml': text });
}

/** Every byte below the folder, except those of the manifests and of the emulated platform. */
async function written(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (!entry.isFile() || name === 'chat.yaml' || name.startsWith('data')) continue;
    found.set(name, (await readFile(path)).toString('latin1'));
  }
  return found;
}

/** The canary as it is, and in base64 at each of the three alignments. */
function shows(text: string): boolean {
  const hidden = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(`${'x'.repeat(shift)}${canary}`).toString('base64');
    return encoded.slice(4, -4);
  });
  return [canary, Buffer.from(canary, 'utf16le').toString('latin1'), ...hidden].some((trace) => text.includes(trace));
}

test('writes no name in plain text, and reads everything with the key', async () => {
  const at = new Place(await folderWith(estate.replace(', access_token: { issue: true }', '')));
  const env = { CHATFORM_STATE_KEY: key };
  const run = async (...args: string[]) => {
    const end = await at.with({ env }).run(args);
    expect(end.stderr).not.toContain('bug in chatform');
    return end;
  };
  expect((await run('plan', '--out', 'plan.chatform')).exit).toBe(0);
  expect((await run('show', 'plan.chatform')).stdout).toContain(`${canary}-room`);
  expect((await run('apply', 'plan.chatform', '--auto-approve')).exit).toBe(0);
  expect((await run('state', 'pull', 'copy.ndjson')).exit).toBe(0);
  expect((await run('state', 'push', 'copy.ndjson', '--state', 'file:second')).exit).toBe(0);
  if (inSuite(false, true)) expect((await run('rehearse')).exit).toBe(0);
  expect((await run('plan', '--detailed-exitcode')).exit).toBe(0);
  const files = await written(at.cwd);
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['plan.chatform', 'copy.ndjson', '.chatform/state/state.ndjson', 'second/state.ndjson']),
  );
  for (const [name, text] of files) expect(`${name} ${shows(text)}`).toBe(`${name} false`);
  // Proves that the search works.
  expect(shows(await readFile(at.path('chat.yaml'), 'latin1'))).toBe(true);
  expect(shows(Buffer.from(estate).toString('base64'))).toBe(true);
});

describe('a key that does not match', () => {
  const uses = inSuite(['plan'] as const, ['plan', 'show', 'copy'] as const);

  async function encrypted(): Promise<string> {
    const at = new Place(await folderWith(estate.replace(', access_token: { issue: true }', '')));
    const env = { CHATFORM_STATE_KEY: key };
    await at.with({ env }).run('apply --auto-approve');
    if (inSuite(true, false)) return at.cwd;
    await at.with({ env }).run('plan --out plan.chatform');
    await at.with({ env }).run('state pull copy.ndjson');
    return at.cwd;
  }

  test('refuses a missing key, a wrong one, and a state that is not encrypted', async () => {
    const at = new Place(await encrypted());
    const commands: Record<(typeof uses)[number], string[]> = {
      plan: ['plan'],
      show: ['show', 'plan.chatform'],
      copy: ['state', 'push', 'copy.ndjson', '--state', 'file:elsewhere'],
    };
    for (const use of uses) {
      await at.ends(commands[use], 3, 'is encrypted, and no key is set.');
      await at.with({ env: { CHATFORM_STATE_KEY: other } }).ends(commands[use], 3, 'was encrypted with another key.');
    }
    // Somebody without the key changes a file in the folder.
    const plain = await folderWith(estate.replace(', access_token: { issue: true }', ''));
    await runCli(['apply', '--auto-approve'], { cwd: plain });
    await rename(at.path('.chatform/state'), at.path('.chatform/before'));
    await rename(join(plain, '.chatform/state'), at.path('.chatform/state'));
    await at
      .with({ env: { CHATFORM_STATE_KEY: key } })
      .ends('plan', 5, 'A key is set, and the state file:.chatform/state, object', 'is not encrypted.');
  });

  fastTest.for([
    { env: { CHATFORM_STATE_KEY: 'short' }, exit: 64, says: 'has 5 characters' },
    { env: { CHATFORM_STATE_KEY: '' }, exit: 64, says: 'has 0 characters' },
    { env: { CHATFORM_STATE_KEY: key, CHATFORM_STATE_KEY_COMMAND: 'true' }, exit: 64, says: 'Both CHATFORM_STATE_KEY' },
    { env: { CHATFORM_STATE_KEY_COMMAND: 'echo no login >&2; exit 2' }, exit: 3, says: 'failed: no login.' },
    { env: { CHATFORM_STATE_KEY_COMMAND: 'echo short' }, exit: 64, says: 'the output of CHATFORM_STATE_KEY_COMMAND' },
  ])('is refused: $says', async ({ env, exit, says }) => {
    const at = new Place(
      await folderWith('version: 1\napplication: { base_url: "emulator:data" }\nusers: { a: { nickname: A } }\n'),
    );
    await at.with({ env: { PATH: process.env.PATH ?? '', ...env } as Record<string, string> }).ends('plan', exit, says);
  });
});
