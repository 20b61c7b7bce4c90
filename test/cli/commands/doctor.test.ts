// Tests chatform doctor over HTTP against the emulator, with a clock on which waiting takes no time.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Readings } from '../../../src/emulator/api/readings.ts';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { digestText } from '../../../src/lib/digest.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { type CliEnd, type CliOptions, expectEnd } from '../../support/run-cli.ts';

interface Ward {
  readonly cwd: string;
  readonly application: string;
  readonly emulator: RunningEmulator;
  run(args: readonly string[], options?: Partial<CliOptions>): Promise<CliEnd>;
  file(): Promise<string>;
}

const startMs = 1_770_000_000_250;

async function ward(readings: Partial<Readings> = {}, files: Readonly<Record<string, string>> = {}): Promise<Ward> {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    date: () => new Date(startMs + now),
    sleep: async (ms) => {
      now += ms;
    },
  };
  const emulator = await startPlatform({ ratePlan: '10k_mau', readings, clock: () => startMs + now });

  const at = await place(files, {
    CHATFORM_API_TOKEN: emulator.token,
    CHATFORM_BASE_URL: emulator.url,
    CHATFORM_RATE_PLAN: '10k_mau',
  });
  return {
    cwd: at.cwd,
    application: new URL(emulator.url).host + new URL(emulator.url).pathname,
    emulator,
    // State measures its own patience, so only the doctor has the clock of the platform.
    run: (args, options) => at.with({ ...(args[0] === 'doctor' ? { clock } : {}), ...options }).run(args),
    file: () => readFile(at.path('chatform-readings.json'), 'utf8'),
  };
}

const numbers = Array.from({ length: 40 }, (_, index) => index);
const crowd = `version: 1
users:
${numbers.map((index) => `  ann-${index}: { nickname: Ann }\n`).join('')}
open_channels:
${numbers.map((index) => `  hall-${index}: { name: Hall }\n`).join('')}`;

describe('asks', () => {
  test.each([
    { options: {}, exit: 64, says: 'pass --yes' },
    { options: { answers: ['y'] }, exit: 5, says: 'Not confirmed.' },
  ])('and changes nothing without a yes: $says', async ({ options, exit, says }) => {
    const { cwd, emulator, run } = await ward();
    await expectEnd(run(['doctor'], options), exit, says);
    expect(await call(emulator, 'GET', '/users')).toMatchObject({ users: [] });
    expect(await readdir(cwd)).toEqual([]);
  });

  test('and refuses an application with more than 1,000 users before it does', async () => {
    const { cwd, emulator, run } = await ward();
    for (let index = 0; index <= 1000; index += 1) {
      const body = { type: 'json', value: { user_id: `u${index}`, nickname: 'U', profile_url: '' } } as const;
      const headers = { 'api-token': emulator.token };
      emulator.platform.handle({ method: 'POST', path: '/v3/users', query: '', headers, body }, startMs);
    }
    const end = await run(['doctor', '--yes']);
    expect([end.exit, end.stderr]).toEqual([5, expect.stringContaining('more than 1000 users')]);
    expect(await readdir(cwd)).toEqual([]);
    expect((await run(['doctor', '--any-size'], { answers: ['no'] })).stderr).toContain('Not confirmed.');
  });
});

const note = (application: string, made: readonly object[]): [string, string] => [
  `doctor-${digestText(application).slice(-12)}.json`,
  JSON.stringify({ application, made }),
];

