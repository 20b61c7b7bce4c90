// Tests the findings of `validate --online`, and that it only reads.

import { expect, test } from 'vitest';
import { checkOnline } from '../../../src/core/app/validate/online-checks.ts';
import type { Platform } from '../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import type { EmulatorOptions, RunningEmulator } from '../../../src/emulator/server.ts';
import { deskElsewhere, reaching } from '../../support/desk.ts';
import { connected } from '../../support/place.ts';
import { type CliEnd, fastClock } from '../../support/run-cli.ts';

interface Case {
  readonly name: string;
  readonly emulator?: EmulatorOptions;
  readonly env?: Readonly<Record<string, string>>;
  /** Applied before the check, so that there are channels. */
  readonly isFilled?: boolean;
  readonly more?: string;
  readonly exit: number;
  readonly codes: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'all is well',
    emulator: { ratePlan: '100k_mau' },
    exit: 0,
    codes: ['note online.rate-plan', 'note online.reached'],
  },
  {
    name: 'the declared rate plan is too fast',
    emulator: { ratePlan: '5k_mau' },
    exit: 0,
    codes: ['warning online.rate-plan', 'note online.reached'],
  },
  {
    name: 'no headers',
    emulator: { rateLimits: false },
    exit: 0,
    codes: ['note online.rate-unknown', 'note online.reached'],
  },
  {
    name: 'messages can be read, tried on a channel',
    emulator: { ratePlan: '100k_mau' },
    isFilled: true,
    exit: 0,
    codes: ['note online.rate-plan', 'note online.reached', 'note online.retrieval'],
  },
  {
    name: 'messages cannot be read',
    emulator: { ratePlan: '100k_mau', behaviours: { messageRetrieval: 'off' } },
    isFilled: true,
    exit: 0,
    codes: ['warning online.retrieval', 'note online.rate-plan', 'note online.reached'],
  },
  {
    name: 'declared invitations, and users who accept by themselves',
    emulator: { ratePlan: '100k_mau' },
    more: 'group_channels:\n  tea-room:\n    name: Tea\n    members: { alice: { invitation_status: invited_by_friend } }\n',
    exit: 0,
    codes: ['note online.auto-accept', 'note online.rate-plan', 'note online.reached'],
  },
  {
    name: 'answers that cannot be trusted at first',
    emulator: { ratePlan: '100k_mau', faults: { rules: [{ fault: 'error_503', at: [1] }] } },
    exit: 0,
    codes: ['note online.rate-plan', 'note online.reached'],
  },
  { name: 'a wrong token', env: { CHATFORM_API_TOKEN: 'wrong' }, exit: 3, codes: [] },
  { name: 'nobody there', env: { CHATFORM_BASE_URL: 'http://127.0.0.1:1/v3' }, exit: 1, codes: [] },
];

test.for(cases)('reports when $name', async ({ emulator = {}, env = {}, isFilled = false, more = '', exit, codes }) => {
  const { at, running } = await connected(
    {
      ...deskElsewhere,
      ...(more === '' ? {} : { 'more.yaml': `version: 1\n${more}` }),
    },
    { rateLimits: true, ...emulator },
  );

  if (isFilled) await at.does('apply --auto-approve');
  const before = writesOf(running);
  const end = await at
    .with({ clock: fastClock(50), env: { ...reaching(running), ...env } })
    .run('validate --online --format json');
  expect(end, end.stderr).toMatchObject({ exit });
  if (exit === 0) expect(codesIn(end)).toEqual(codes);
  else expect(end.stderr).toMatch(/\n {4}Check /u);
  expect(writesOf(running)).toBe(before);
  expect(end.stdout + end.stderr).not.toContain(running.token);
});

test('asks each list of channels only with filters that the vendor documents for it', async () => {
  const asked: ApiRequest[] = [];
  const platform: Platform = {
    send: async (request) => {
      asked.push(request);
      return { type: 'ok', body: { channels: [] } };
    },
  };
  const declares = { declaresInvitations: false, declaresMessages: false };
  const about = { application: 'a', ratePlan: '5k_mau', limits: () => [], clock: fastClock(50), resources: [] };
  await checkOnline({ platform, ...about, ...declares });
  expect(asked.map(({ route, query }) => [route, query])).toEqual([
    ['/users', { limit: '1', active_mode: 'all' }],
    ['/open_channels', { limit: '1' }],
    ['/group_channels', { limit: '1', show_empty: 'true' }],
  ]);
});

test('sends nothing while the manifests have errors', async () => {
  const { at, running } = await connected({ 'bad.yaml': 'version: 1\nusers:\n  alice: { nick: Alice }\n' });

  await at.ends('validate --online', 65);
  expect(running.stats.requests.size).toBe(0);
});

function codesIn({ stdout }: CliEnd): string[] {
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { severity: string; code: string }[] };
  return diagnostics.map(({ severity, code }) => `${severity} ${code}`);
}

function writesOf({ stats }: RunningEmulator): number {
  let writes = 0;
  for (const [route, count] of stats.requests) if (!route.startsWith('GET ')) writes += count;
  return writes;
}
