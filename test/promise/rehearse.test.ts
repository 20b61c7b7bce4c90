// Tests `chatform rehearse`: it predicts an apply, sends nothing, changes nothing and needs no token.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../support/folders.ts';
import { expectEnd, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const head = 'version: 1\napplication: { base_url: "https://api-abc.sendbird.com/v3", rate_plan: 5k_mau }\n';
const usersOf = (count: number) =>
  `users:\n${Array.from({ length: count }, (_, place) => `  u${place}: { nickname: N${place} }\n`).join('')}`;
const room =
  'group_channels:\n  room: { members: { u0: , u1: { invitation_status: invited_by_friend } }, frozen: true }\n';
const faultsOf = (rule: object) => ({ 'faults.json': JSON.stringify({ rules: [rule] }) });

async function rehearse(cwd: string, ...args: string[]) {
  const end = await runCli(['rehearse', '--format', 'json', ...args], { cwd });
  return { ...end, told: JSON.parse(end.stdout === '' ? 'null' : end.stdout) };
}

test('simulates minutes in a second, without a token and without files', async () => {
  const slow = head.replace('5k_mau', '5k_mau, limits: { POST: 3 }');
  const cwd = await temporaryFolder({ 'm.yaml': slow + usersOf(300) + room });
  const { exit, told, stdout } = await rehearse(cwd);
  expect({ exit, told }).toMatchObject({ exit: 0, told: { outcome: 'done', limited: 0, next_plan_steps: 0 } });
  expect(told.duration_s).toBeGreaterThan(99);
  expect(told.duration_s).toBeLessThan(106);
  expect(await readdir(cwd)).toEqual(['m.yaml']);
  expect((await rehearse(cwd)).stdout).toBe(stdout);
});

test('shows the duration and the calls', async () => {
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(100) + room });
  const { stdout } = await expectEnd(runCli(['rehearse'], { cwd }), 0);
  for (const text of [
    'The run would succeed (exit code 0): 102 of 102 steps succeed.',
    '% more than the minimum of 9.9 s',
    '100  POST /users',
    'The next plan would be empty.',
  ])
    expect(stdout).toContain(text);
});

test('says why a run would stop early, without a comparison with the shortest duration', async () => {
  const faults = faultsOf({ fault: 'quota_exceeded', route: 'POST /users' });
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(100), ...faults });
  const late = await expectEnd(runCli(['rehearse', '--max-duration', '4s'], { cwd }), 9);
  expect(late.stdout).toMatch(
    /The run would run out of time \(exit code 9\): \d+ of 100 steps succeed, \d+ left to do\.\nIt would stop early: the time limit is reached\.\nIt would take 4(\.\d)? s\.\n/u,
  );
  const { exit, told } = await rehearse(cwd, '--faults', 'faults.json');
  expect(exit).toBe(4);
  expect(told.stopped).toContain('the first 20 steps all failed in the same way');
});

test.for([
  [0, 'succeed', []],
  [4, 'be incomplete', ['--faults', 'faults.json']],
] as const)('says in every document that it was a rehearsal, exit code %i', async ([, would, flags]) => {
  const faults = faultsOf({ fault: 'quota_exceeded', route: 'POST /users' });
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(3), ...faults });
  const { told } = await rehearse(cwd, ...flags, '--report', 'r.json', '--events', 'events.ndjson');
  const [started = ''] = (await readFile(join(cwd, 'events.ndjson'), 'utf8')).split('\n');
  for (const document of [told, JSON.parse(await readFile(join(cwd, 'r.json'), 'utf8')), JSON.parse(started)])
    expect(document).toMatchObject({ rehearsal: true });
  for (const format of ['human', 'markdown', 'html']) {
    const { stdout } = await expectEnd(runCli(['show', 'r.json', '--format', format], { cwd }), 0);
    expect(stdout).toContain(`Rehearsal: the run would ${would}${format === 'html' ? '' : '.'}`);
    expect(stdout).toContain('The rehearsal sent and changed nothing.');
    if (format === 'html') expect(stdout).toMatch(/<title>Rehearsal: .* · chatform rehearsal: /u);
    expect(stdout).not.toMatch(/Done\.|are saved|resumable/u);
  }
});

