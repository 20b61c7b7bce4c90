// Tests what a run reports: to people on standard error and on a page, to programs in JSON, however it ended (semantics §12).
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crowd, desk, deskElsewhere } from '../../support/desk.ts';
import { historyFileText } from '../../support/history-files.ts';
import { serve } from '../../support/loopback.ts';
import { connected, type Place, place } from '../../support/place.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { fastClock } from '../../support/run-cli.ts';
import { soon } from '../../support/soon.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

const apply = 'apply --auto-approve --report report.json';
const message = { message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_000 };
const archived = {
  'm.yaml': 'version: 1\nopen_channels: { lobby-1: { messages: { file: lobby.ndjson } } }\n',
  'lobby.ndjson': historyFileText([message]),
};

async function reportIn(at: Place) {
  const report = await at.readJson('report.json');
  expect(publishedSchema('report')(report)).toEqual([]);
  return report;
}

test('ends with 4, names each failed step with its code and advice, and runs independent steps', async () => {
  const { at, call } = await connected(deskElsewhere);
  // Another client has created these.
  await call('POST', '/users', { user_id: 'bob', nickname: 'Robert', profile_url: '' });
  await call('POST', '/open_channels', { channel_url: 'lobby', name: 'Another lobby' });
  const failure = (address: string, call: string) => ({
    address,
    action: 'create',
    call,
    status: 400,
    code: 400202,
    message: expect.stringContaining(`${address} already exists`),
    advice: expect.stringContaining('adopt_equal'),
  });
  await at.ends(
    apply,
    4,
    '1 failure of POST /users, answered with 400, code 400202',
    '1 failure of POST /open_channels, answered with 400, code 400202',
    'create user.bob',
    'create open_channel.lobby',
    'policy: {existing: adopt_equal}',
    'take it into state: chatform adopt open_channel.lobby user.bob',
    'Exit code 4',
  );
  const { steps, failures, ...report } = await reportIn(at);
  expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4 });
  expect(failures).toHaveLength(2);
  expect(failures).toEqual(
    expect.arrayContaining([failure('user.bob', 'POST /users'), failure('open_channel.lobby', 'POST /open_channels')]),
  );
  expect(steps).toMatchObject({ failed: 2, unknown: 0 });
  expect(steps.skipped).toBeGreaterThan(0);
  expect(steps.succeeded + steps.failed + steps.skipped).toBe(steps.planned);
});

test('shows the code and the advice of a failure with --redact, but not the message of the platform', async () => {
  const host = await serve((_request, response) => {
    response.statusCode = 400;
    response.end('{"error":true,"code":400111,"message":"nickname Ada Lovelace is not one of ours"}');
  });
  const env = {
    CHATFORM_BASE_URL: `http://${host}/v3`,
    CHATFORM_API_TOKEN: 'token',
    GITHUB_STEP_SUMMARY: 'summary.md',
  };
  for (const flag of [' --redact', '']) {
    const at = await place({ 'a.yaml': 'version: 1\nusers: { ada: { nickname: Ada Lovelace } }\n' }, env);
    const { stdout, stderr } = await at.ends(`${apply} --events events.ndjson${flag}`, 4);
    const files = await Promise.all(['report.json', 'events.ndjson', 'summary.md'].map((file) => at.read(file)));
    for (const text of [stdout, stderr, ...files]) expect(text.includes('Lovelace')).toBe(flag === '');
    if (flag !== '')
      expect(stderr).toMatch(/answered with 400, code 400111: \[40 characters, \w{10}\]\s+create user\.ada/u);
  }
});

test.skipIf(!existsSync('/dev/full'))('says once that events are missing, and applies all the same', async () => {
  const { at } = await connected({ 'a.yaml': 'version: 1\nusers: { ada: { nickname: A }, bob: { nickname: B } }\n' });
  const { stderr } = await at.does('apply --auto-approve --events /dev/full');
  expect(
    stderr.match(/^warning: events are missing in \/dev\/full, which could not be written: ENOSPC.*$/gmu)?.length,
  ).toBe(1);
});

test('reports 4 for messages that --verify does not find, beside the steps that succeeded', async () => {
  const { at, call } = await connected(archived, { rateLimits: false, behaviours: { dedup: 'ignore' } });
  await at.does(apply);
  await call('POST', '/migration/lobby-1', { messages: [message] });
  await at.write({ 'm.yaml': archived['m.yaml'].replace('messages', 'name: Lobby, messages') });
  await at.ends(`${apply} --verify`, 4);
  const steps = { succeeded: 1, failed: 0 };
  expect(await reportIn(at)).toMatchObject({ outcome: 'incomplete', exit_code: 4, steps });
});

test('stops when existing objects are not in state, and the last advice is about a lost state', async () => {
  const { at } = await connected(crowd(30));
  await at.does('apply --auto-approve');
  const { stderr } = await at.ends(`${apply} --state file:other`, 6, 'state rebuild');
  expect(stderr).not.toContain('Plan again');
  const after = stderr.replace(/\s+/gu, ' ').split('The platform no longer matches the plan.').at(-1);
  expect(after).toContain('make it again from the platform: chatform state rebuild --state file:other');
  expect(await reportIn(at)).toMatchObject({ exit_code: 6, stop_cause: 'not_in_state', steps: { succeeded: 0 } });
  // As it says.
  await at.does('state rebuild --state file:other');
  await at.does('plan --state file:other --detailed-exitcode');
});

