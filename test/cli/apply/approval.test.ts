// Tests who approves an apply, and that the ids and the issued tokens of the approved plan arrive as they should.
import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { registry } from '../../../src/core/resources/index.ts';
import { desk } from '../../support/desk.ts';
import { differencesIn, emulatorFile, withPlatform } from '../../support/estate.ts';
import { place } from '../../support/place.ts';
import { keysOf } from '../../support/platform-differences.ts';
import { linesOf } from '../../support/published-schema.ts';

test.for(['no', 'y', '', 'yes please', 'YES'])(
  'asks, treats the answer "%s" as no, and applies after a yes',
  async (answer) => {
    const at = await place(desk);
    const before = await at.content();
    await at.with({ answers: [answer] }).ends('apply', 5, 'apply.declined');
    expect(await at.content()).toEqual(before);
    await at.with({ answers: ['yes'] }).does('apply');
    // There is nothing to ask when there is nothing to do.
    const { stdout } = await at.with({ answers: [] }).does('apply');
    expect(stdout).toContain('Nothing to do since the last apply');
  },
);

test.for([
  { name: 'no terminal', around: {} },
  {
    name: 'CI is set, although there is a terminal',
    around: { env: { CI: 'true', CHATFORM_STATE: 'file:.chatform/state' }, answers: ['yes'] },
  },
])('neither prompts nor applies without approval: $name', async ({ around }) => {
  const at = await place(desk);
  const before = await at.content();
  await at.with(around).ends('apply', 64, '--auto-approve');
  expect(await at.content()).toEqual(before);
});

test('applies only the reviewed plan with an approved hash', async () => {
  const at = await place(desk);
  const { hash } = await at.json('plan');
  const before = await at.content();
  const approved = (text: string) => `apply --auto-approve --approved-hash ${text}`;
  await at.ends(approved(hash.replace(/^./u, 'x')), 6, 'plan.not-approved');
  await at.ends(approved(hash.slice(0, 12)), 6, 'Pass the full hash');
  expect(await at.content()).toEqual(before);
  await at.does(approved(hash));
});

test('keeps ids that look like numbers, flags or dates as they are written', async () => {
  const at = await place({
    'chat.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users:
  00123: { nickname: "00123" }
  1e5: { nickname: Large }
  yes: { nickname: Agreed }
  null: { nickname: Nobody }
  2024-01-01: { nickname: Day }
  0x1F: { nickname: Hex }
open_channels: { 00042: { operators: [00123, 1e5, yes] } }
group_channels:
  1234567890123456789012: { inviter_id: 0x1F, members: { 00123: , yes: , 2024-01-01: }, operators: [yes] }
`,
  });
  await at.does('apply --auto-approve');
  const keys = await withPlatform(at.path(emulatorFile), async (platform) => {
    const own = registry.filter(({ isChild }) => isChild !== true);
    return (await Promise.all(own.map((kind) => keysOf(platform, kind)))).flat();
  });
  expect(keys.sort()).toEqual(
    ['00042', '00123', '0x1F', '1234567890123456789012', '1e5', '2024-01-01', 'null', 'yes'].sort(),
  );
  expect(await differencesIn(at.cwd)).toEqual([]);
  expect((await at.run('state list')).stdout.split('\n')).toContain('user.00123');
  await at.does('plan --detailed-exitcode');
});

test('writes issued tokens to the file of --tokens-out, and nowhere else', async () => {
  const at = await place({
    'chat.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users:
  alice: { nickname: Alice, issue_access_token: true }
  bob: { nickname: Bob, session_token: { expires_at: 2099-01-01T00:00:00Z } }
`,
  });
  const before = await at.content();
  await at.ends('apply --auto-approve', 5, 'tokens.nowhere', '--tokens-out');
  expect(await at.content()).toEqual(before);
  const planned = await at.run('plan --out out/plan.chatform');
  expect(planned.stdout).toMatch(
    /plan\.issues-tokens.*\n.*2 tokens are issued\. Token values go only to the file given with --tokens-out/u,
  );
  const outputs = '--report out/report.json --events out/events.ndjson --verbose';
  const applied = await at.does(`apply --auto-approve --tokens-out tokens.ndjson ${outputs}`);
  expect(await differencesIn(at.cwd)).toEqual([]);

  expect((await stat(at.path('tokens.ndjson'))).mode & 0o777).toBe(0o600);
  const tokens = linesOf(await at.read('tokens.ndjson')) as { user_id: string; field: string; value: string }[];
  expect(tokens.map(({ user_id, field }) => `${user_id} ${field}`).sort()).toEqual(['alice access_token', 'bob token']);
  const values = tokens.map(({ value }) => value);
  for (const value of values) expect(value.length).toBeGreaterThan(8);

  const shown = await at.run('state show user.alice');
  const again = await at.run('plan --format json');
  expect(JSON.parse(again.stdout).warnings).toEqual([]);
  // The next run issues nothing, so it needs no file.
  const last = await at.does('apply --auto-approve');
  expect(last.stdout).toContain('Nothing to do since the last apply');
  const elsewhere = {
    ...(await at.content('.chatform/state')),
    ...(await at.content('out')),
    output: JSON.stringify([planned, applied, shown, again, last]),
  };
  expect(Object.keys(elsewhere)).toEqual(expect.arrayContaining(['plan.chatform', 'report.json', 'events.ndjson']));
  for (const [name, text] of Object.entries(elsewhere)) {
    for (const value of values) expect(text.includes(value), `${name} holds a token`).toBe(false);
  }
});