test('removes what an interrupted run left, prints and writes the readings, and leaves nothing', async () => {
  const { cwd, application, emulator, run, file } = await ward({ planLimits: 'method', dedup: 'refuse' });
  await call(emulator, 'POST', '/users', { user_id: 'chatform-doctor-abcdefgh-ann', nickname: 'A', profile_url: '' });
  const made = ['ann', 'bob'].map((name) => ({ kind: 'user', id: `chatform-doctor-abcdefgh-${name}` }));
  const [name, text] = note(application, made);
  await mkdir(join(cwd, '.chatform'));
  await writeFile(join(cwd, '.chatform', name), text);
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, words = ''] = /^npx --no-install chatform (doctor .*) > readings.md/mu.exec(readme) ?? [];
  const { stdout } = await expectEnd(
    run(words.split(' '), { answers: ['yes'] }),
    0,
    'first removes 2 objects left by an interrupted run',
    '6 users, 4 group channels, 3 open channels',
  );
  expect(stdout).toContain(`# Readings of \`${application}\``);
  expect(stdout).toContain('| `profileImage` | a user without a picture | `required` | POST /users → 400105 |');
  const readings = JSON.parse(await file()) as object;
  expect(publishedSchema('readings')(readings)).toEqual([]);
  expect(readings).toMatchObject({ readings: { planLimits: { value: 'method' }, dedup: { value: 'refuse' } } });
  expect(JSON.stringify(readings)).not.toMatch(new RegExp(`${emulator.token}|chatform-doctor`, 'u'));
  expect(await call(emulator, 'GET', '/users')).toMatchObject({ users: [] });
  expect(await call(emulator, 'GET', '/open_channels')).toMatchObject({ channels: [] });
  expect(await call(emulator, 'GET', '/group_channels?show_empty=true')).toMatchObject({ channels: [] });
  expect(await readdir(join(cwd, '.chatform'))).toEqual([]);
});

test.each([
  { of: 'an object that is not its own', made: [{ kind: 'user', id: 'ann' }] },
  { of: 'a kind that it does not make', made: [{ kind: 'bot', id: 'chatform-doctor-abcdefgh-ann' }] },
])('refuses a note of $of', async ({ made }) => {
  const { cwd, application, run } = await ward();
  const [name, text] = note(application, made);
  await mkdir(join(cwd, '.chatform'));
  await writeFile(join(cwd, '.chatform', name), text);
  const end = await run(['doctor', '--yes']);
  expect([end.exit, end.stderr]).toEqual([6, expect.stringContaining('is not a record of chatform doctor')]);
});

const valid = (application: string, readings: object): string =>
  JSON.stringify(
    { format_version: '1.0', application, date: '2026-01-01T00:00:00Z', chatform: '0.2.0', readings },
    undefined,
    2,
  );

describe('a readings file', () => {
  test.each([
    { readings: { dedup: { value: 'maybe', evidence: '' } }, says: /chatform-readings\.json:8:16/u },
    { readings: { dedupe: { undecided: 'x' } }, says: /chatform-readings\.json:7:5/u },
    { readings: { dedup: 'skip' }, says: /dedup: expected a map, received the text "skip"/u },
    { readings: { dedup: { value: 'skip' } }, says: /dedup needs either value and evidence, or undecided/u },
  ])('is refused with its place: $readings', async ({ readings, says }) => {
    const { cwd, application, run } = await ward({}, { 'chat.yaml': crowd });
    await writeFile(join(cwd, 'chatform-readings.json'), valid(application, readings));
    const end = await run(['plan']);
    expect([end.exit, end.stderr + end.stdout]).toEqual([65, expect.stringMatching(says)]);
  });

  test('counts for its own application alone', async () => {
    const { cwd, application, run } = await ward({}, { 'chat.yaml': crowd });
    const method = { planLimits: { value: 'method', evidence: 'x' }, userScope: { value: 'named', evidence: 'x' } };
    await writeFile(join(cwd, 'chatform-readings.json'), valid(`other-${application}`, method));
    expect((await run(['plan'])).stdout).toContain('if the');
    await writeFile(join(cwd, 'chatform-readings.json'), valid(application, method));
    const { stdout } = await run(['plan']);
    expect(stdout).toContain('Takes at least 4 s, limited by POST at 20/s.\n');
    expect(stdout).not.toContain('if the');
  });

  test('is what a rehearsal plays', async () => {
    const { cwd, application, run } = await ward({}, { 'chat.yaml': crowd });
    const byMethod = { planLimits: { value: 'method', evidence: 'x' }, window: { value: 'gcra', evidence: 'x' } };
    const durations: number[] = [];
    for (const readings of [{}, byMethod]) {
      await writeFile(join(cwd, 'chatform-readings.json'), valid(application, readings));
      const { stdout } = await expectEnd(run(['rehearse', '--format', 'json']), 0);
      durations.push((JSON.parse(stdout) as { duration_s: number }).duration_s);
    }
    expect(durations).toEqual([expect.closeTo(2, 0), expect.closeTo(4, 0)]);
  });
});
