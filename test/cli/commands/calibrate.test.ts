// Tests chatform calibrate over HTTP against the emulator, with a clock on which waiting takes no time.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/model/ports.ts';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import { digestText } from '../../../src/lib/digest.ts';
import { fill } from '../../support/odd-content.ts';
import { connected } from '../../support/place.ts';
import { publishedSchema } from '../../support/published-schema.ts';

const startMs = 1_770_000_000_250;

async function ward(behaviours: Partial<Behaviours> = {}, files: Readonly<Record<string, string>> = {}) {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    date: () => new Date(startMs + now),
    sleep: async (ms) => {
      now += ms;
    },
  };
  const options = { ratePlan: '10k_mau', behaviours, clock: () => startMs + now } as const;
  const { at: there, running: emulator, call } = await connected(files, options);
  const at = there.with({ env: { CHATFORM_RATE_PLAN: '10k_mau' } });
  const { host, pathname } = new URL(emulator.url);
  // State measures its own patience, so only the calibration has the clock of the platform.
  return { at, calibration: at.with({ clock }), application: host + pathname, emulator, call };
}

const numbers = Array.from({ length: 40 }, (_, index) => index);
const crowd = `version: 1
users:
${numbers.map((index) => `  ann-${index}: { nickname: Ann }\n`).join('')}
open_channels:
${numbers.map((index) => `  hall-${index}: { name: Hall }\n`).join('')}`;

describe('asks', () => {
  test('and changes nothing without a yes', async () => {
    const { at, calibration, call } = await ward();
    await calibration.ends('calibrate', 64, 'pass --auto-approve');
    await calibration.with({ answers: ['n'] }).ends('calibrate', 5, /needs at most \d+ calls, and takes about \d/u);
    await calibration.with({ answers: ['y'] }).ends('calibrate', 5, 'Not confirmed.');
    expect(await call('GET', '/users')).toMatchObject({ users: [] });
    expect(await at.content()).toEqual({});
  });

  test('and refuses an application with more than 1,000 users before it does', async () => {
    const { at, calibration, emulator } = await ward();
    const users = Array.from({ length: 1001 }, (_, index) => ({
      user_id: `u${index}`,
      nickname: 'U',
      profile_url: '',
    }));
    fill(
      emulator,
      users.map((body) => ({ method: 'POST', path: '/users', body })),
    );
    await calibration.ends('calibrate --auto-approve', 5, 'more than 1000 users');
    expect(await at.content()).toEqual({});
    await calibration.with({ answers: ['no'] }).ends('calibrate --any-size', 5, 'Not confirmed.');
  });
});

const note = (application: string, made: readonly object[]) => ({
  [`.chatform/calibrate-${digestText(application).slice(-12)}.json`]: JSON.stringify({ application, made }),
});

test('removes what an interrupted run left, prints and writes the behaviours, and leaves nothing', async () => {
  const { at, calibration, application, emulator, call } = await ward({ planLimits: 'method', dedup: 'refuse' });
  await call('POST', '/users', { user_id: 'chatform-calibrate-abcdefgh-ann', nickname: 'A', profile_url: '' });
  const made = ['ann', 'bob'].map((name) => ({ kind: 'user', id: `chatform-calibrate-abcdefgh-${name}` }));
  await at.write(note(application, made));
  const page = await readFile(new URL('../../../examples/verification.md', import.meta.url), 'utf8');
  const [, words = ''] = /^npx --no-install chatform (calibrate .*) > behaviour.md/mu.exec(page) ?? [];
  const { stdout } = await calibration
    .with({ answers: ['yes'] })
    .ends(words, 0, 'first removes 2 objects left by an interrupted run', '6 users, 4 group channels, 3 open channels');
  expect(stdout).toContain(`# Behaviour of \`${application}\``);
  expect(stdout).toContain('| `profileImage` | a user without a picture | `required` | POST /users → 400105 |');
  const behaviours = await at.readJson('chatform-behaviours.json');
  expect(publishedSchema('behaviours')(behaviours)).toEqual([]);
  expect(behaviours).toMatchObject({ behaviours: { planLimits: { value: 'method' }, dedup: { value: 'refuse' } } });
  expect(JSON.stringify(behaviours)).not.toMatch(new RegExp(`${emulator.token}|chatform-calibrate`, 'u'));
  expect(await call('GET', '/users')).toMatchObject({ users: [] });
  expect(await call('GET', '/open_channels')).toMatchObject({ channels: [] });
  expect(await call('GET', '/group_channels?show_empty=true')).toMatchObject({ channels: [] });
  expect(await at.content('.chatform')).toEqual({});
});

