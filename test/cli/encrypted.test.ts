// Tests that with a key of state no written file contains a name, and that each wrong key is refused with advice.
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Place, place } from '../support/place.ts';
import { fastTest, inSuite } from '../support/suite.ts';

const key = 'a key that is long enough';
const other = 'another key, as long as that';
const canary = 'Zaphkielcanary';

const estate = `version: 1
application:
  base_url: emulator:data
users:
  ${canary}-alice: { nickname: ${canary} nick, metadata: { team: ${canary}team } }
  ${canary}-bot: { nickname: Bot }
open_channels:
  ${canary}-lobby: { name: ${canary} Lobby, operators: [${canary}-alice] }
group_channels:
  ${canary}-room: { name: ${canary} Room, members: { ${canary}-alice: } }
`;

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
  const at = await place({ 'chat.yaml': estate }, { CHATFORM_STATE_KEY: key });
  await at.does('plan --out plan.chatform');
  expect((await at.run('show plan.chatform')).stdout).toContain(`${canary}-room`);
  for (const command of [
    'apply plan.chatform --auto-approve',
    'state pull copy.ndjson',
    'state push copy.ndjson --state file:second',
    ...inSuite([], ['rehearse']),
    'plan --detailed-exitcode',
  ])
    await at.does(command);
  const files = await written(at.cwd);
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['plan.chatform', 'copy.ndjson', '.chatform/state/state.ndjson', 'second/state.ndjson']),
  );
  for (const [name, text] of files) expect(`${name} ${shows(text)}`).toBe(`${name} false`);
  // Proves that the search works.
  expect(shows(await readFile(at.path('chat.yaml'), 'latin1'))).toBe(true);
  expect(shows(Buffer.from(estate).toString('base64'))).toBe(true);
});

const uses = inSuite(['plan'], ['plan', 'show plan.chatform', 'state push copy.ndjson --state file:elsewhere']);

/** The applied estate, without a key in its environment. */
async function applied(env: Readonly<Record<string, string>>): Promise<Place> {
  const at = await place({ 'chat.yaml': estate });
  const commands = ['apply --auto-approve', ...inSuite([], ['plan --out plan.chatform', 'state pull copy.ndjson'])];
  for (const command of commands) await at.with({ env }).does(command);
  return at;
}

test('refuses a missing key, a wrong one, and a state that is not encrypted', async () => {
  const at = await applied({ CHATFORM_STATE_KEY: key });
  for (const command of uses) {
    await at.ends(command, 5, 'is encrypted, and no key is set.');
    await at.with({ env: { CHATFORM_STATE_KEY: other } }).ends(command, 5, 'was encrypted with another key.');
  }
  // Somebody without the key changes a file in the folder.
  const plain = await applied({});
  await rename(at.path('.chatform/state'), at.path('.chatform/before'));
  await rename(plain.path('.chatform/state'), at.path('.chatform/state'));
  const says = ['A key is set, and the state file:.chatform/state, object', 'is not encrypted.'];
  await at.with({ env: { CHATFORM_STATE_KEY: key } }).ends('plan', 5, ...says);
});

fastTest.for<[Readonly<Record<string, string>>, number, string]>([
  [{ CHATFORM_STATE_KEY: 'short' }, 64, 'has 5 characters'],
  [{ CHATFORM_STATE_KEY: '' }, 64, 'has 0 characters'],
  [{ CHATFORM_STATE_KEY: key, CHATFORM_STATE_KEY_COMMAND: 'true' }, 64, 'Both CHATFORM_STATE_KEY'],
  [{ CHATFORM_STATE_KEY_COMMAND: '' }, 64, 'CHATFORM_STATE_KEY_COMMAND is empty'],
  [{ CHATFORM_STATE_KEY_COMMAND: ' ' }, 64, 'CHATFORM_STATE_KEY_COMMAND is empty'],
  [{ CHATFORM_STATE_KEY_COMMAND: 'yes' }, 5, 'it did not end within a minute, or printed more than a megabyte.'],
  [{ CHATFORM_STATE_KEY_COMMAND: 'echo no login >&2; exit 2' }, 5, 'failed: no login.'],
  [{ CHATFORM_STATE_KEY_COMMAND: 'echo short' }, 64, 'the output of CHATFORM_STATE_KEY_COMMAND'],
])('refuses the key of %j', async ([env, exit, says]) => {
  const manifest = 'version: 1\napplication: { base_url: "emulator:data" }\nusers: { a: { nickname: A } }\n';
  const at = await place({ 'chat.yaml': manifest }, { PATH: process.env.PATH ?? '', ...env });
  await at.ends('plan', exit, says);
});

test('trims white space at the end of a variable as at the end of what a command prints', async () => {
  const estateOfTeam = `version: 1\nvariables: { team: {} }\napplication: { base_url: emulator:data }\nusers: { "u-\${var.team}": { nickname: U } }\n`;
  const at = await place({ 'chat.yaml': estateOfTeam });
  await at
    .with({ env: { CHATFORM_STATE_KEY: `${key}\n`, CHATFORM_VAR_team: 'sales\r\n' } })
    .does('apply --auto-approve');
  for (const env of [{ CHATFORM_STATE_KEY: key }, { CHATFORM_STATE_KEY_COMMAND: `printf '%s \\n\\n' '${key}'` }])
    await at.with({ env: { ...env, CHATFORM_VAR_team: 'sales' } }).does('plan --detailed-exitcode');
});
