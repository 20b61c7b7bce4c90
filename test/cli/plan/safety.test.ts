// Tests the safety rules across runs of the real command line: the loaded sources and the acknowledgements in use.
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import type { Clock } from '../../../src/core/model/ports.ts';
import { writeFiles } from '../../support/folders.ts';
import { Place } from '../../support/place.ts';
import { copiesOf } from '../../support/temporary-folder.ts';

const apply = 'apply --auto-approve';
const application = 'version: 1\napplication: { base_url: "emulator:.chatform/data", rate_plan: 100k_mau }\n';

function people(from: number, to: number): string {
  const users = Array.from({ length: to - from }, (_, at) => `  u${from + at}: { nickname: U }\n`).join('');
  return `version: 1\nusers:\n${users}`;
}

const said = (count: number, expires = '2099-01-01') => ({
  'policy.yaml': `version: 1\npolicy: { acknowledge: [{ effect: user.deactivate, count: ${count}, expires: ${expires} }] }\n`,
});

/** The real clock on another day. */
function on(day: string): { readonly clock: Clock } {
  const shift = Date.parse(`${day}T12:00:00Z`) - Date.now();
  return { clock: { ...nodeClock, date: () => new Date(nodeClock.date().getTime() + shift) } };
}

/** Forty users have been applied, from two files. */
const crowded = copiesOf(async (cwd) => {
  await writeFiles(cwd, { 'app.yaml': application, 'a.yaml': people(0, 20), 'b.yaml': people(20, 40) });
  await new Place(cwd).does(apply);
});

describe('a load that declares less than the last apply', () => {
  test.for([
    { name: 'a file is missing', text: undefined, exit: 5, says: 'b.yaml was not read' },
    { name: 'a few are gone', text: people(20, 31), exit: 0, says: '' },
    { name: 'a file was cut', text: people(20, 25).slice(0, -8), exit: 65, says: 'manifest.' },
  ])('$name', async ({ text, exit, says }) => {
    const at = new Place(await crowded());
    if (text === undefined) await rm(at.path('b.yaml'));
    else await at.write({ 'b.yaml': text });
    const before = await at.content();
    const ended = await at.ends(apply, exit, says);
    if (exit === 0) return;
    expect(ended.stdout).toBe('');
    expect(await at.content()).toEqual(before);
  });

  test('distinguishes a missing path from one that declares less', async () => {
    const at = new Place(await crowded());
    await at.ends('plan nowhere', 65, 'manifest.not-found');
    await at.ends('plan app.yaml a.yaml', 5, 'users: 40 at the last apply, 20 now');
  });

  test('accepts objects that moved to other files, and does not check a partial plan', async () => {
    const at = new Place(await crowded());
    await rm(at.path('b.yaml'));
    await at.does('plan --target user.u0');
    await at.write({ 'a.yaml': people(0, 5), 'deep/c.yaml': people(5, 40) });
    await at.does('plan --detailed-exitcode');
  });

  test('needs one acknowledgement for the load and the removal, which is used up afterwards', async () => {
    const at = new Place(await crowded());
    await rm(at.path('b.yaml'));
    await at.write(said(20));
    await at.does(apply);
    expect((await at.does('plan --detailed-exitcode')).stdout).toContain('safety.spent');
  });
});

const off = (text: string) => text.replaceAll('nickname: U', 'nickname: U, deactivated: true');
test.for<{ name: string; files: Record<string, string>; out: string; exit: number; has: string }>([
  {
    name: 'refused for what it does',
    files: { 'a.yaml': off(people(0, 20)), 'b.yaml': off(people(20, 40)) },
    out: '',
    exit: 5,
    has: 'refusals',
  },
  { name: 'refused for what is missing', files: { 'b.yaml': 'version: 1\n' }, out: '', exit: 5, has: 'refusals' },
  { name: 'not saved', files: {}, out: ' --out a.yaml/plan.chatform', exit: 1, has: 'changes' },
])('prints one JSON document for a plan that is $name', async ({ files, out, exit, has }) => {
  const at = new Place(await crowded());
  await at.write(files);
  const ended = await at.ends(`plan --format json${out}`, exit, 'error[');
  expect(JSON.parse(ended.stdout)).toHaveProperty(has);
});

