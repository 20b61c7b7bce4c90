// Tests saved plans between review and apply: applied once, in parts, again, too late, or edited.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { planFileVersion } from '../../../src/core/planner/plan-file/layout.ts';
import { user } from '../../../src/core/resources/user/user.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { crowd, desk } from '../../support/desk.ts';
import { differencesIn } from '../../support/estate.ts';
import { writeFiles } from '../../support/folders.ts';
import { connected, Place } from '../../support/place.ts';
import { editPlan, packedPlan } from '../../support/plan-files.ts';
import { keysOf } from '../../support/platform-differences.ts';
import { copiesOf } from '../../support/temporary-folder.ts';

const text = desk['chat.yaml'] ?? '';
/** The desk, with `plan.chatform` for all of it. */
const planned = copiesOf(async (cwd) => {
  await writeFiles(cwd, desk);
  await new Place(cwd).does('plan --out plan.chatform');
});

test('is saved, shown and applied once, by its hash', async () => {
  const at = new Place(await planned());
  expect((await stat(at.path('plan.chatform'))).mode & 0o777).toBe(0o600);
  const { stdout } = await at.does('plan');
  expect(await at.run('show plan.chatform')).toMatchObject({ exit: 0, stdout });
  const { hash } = await at.json('show plan.chatform');
  await at.ends(`apply plan.chatform --approved-hash ${hash}0`, 6);
  await at.does(`apply plan.chatform --approved-hash ${hash}`);
  expect(await differencesIn(at.cwd)).toEqual([]);
  const state = await at.content('.chatform/state');
  expect((await at.does('apply plan.chatform')).stdout).toContain('nothing left to do');
  expect(await at.content('.chatform/state')).toEqual(state);
});

test.for([
  { what: 'a hidden file', target: '.pol/policy.yaml', code: 'manifest.hidden-file' },
  { what: 'a file outside of the folder', target: '/dev/null', code: 'manifest.leaves-folder' },
])('warns once that a policy behind a link to $what does not apply', async ({ target, code }) => {
  const at = new Place(await planned());
  await at.write({ '.pol/policy.yaml': 'version: 1\npolicy: { removals: { free_count: 0 } }\n' });
  await symlink(target.startsWith('/') ? target : at.path(target), at.path('policy.yaml'));
  expect((await at.ends('validate', 65)).stdout).toContain(code);
  for (const command of ['rehearse', 'apply']) {
    const { stdout, stderr } = await at.does(`${command} plan.chatform`);
    expect(`${stdout}${stderr}`.split(code), command).toHaveLength(2);
    expect(`${stdout}${stderr}`.replaceAll(/\s+/gu, ' ')).toContain('does not apply to this plan');
  }
});

test('obeys the stricter limits of the folder, whatever else is called like a limit', async () => {
  const at = new Place(await planned());
  const strict = (await at.read('chat.yaml')).replace(/^ *rate_plan:.*\n/mu, '');
  await at.write({
    'chat.yaml': strict,
    'z.yaml': 'version: 1\nopen_channels: { z: { metadata: { rate_plan: a } } }\n',
  });
  const { series } = await at.json('rehearse plan.chatform');
  const rates = series.lanes.map(({ allowed_per_s: rate }: JsonObject) => rate);
  expect(new Set(rates)).toEqual(new Set([5]));
});

/** Edits the lines of a plan, and gives them a correct checksum. */
const sealedAgain = (edit: (head: JsonObject, lines: readonly string[]) => readonly string[]) => (plan: string) => {
  const [head = '', ...lines] = plan.split('\n').slice(0, -2);
  const body = [...edit(JSON.parse(head), lines), ''].join('\n');
  return `${body}#end ${createHash('sha256').update(body).digest('hex')}\n`;
};

test.for<[string, (plan: string) => string]>([
  ['without another checksum', (plan) => plan.replaceAll('Support 42', 'Support 43')],
  [
    'to write a record of its own',
    sealedAgain((head, lines) => {
      const forged = [{ type: 'put', record: { address: 'user.alice', attributes: { nickname: 'forged' } } }];
      return [JSON.stringify({ ...head, bookkeeping: forged }), ...lines];
    }),
  ],
  [
    'to show another value than it sends',
    sealedAgain((head, lines) => {
      const to = lines.indexOf('#origins');
      const changes = lines.slice(0, to).map((line) => line.replaceAll('Support 42', 'Support 43'));
      return [JSON.stringify(head), ...changes, ...lines.slice(to)];
    }),
  ],
  [
    'to send another value than it shows',
    sealedAgain((head, lines) => {
      const to = lines.indexOf('#origins');
      const origins = lines.slice(to).map((line) => line.replaceAll('Support 42', 'Support 43'));
      return [JSON.stringify(head), ...lines.slice(0, to), ...origins];
    }),
  ],
  [
    'to have steps of its own',
    sealedAgain((head, lines) => {
      const step = { id: 'user.alice#1', address: 'user.alice', action: 'delete', phase: 'delete' };
      return [JSON.stringify(head), '#steps', JSON.stringify(step), ...lines];
    }),
  ],
])('is refused by show, apply and rehearse after an edit %s', async ([, edit]) => {
  const at = new Place(await planned());
  await editPlan(at.path('plan.chatform'), edit);
  for (const command of ['show', 'apply', 'rehearse']) await at.ends(`${command} plan.chatform`, 6, 'plan.unreadable');
  expect((await at.run('state list')).stdout).toBe('');
});