test.for(['seconds', 'date'])('waits as a gateway asks, in %s', async (form) => {
  const storm = { fault: 'rate_limited', route: 'POST /users', at: [1], times: 3, ms: 120_000, retry_after: form };
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(20), ...faultsOf(storm) });
  const { exit, told } = await rehearse(cwd, '--faults', 'faults.json');
  expect({ exit, told }).toMatchObject({ exit: 0, told: { outcome: 'done', limited: 3 } });
  expect(told.duration_s).toBeGreaterThan(360);
  expect(told.duration_s).toBeLessThan(370);
  const late = await rehearse(cwd, '--faults', 'faults.json', '--max-duration', '5m');
  expect(late.exit).toBe(9);
  // Two waits pass. The third would end after the limit.
  expect(late.told.duration_s).toBeLessThan(245);
});

test('ends after 15 minutes of refusals, and at once when every call is unavailable for days', async () => {
  const storm = { fault: 'rate_limited', route: 'POST /users', ms: 60_000, retry_after: 'seconds' };
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(20), ...faultsOf(storm) });
  const { exit, told } = await rehearse(cwd, '--faults', 'faults.json');
  expect(exit).toBe(4);
  expect(told.stopped).toBe('the platform has refused every call for 15 min with "too many requests"');
  expect(told.limited).toBeLessThan(40);
  await writeFiles(cwd, faultsOf({ fault: 'error_503', ms: 300_000_000, retry_after: 'date' }));
  expect((await rehearse(cwd, '--faults', 'faults.json')).told.stopped).toContain('asks to wait 83 h');
});

test('ends with the exit code of apply when something goes wrong', async () => {
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(3), ...faultsOf({ fault: 'error_503' }) });
  const { exit, told } = await rehearse(cwd, '--faults', 'faults.json');
  expect({ exit, told }).toMatchObject({ exit: 4, told: { steps: { unknown: 3 }, next_plan_steps: 3 } });
  expect((await rehearse(cwd, '--max-duration', '1ms')).exit).toBe(9);
});

test('rehearses a saved plan', async () => {
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(5) + room });
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  const { exit, told } = await rehearse(cwd, 'plan.chatform');
  expect({ exit, told }).toMatchObject({ exit: 0, told: { steps: { succeeded: 7 }, next_plan_steps: 0 } });
});

test('simulates the objects that an edit needs', async () => {
  const emulated = head.replace('https://api-abc.sendbird.com/v3', 'emulator:data');
  const cwd = await temporaryFolder({ 'm.yaml': emulated + usersOf(5) + room });
  await expectEnd(runCli(['apply', '--auto-approve'], { cwd }), 0);
  const data = await readFile(join(cwd, 'data'), 'utf8');
  const nothing = await runCli(['rehearse'], { cwd });
  expect(nothing.stdout).toContain(
    'The run would succeed (exit code 0): there is nothing to do.\nThe next plan would be empty.\n',
  );
  const edited = 'group_channels:\n  room: { members: { u1: , u2: }, operators: [u2], frozen: false }\n';
  await writeFiles(cwd, { 'm.yaml': emulated + usersOf(4) + edited });
  const { exit, told } = await rehearse(cwd);
  expect({ exit, told }).toMatchObject({ exit: 0, told: { failures: [], not_simulated: [] } });
  expect(told.requests).toContainEqual(expect.objectContaining({ route: '/group_channels/{channel_url}/accept' }));
  expect(await readFile(join(cwd, 'data'), 'utf8')).toBe(data);
});

test('returns the schedule, the state, a report and the events at virtual times', async () => {
  const cwd = await temporaryFolder({ 'm.yaml': head + usersOf(50) + room });
  const { exit, told } = await rehearse(cwd, '--report', 'report.json', '--events', 'events.ndjson');
  expect(exit).toBe(0);
  expect(told.state).toEqual([
    { kind: 'user', objects: 50, closed: 0 },
    { kind: 'group_channel', objects: 1, closed: 1 },
  ]);
  expect(told.schedule).toMatchObject([
    { route: 'POST /users', steps: 50 },
    { route: 'POST /group_channels', steps: 1 },
    { route: 'PUT /group_channels/{channel_url}/freeze', steps: 1 },
  ]);
  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
  expect(report).toMatchObject({ outcome: 'done', steps: { planned: 52, succeeded: 52 }, requests: told.requests });
  const lines = (await readFile(join(cwd, 'events.ndjson'), 'utf8')).trimEnd().split('\n');
  const [first, last] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? ''));
  expect([first.type, last.type]).toEqual(['run.started', 'run.ended']);
  expect((Date.parse(last.at) - Date.parse(first.at)) / 1000).toBeCloseTo(told.duration_s, 1);
});