test.for([
  { name: 'nothing is left to do', before: 'apply --auto-approve', args: '', exit: 0, outcome: 'done' },
  {
    name: 'another plan was approved',
    before: 'validate',
    args: ' --auto-approve --approved-hash another',
    exit: 6,
    outcome: 'conflict',
  },
  { name: 'the manifests are wrong', before: 'validate', args: ' missing.yaml', exit: 65, outcome: 'refused' },
])('writes a report also without a run: $name', async ({ before, args, exit, outcome }) => {
  const at = await place(desk);
  await at.does(before);
  await at.ends(`apply${args} --report report.json`, exit);
  expect(await reportIn(at)).toMatchObject({ outcome, exit_code: exit, steps: { planned: 0 } });
});

test('removes the report of an earlier run before it starts', async () => {
  const { at, running } = await connected({
    ...crowd(25),
    'report.json': '{\n  "outcome": "done",\n  "steps": {}\n}\n',
  });
  const env = { CHATFORM_BASE_URL: running.url, CHATFORM_API_TOKEN: running.token, CHATFORM_RATE_PLAN: '5k_mau' };
  const child = spawnCli(apply.split(' '), { cwd: at.cwd, env });
  const isAtWork = (): boolean => (running.stats.requests.get('POST /users') ?? 0) >= 3;
  await Promise.race([child.ended, soon(isAtWork)]);
  child.kill('SIGKILL');
  await child.ended;
  expect(await reportIn(at)).toMatchObject({ outcome: 'interrupted', exit_code: 8, steps: { planned: 25 } });
});

test('removes the events of an earlier run when there is nothing to do', async () => {
  const { at } = await connected(deskElsewhere);
  for (const isEmpty of [false, true]) {
    await at.does('apply --auto-approve --events events.ndjson');
    expect((await at.read('events.ndjson')) === '').toBe(isEmpty);
  }
});

test.for([
  ['file.txt/report.json', 'A part of its path is a file, not a folder'],
  ['.', 'It is a folder or a device'],
])('refuses the report %s, which cannot be written, before it sends anything', async ([report = '', why = '']) => {
  const { at, running } = await connected({ ...deskElsewhere, 'file.txt': '' });
  await at.ends(`apply --auto-approve --report ${report}`, 1, 'file.unwritable', why);
  expect(running.stats.requests.size).toBe(0);
});

test('says on the page which application and plan it was, who ran it, and what was called', async () => {
  const at = await place(desk, { GITHUB_ACTOR: 'ann', GITHUB_RUN_ID: '4711', GITHUB_REPOSITORY: 'org/chat', CI: '' });
  const before = await at.content();
  await at.does('rehearse --report rehearsed.html');
  const { 'rehearsed.html': rehearsed = '', ...rest } = await at.content();
  expect(rehearsed).toContain('POST /group_channels');
  expect(rest).toEqual(before);
  await at.with({ env: { CHATFORM_API_TOKEN: 's3cret-token' } }).does('apply --auto-approve --report run.html');
  const page = await at.read('run.html');
  expect(page).toContain('<!doctype html>');
  expect(page).toContain('"user.alice","create","POST /users"');
  expect(page).not.toContain('s3cret-token');
  expect(page).toMatch(/<dt>Application<\/dt><dd>emulator:\.chatform<wbr>\/emulator<\/dd>/u);
  expect(page.replaceAll('<wbr>', '')).toMatch(
    /<dt>Plan hash<\/dt><dd><code>[\da-f]{12}<\/code> <button type="button" class="copy" value="[\da-f]{64}"/u,
  );
  expect(page).toMatch(/<dt>By<\/dt><dd>ann on [^,<]+, job 4711 of org<wbr>\/chat<\/dd>/u);
});

test('writes the page of a failed apply', async () => {
  const rules = [{ fault: 'quota_exceeded', route: 'POST /users', at: [1] }] as const;
  const { at, running } = await connected(deskElsewhere, { faults: { rules: [...rules] } });
  await at.ends('apply --auto-approve --report run.html', 4);
  const page = await at.read('run.html');
  expect(page).toContain('<h2 id="failures">Failures</h2>');
  expect(page).toContain('refused 400 (400306)');
  expect(page).not.toContain(running.token);
});