const compressedAgain = (plan: Buffer, edit: (text: string) => string) =>
  packedPlan(edit(brotliDecompressSync(plan.subarray(`chatform plan ${planFileVersion}\n`.length)).toString('utf8')));

test.for<{ name: string; of: (plan: Buffer) => Buffer | string | undefined; says: string }>([
  {
    name: 'with the line ends of Windows',
    of: (plan) => compressedAgain(plan, (body) => body.replaceAll('\n', '\r\n')),
    says: 'reformatted',
  },
  { name: 'cut', of: (plan) => plan.subarray(0, plan.length - 20), says: 'truncated' },
  { name: 'damaged', of: (plan) => Buffer.from(plan).fill(0, 60, 90), says: 'was edited' },
  { name: 'empty', of: () => '', says: 'is not a chatform plan' },
  { name: 'no more than its first line', of: () => `chatform plan ${planFileVersion}\n`, says: 'truncated' },
  { name: 'something else', of: () => 'users: {}\n', says: 'is not a chatform plan' },
  { name: 'of a later version', of: () => 'chatform plan 2.0\nx', says: 'has the plan format 2.0' },
  { name: 'not there', of: () => undefined, says: 'cannot be read: there is no such file' },
  { name: 'a folder', of: () => undefined, says: 'cannot be read' },
])('is refused by show: $name', async ({ name, of, says }) => {
  const at = new Place(await planned());
  const other = of(await readFile(at.path('plan.chatform')));
  if (other !== undefined) await writeFile(at.path('other.json'), other);
  else if (name === 'a folder') await mkdir(at.path('other.json'));
  await at.ends('show other.json', 6, says);
});

test.for(['plan plan.chatform', 'validate plan.chatform', 'apply plan.chatform chat.yaml --auto-approve'])(
  'is named when it is taken for a manifest: %s',
  async (command) => {
    const says = /^error\[usage\]: plan\.chatform is a saved plan, not a manifest\.\n {4}chatform show plan\.chatform/u;
    await new Place(await planned()).ends(command, 64, says);
  },
);

test('is read once from a pipe', async () => {
  const at = new Place(await planned());
  const plan = await readFile(at.path('plan.chatform'));
  await promisify(execFile)('mkfifo', [at.path('pipe')]);
  for (const [content, exit] of [
    [plan, 0],
    [compressedAgain(plan, (body) => body.replace('Carol', 'Karoline')), 6],
    [plan.subarray(0, plan.length - 20), 6],
  ] as const)
    await Promise.all([at.ends('show pipe', exit), writeFile(at.path('pipe'), content)]);
});

test('is refused for another application, or another state', async () => {
  const at = new Place(await planned());
  await at.ends('apply plan.chatform --base-url emulator:other', 6, 'plan.other-application');
  await at.does('apply plan.chatform');
  await at.write({ 'chat.yaml': text.replace('Carol', 'Caroline') });
  await at.does('plan --out plan.chatform');
  await at.ends('apply plan.chatform --state file:elsewhere', 6, 'plan.other-state');
});

test('conflicts with a later run before it writes anything, and --skip-conflicts applies the rest', async () => {
  const at = new Place(await planned());
  await at.does('apply plan.chatform');
  const declare = (carol: string, lobby: string) =>
    at.write({ 'chat.yaml': text.replace('Carol', carol).replace('name: Lobby', `name: ${lobby}`) });
  await declare('Caroline', 'Hall');
  await at.does('plan --out plan.chatform');
  await declare('Karoline', 'Lobby');
  await at.does('apply --auto-approve');

  const before = await at.content('.chatform');
  const refused = await at.ends('apply plan.chatform', 6, 'plan.conflict', 'user.carol');
  expect(refused.stderr).not.toContain('open_channel.lobby');
  expect(await at.content('.chatform')).toEqual(before);

  const rest = await at.does('apply plan.chatform --skip-conflicts');
  expect(rest.stderr.match(/Skipped .*/gu)).toEqual([
    'Skipped 1 step (changed since the plan): user.carol. Re-plan to include it.',
  ]);
  await declare('Karoline', 'Hall');
  expect(await differencesIn(at.cwd)).toEqual([]);
});

test('creates every user once when it ran out of time and is applied again', async () => {
  const { at, running } = await connected(crowd(60));
  const slow = at.with({ env: { CHATFORM_RATE_PLAN: '10k_mau' } });
  await slow.does('plan --out plan.chatform');
  await slow.ends('apply plan.chatform --max-duration 2s', 9);
  const created = (await keysOf(running, user)).length;
  expect(created).toBeGreaterThan(0);
  expect(created).toBeLessThan(60);
  await at.does('apply plan.chatform --report report.json');
  expect(running.stats.requests.get('POST /users')).toBe(60);
  // The shortest possible time is that of the remaining calls; for all calls, at 20 per second, it is 2.95 s.
  expect((await at.readJson('report.json')).lower_bound_s).toBeLessThan(2.95);
  await slow.does('plan --detailed-exitcode');
});