test.each([
  { of: 'an object that is not its own', made: [{ kind: 'user', id: 'ann' }] },
  { of: 'a kind that it does not make', made: [{ kind: 'bot', id: 'chatform-calibrate-abcdefgh-ann' }] },
])('refuses a note of $of', async ({ made }) => {
  const { at, calibration, application } = await ward();
  await at.write(note(application, made));
  await calibration.ends('calibrate --auto-approve', 6, 'is not a record of chatform calibrate');
});

const valid = (application: string, behaviours: object) => {
  const file = {
    format_version: '1.0',
    application,
    date: '2026-01-01T00:00:00Z',
    chatform: '0.3.0',
    behaviours,
  };
  return { 'chatform-behaviours.json': JSON.stringify(file, undefined, 2) };
};

describe('a behaviours file', () => {
  test.each([
    { behaviours: { dedup: { value: 'maybe', evidence: '' } }, says: /chatform-behaviours\.json:8:16/u },
    { behaviours: { dedupe: { undecided: 'x' } }, says: /chatform-behaviours\.json:7:5/u },
    { behaviours: { dedup: 'skip' }, says: /dedup: expected a map, received the text "skip"/u },
    { behaviours: { dedup: { value: 'skip' } }, says: /dedup needs either value and evidence, or undecided/u },
  ])('is refused with its place: $behaviours', async ({ behaviours, says }) => {
    const { at, application } = await ward({}, { 'chat.yaml': crowd });
    await at.write(valid(application, behaviours));
    const { stdout, stderr } = await at.ends('plan', 65);
    expect(stderr + stdout).toMatch(says);
  });

  test('counts for its own application alone', async () => {
    const { at, application } = await ward({}, { 'chat.yaml': crowd });
    const method = { planLimits: { value: 'method', evidence: 'x' }, userScope: { value: 'named', evidence: 'x' } };
    await at.write(valid(`other-${application}`, method));
    expect((await at.run('plan')).stdout).toContain('if the');
    await at.write(valid(application, method));
    const { stdout } = await at.run('plan');
    expect(stdout).toContain('Takes at least 4 s, limited by POST at 20/s.\n');
    expect(stdout).not.toContain('if the');
  });

  test('that states windows of a minute is what a plan counts in', async () => {
    const { at, application } = await ward({}, { 'chat.yaml': crowd });
    const stated = { windowSeconds: 60, readsPerWindow: 600, changesPerWindow: 100 };
    const results = Object.entries(stated).map(([name, value]) => [name, { value, evidence: 'x' }]);
    const scopes = { planLimits: { value: 'method', evidence: 'x' } };
    await at.write(valid(application, { ...Object.fromEntries(results), ...scopes }));
    expect((await at.run('plan')).stdout).toContain('Takes at least 47 s, limited by POST at 1.67/s');
  });

  test('is what a rehearsal plays', async () => {
    const { at, application } = await ward({}, { 'chat.yaml': crowd });
    const byMethod = { planLimits: { value: 'method', evidence: 'x' }, window: { value: 'gcra', evidence: 'x' } };
    const durations: number[] = [];
    for (const behaviours of [{}, byMethod]) {
      await at.write(valid(application, behaviours));
      durations.push((await at.json('rehearse')).duration_s);
    }
    expect(durations).toEqual([expect.closeTo(2, 0), expect.closeTo(4, 0)]);
  });
});