test('shows a report in each format', async () => {
  const old = '{"outcome":"done","steps":{},"failures":[],"format_version":"2.0"}';
  const at = await place({ ...desk, 'other.json': '{"a":1}', 'old.json': old });
  await at.does(apply);
  const report = await reportIn(at);
  expect(report).toMatchObject({
    application: 'emulator:.chatform/emulator',
    plan_hash: expect.stringMatching(/^[\da-f]{64}$/u),
    by: { user: expect.any(String), host: expect.any(String) },
  });
  const lanes: { route: string; allowed_per_s?: number }[] = report.series.lanes;
  expect(lanes.filter(({ allowed_per_s }) => allowed_per_s === undefined)).toEqual([]);
  expect(lanes.map(({ route }) => route)).toEqual(['/group_channels', '/open_channels', '/users']);
  for (const [flags, says] of [
    ['', 'Done. 5 steps succeeded.'],
    [' --format markdown', '### chatform: Done.'],
    [' --format html', '<h1><strong>chatform</strong> run</h1>'],
  ])
    expect((await at.does(`show report.json${flags}`)).stdout).toContain(says);
  expect(await at.json('show report.json')).toEqual(report);
  await at.ends('show report.json --format sarif', 64, 'A report cannot be shown as sarif.');
  await at.ends('show other.json', 6);
  await at.ends('show old.json', 6, 'file.other-format');
});

test('hides addresses of people in a redacted page', async () => {
  const application = 'application: { base_url: "emulator:e", rate_plan: 100k_mau }\n';
  const people = 'policy: { personal_data: warn }\nusers: { ada@example.com: { nickname: Ada } }\n';
  const at = await place({ 'm.yaml': `version: 1\n${application}${people}` });
  await at.does('apply --auto-approve --redact --report run.html');
  expect(await at.read('run.html')).not.toContain('ada@');
});

test('writes the page of a verification, also from its JSON report', async () => {
  const { at } = await connected(archived);
  await at.does('apply --auto-approve --verify --migration-report m.html m.json');
  const page = await at.read('m.html');
  expect(page).toContain('lobby-<wbr>1');
  expect((await at.run('show m.json --format html')).stdout).toBe(page);
  expect((await at.run('show m.json')).stdout).toContain('1 of 1 channel matched');
});

const withAlice = (url: string) => `
version: 1
application: { base_url: "${url}", rate_plan: 100k_mau }
users: { alice: { nickname: Alice } }
`;

test('prints each attempt with its number under --verbose', async () => {
  const rules = [{ fault: 'error_503', route: 'POST /users', at: [1, 2] }] as const;
  const { at, running } = await connected({}, { faults: { rules: [...rules] } });
  await at.write({ 'chat.yaml': withAlice(running.url) });
  const ended = await at.with({ clock: fastClock(20) }).does('apply --auto-approve --verbose');
  const attempts = ended.stderr.split('\n').filter((line) => line.startsWith('  POST /users:'));
  expect(attempts.map((line) => line.replace(/after \d+ ms/u, 'after 1 ms'))).toEqual([
    '  POST /users: 503 after 1 ms',
    '  POST /users: 503 after 1 ms, attempt 2',
    '  POST /users: 200 after 1 ms, attempt 3',
  ]);
  expect(ended.stdout + ended.stderr).not.toContain(running.token);
});

test.for(['plan --refresh', 'explain user.alice --refresh', 'validate --online'])(
  'prints the request ID of the platform in %s --verbose, and never the token',
  async (command) => {
    const host = await serve((_request, response) => {
      response.writeHead(400, { 'x-request-id': 'req-4711', 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: true, code: 400401, message: 'Invalid API token: s3cret-token.' }));
    });
    const at = await place({ 'chat.yaml': withAlice(`http://${host}/v3`) }, { CHATFORM_API_TOKEN: 's3cret-token' });
    const says = /^ {2}GET \/\S+: 400 after \d+ ms, code 400401, request id req-4711$/mu;
    const ended = await at.ends(`${command} --verbose`, 3, says);
    expect(ended.stdout + ended.stderr).not.toContain('s3cret-token');
    expect((await at.run(command)).stderr).not.toContain('req-4711');
  },
);

test.for<{ name: string; files: Readonly<Record<string, string>>; exit: number; codes: readonly string[] }>([
  {
    name: 'the warnings of the plan that ran',
    files: {
      'policy.yaml': "version: 1\npolicy: { rules: [{ name: ask, level: warning, when: 'true', message: Ask. }] }\n",
    },
    exit: 0,
    codes: ['plan.rule'],
  },
  {
    name: 'the refusals of a plan that did not run',
    files: {
      'policy.yaml': "version: 1\npolicy: { rules: [{ name: ask, when: 'true', message: Ask bob@example.com. }] }\n",
    },
    exit: 5,
    codes: ['safety.rule'],
  },
  {
    name: 'the problems of manifests that are not valid',
    files: { 'more.yaml': 'version: 1\nuser: {}\n' },
    exit: 65,
    codes: ['manifest.unknown-key'],
  },
  { name: 'nothing where there is nothing to say', files: {}, exit: 0, codes: [] },
])('has as diagnostics $name', async ({ files, exit, codes }) => {
  const at = await place({ ...desk, ...files });
  await at.ends(`${apply} --redact`, exit);
  const report = await reportIn(at);
  expect((report.diagnostics ?? []).map(({ code }: { readonly code: string }) => code)).toEqual(codes);
  expect(Object.hasOwn(report, 'diagnostics')).toBe(codes.length > 0);
  expect(JSON.stringify(report)).not.toContain('bob@example.com');
});