test.for([
  { name: 'one folder', flags: '', prefix: '' },
  { name: 'this folder with --each', flags: ' --each .', prefix: '' },
  { name: 'a folder of several', flags: ' --each estate other', prefix: '.estate' },
])('shows a refused plan in all views, and saves none: $name', async ({ flags, prefix }) => {
  const at = new Place(await crowded());
  if (prefix !== '') {
    const files = ['app.yaml', 'a.yaml', 'b.yaml'];
    const texts = await Promise.all(files.map(async (file) => [`estate/${file}`, await at.read(file)] as const));
    for (const file of [...files, '.chatform']) await rm(at.path(file), { recursive: true });
    await at.write({ ...Object.fromEntries(texts), 'other/app.yaml': application.replace('/data', '/other') });
    await at.does(`${apply}${flags}`);
  }
  const folder = prefix === '' ? '' : 'estate/';
  await rm(at.path(`${folder}b.yaml`));
  const views = '--write markdown=plan.md html=plan.html sarif=plan.sarif json=plan.json';
  const { stdout } = await at.ends(
    `plan${flags} --format github --out plan.chatform ${views}`,
    5,
    'safety.input-shrank',
  );
  expect(stdout).toMatch(/^::error .*\(safety\.input-shrank\)::/mu);
  expect(stdout).toMatch(/^::warning .*\(danger\.deactivate\)::/mu);
  const saved = Object.keys(await at.content()).filter((name) => name.endsWith(`plan${prefix}.chatform`));
  expect(saved).toEqual([]);

  const lines = 'policy:\n  acknowledge:\n    - { effect: user.deactivate, count: 20 }\n';
  const comment = await at.read('plan.md');
  expect(comment).toMatch(/^<!-- chatform:plan (?:application|each)=[^\n]+ -->\n/u);
  const places = ['⛔ Refused by ', 'error[safety.input-shrank]', lines, 'Restricts access', 'user.u39'].map((text) =>
    comment.indexOf(text),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((left, right) => left - right));
  expect(await at.read(`plan${prefix}.html`)).toContain('effect: user.deactivate, count: 20');
  const { runs } = await at.readJson(`plan${prefix}.sarif`);
  // No file has the line that is missing.
  const [{ toolExecutionNotifications: withoutLine }] = runs[0].invocations;
  expect(withoutLine[0]).toMatchObject({ descriptor: { id: 'safety.input-shrank' }, level: 'error' });
  const document = await at.readJson('plan.json');
  const { refusals, summary } = flags === '' ? document : document.each[0].result;
  expect(refusals).toMatchObject([{ acknowledge: { effect: 'user.deactivate', count: 20 } }]);
  expect(summary).toEqual({ deactivate: 20 });

  // The lines work as they are.
  await at.write({ [`${folder}policy.yaml`]: `version: 1\n${lines}` });
  await at.does(`plan${flags}`);
});

test('leaves the reason in place of a plan that cannot be made, and no older plan', async () => {
  const at = new Place(await crowded());
  await at.write({
    'plan.md': '<!-- chatform:plan application=x -->\nAn older plan.\n',
    'b.yaml': 'version: 1\nusers: { u0: 5 }\n',
  });
  await at.ends('plan --write markdown=plan.md', 65);
  expect(await at.read('plan.md')).toMatch(/^### chatform: no plan \(exit code 65\)\n\n```text\nerror\[manifest\./u);
});

describe('an acknowledgement that expires', () => {
  const [first, second] = [on('2026-06-01'), on('2026-06-02')];

  async function shrunk(): Promise<Place> {
    const at = new Place(await crowded());
    await at.write({ 'b.yaml': 'version: 1\n', ...said(20, '2026-06-01') });
    return at;
  }

  test('allows an interrupted run to be finished afterwards', async () => {
    const at = await shrunk();
    await at.with(first).ends(`${apply} --max-duration 0s`, 9);
    expect((await at.run('state list')).stdout).not.toContain('chatform.');
    await at.with(second).does(apply);
  });

  test('takes the saved plan that needs it with it', async () => {
    const at = await shrunk();
    await at.with(first).does('plan --out plan.chatform');
    await at.with(second).ends('apply plan.chatform', 5, 'safety.expired');
    await at.with(first).does('apply plan.chatform');
  });
});

test('takes patterns as --target and --exclude, and refuses one that matches nothing', async () => {
  const at = new Place(await crowded());
  await at.write({ 'a.yaml': people(0, 20).replaceAll('nickname: U', 'nickname: V') });
  const plan = await at.json('plan --target user.u1*');
  expect(plan).toMatchObject({ summary: { update: 11 }, warnings: [{ code: 'plan.partial' }] });
  await at.ends(`${apply} --target user.x* user.u1`, 64, '--target "user.x*" matches nothing');
  expect(await at.json('plan --exclude user.u1*')).toMatchObject({ summary: { update: 9 } });
  await at.ends(`${apply} --exclude user.x* user.u1`, 64, '--exclude "user.x*" matches nothing');
  const channel = 'version: 1\ngroup_channels:\n  room: { members: { new: } }\nusers:\n  new: { nickname: N }\n';
  await at.write({ 'b.yaml': channel });
  await at.ends('plan --target group_channel.room --exclude user.new --detailed-exitcode', 2);
});
