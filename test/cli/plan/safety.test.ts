// Tests the safety rules across runs of the real command line: the loaded sources and the acknowledgements in use.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { editPlan } from '../../support/plan-files.ts';
import { type CliEnd, expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { copiesOf, temporaryFolder } from '../../support/temporary-folder.ts';

const application = {
  'app.yaml': 'version: 1\napplication: { base_url: "emulator:.chatform/data", rate_plan: 100k_mau }\n',
};

function people(from: number, to: number): string {
  const users = Array.from({ length: to - from }, (_, at) => `  u${from + at}: { nickname: U }\n`).join('');
  return `version: 1\nusers:\n${users}`;
}

const policy = (block: string) => ({ 'policy.yaml': `version: 1\npolicy: { ${block} }\n` });
const said = (count: number, expires = '2099-01-01') =>
  policy(`acknowledge: [{ effect: user.deactivate, count: ${count}, expires: ${expires} }]`);

/** The real clock on another day. */
function on(day: string): Clock {
  const shift = Date.parse(`${day}T12:00:00Z`) - Date.now();
  return { ...nodeClock, date: () => new Date(nodeClock.date().getTime() + shift) };
}

async function applyIn(cwd: string, files: Readonly<Record<string, string>>): Promise<void> {
  await writeFiles(cwd, { ...application, ...files });
  await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
}

/** Forty users have been applied. */
const crowded = copiesOf((cwd) => applyIn(cwd, { 'a.yaml': people(0, 40) }));

/** A message is wrapped to the width of the terminal. */
const flat = ({ stderr }: CliEnd) => stderr.replaceAll(/\s+/gu, ' ');

describe('a load that declares less than the last apply', () => {
  const estate = { 'a.yaml': people(0, 20), 'b.yaml': people(20, 40) };

  const estateFolder = copiesOf((cwd) => applyIn(cwd, estate));

  test.for([
    { name: 'a file is missing', text: undefined, exit: 5, says: 'b.yaml was not read' },
    { name: 'a few are gone', text: people(20, 31), exit: 0, says: '' },
    { name: 'a file was cut', text: people(20, 25).slice(0, -8), exit: 65, says: 'manifest.' },
  ])('$name', async ({ text, exit, says }) => {
    const cwd = await estateFolder();
    if (text === undefined) await rm(join(cwd, 'b.yaml'));
    else await writeFiles(cwd, { 'b.yaml': text });
    const before = await contentOf(cwd);
    const ended = await expectEnd(runCli(['apply', '--auto-approve'], { cwd }), exit);
    expect(flat(ended)).toContain(says);
    if (exit === 0) return;
    expect(ended.stdout).toBe('');
    expect(await contentOf(cwd)).toEqual(before);
  });

  test('distinguishes a missing path from one that declares less', async () => {
    const cwd = await estateFolder();
    await expectEnd(runCli(['plan', 'nowhere'], { cwd }), 65, 'manifest.not-found');
    const part = await expectEnd(runCli(['plan', 'app.yaml', 'a.yaml'], { cwd }), 5);
    expect(flat(part)).toContain('users: 40 at the last apply, 20 now');
  });

  test('accepts objects that moved to other files', async () => {
    const cwd = await estateFolder();
    await rm(join(cwd, 'b.yaml'));
    await writeFiles(cwd, { 'a.yaml': people(0, 5), 'deep/c.yaml': people(5, 40) });
    expect(await runCli(['plan', '--detailed-exitcode'], { cwd })).toMatchObject({ exit: 0 });
  });

  test('does not check a partial plan', async () => {
    const cwd = await estateFolder();
    await rm(join(cwd, 'b.yaml'));
    expect(await runCli(['plan', '--target', 'user.u0'], { cwd })).toMatchObject({ exit: 0 });
  });

  test('needs one acknowledgement for the load and the removal, which is used up afterwards', async () => {
    const cwd = await estateFolder();
    await rm(join(cwd, 'b.yaml'));
    await writeFiles(cwd, said(20));
    await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
    const after = await succeeded(runCli(['plan', '--detailed-exitcode'], { cwd }));
    expect(after.stdout).toContain('safety.spent');
  });
});

describe('prints one JSON document for a plan that is', () => {
  test.for<{ name: string; files: Record<string, string>; out: string[]; exit: number; has: string }>([
    {
      name: 'refused for what it does',
      files: { 'a.yaml': people(0, 40).replaceAll('nickname: U', 'nickname: U, deactivated: true') },
      out: [],
      exit: 5,
      has: 'refusals',
    },
    { name: 'refused before it is made', files: { 'a.yaml': people(0, 5) }, out: [], exit: 5, has: 'error' },
    { name: 'not saved', files: {}, out: ['--out', 'a.yaml/plan.chatform'], exit: 1, has: 'changes' },
  ])('$name', async ({ files, out, exit, has }) => {
    const cwd = await crowded();
    await writeFiles(cwd, files);
    const ended = await expectEnd(runCli(['plan', '--format', 'json', ...out], { cwd }), exit, 'error[');
    expect(JSON.parse(ended.stdout)).toHaveProperty(has);
  });
});

describe('an acknowledged run that is interrupted', () => {
  async function begun(expires: string): Promise<string> {
    const cwd = await crowded();
    await writeFiles(cwd, { 'a.yaml': people(0, 20), ...said(20, expires) });
    await expectEnd(runCli(['apply', '--auto-approve', '--max-duration', '0s'], { cwd, clock: on('2026-06-01') }), 9);
    expect((await runCli(['state', 'list'], { cwd })).stdout).not.toContain('chatform.');
    return cwd;
  }

  test('finishes after the acknowledgement expired', async () => {
    const cwd = await begun('2026-06-01');
    await succeeded(runCli(['apply', '--auto-approve'], { cwd, clock: on('2026-06-02') }));
  });
});

test('a saved plan expires with the acknowledgement that it needs', async () => {
  const cwd = await crowded();
  await writeFiles(cwd, { 'a.yaml': people(0, 20), ...said(20, '2026-06-01') });
  await succeeded(runCli(['plan', '--out', 'plan.chatform'], { cwd, clock: on('2026-06-01') }));
  await expectEnd(runCli(['apply', 'plan.chatform'], { cwd, clock: on('2026-06-02') }), 5, 'safety.expired');
  await succeeded(runCli(['apply', 'plan.chatform'], { cwd, clock: on('2026-06-01') }));
});

test('refuses a plan file with a forged record', async () => {
  const cwd = await temporaryFolder({ ...application, 'a.yaml': people(0, 2) });
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  const forged = [{ type: 'put', record: { address: 'user.u0', attributes: { nickname: 'forged' } } }];
  await editPlan(join(cwd, 'plan.chatform'), (text) => {
    const [head = '', ...lines] = text.split('\n').slice(0, -2);
    const body = [JSON.stringify({ ...JSON.parse(head), bookkeeping: forged }), ...lines, ''].join('\n');
    return `${body}#end ${createHash('sha256').update(body).digest('hex')}\n`;
  });
  await expectEnd(runCli(['apply', 'plan.chatform'], { cwd }), 6);
  expect((await runCli(['state', 'list'], { cwd })).stdout).toBe('');
});

test('takes patterns as --target, and refuses one that matches nothing', async () => {
  const cwd = await crowded();
  await writeFiles(cwd, { 'a.yaml': people(0, 40).replaceAll('nickname: U', 'nickname: V') });
  const plan = await runCli(['plan', '--target', 'user.u1*', '--format', 'json'], { cwd });
  expect(JSON.parse(plan.stdout)).toMatchObject({ summary: { update: 11 }, warnings: [{ code: 'plan.partial' }] });
  const none = await expectEnd(runCli(['apply', '--auto-approve', '--target', 'user.x*', 'user.u1'], { cwd }), 64);
  expect(flat(none)).toContain('--target "user.x*" matches nothing');
});
