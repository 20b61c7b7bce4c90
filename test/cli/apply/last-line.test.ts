// Tests that the last line of an apply that met something unexpected is the right advice, and works when it is pasted.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Connected, connected } from '../../support/place.ts';

const users = (count: number) =>
  `version: 1\nusers:\n${Array.from({ length: count }, (_, at) => `  u${at}: { nickname: U }\n`).join('')}`;
const room = 'version: 1\ngroup_channels: { room: { name: Room, members: { u0: , u1: } } }\n';

interface Case {
  readonly name: string;
  readonly flags?: string;
  readonly count?: number;
  /** What happens after the first apply. */
  readonly night: (place: Connected) => Promise<unknown>;
  readonly exit: number;
  readonly advice: RegExp;
  /** What the output must not say beside the advice. */
  readonly not?: RegExp;
}

const loseState = ({ at }: Connected) => rm(at.path('kept'), { recursive: true });
const notTheSame = /run the same command again|in state, plan again/u;

const cases: readonly Case[] = [
  {
    name: 'a lost state of three objects',
    flags: ' --state file:kept',
    night: loseState,
    exit: 4,
    advice: /If the state was lost, make it again from the platform: {5}chatform state rebuild --state file:kept$/u,
    not: notTheSame,
  },
  {
    name: 'a lost state of thirty objects',
    flags: ' --state file:kept',
    count: 30,
    night: loseState,
    exit: 6,
    advice: /chatform state rebuild --state file:kept$/u,
    not: notTheSame,
  },
  {
    name: 'one object that exists beside others that do not',
    night: async ({ at, call }) => {
      await call('POST', '/users', { user_id: 'u2', nickname: 'U', profile_url: '' });
      await at.write({ 'a.yaml': users(4) });
    },
    exit: 4,
    advice: /If it is what is declared, take it into state: {5}chatform adopt user\.u2$/u,
    not: notTheSame,
  },
  {
    name: 'a user that somebody deleted',
    flags: ' .',
    night: async ({ at, call }) => {
      await call('DELETE', '/users/u1');
      await at.write({ 'a.yaml': users(2).replaceAll('U }', 'V }') });
    },
    exit: 4,
    advice: /deleted elsewhere since the last apply\. [^:]+: {5}chatform apply --refresh \.$/u,
    not: /run the same command again|An apply then/u,
  },
  {
    name: 'a channel that somebody removed',
    night: async ({ at, call }) => {
      await call('DELETE', '/group_channels/room');
      await at.write({ 'room.yaml': room.replace('name: Room', 'name: Lounge') });
    },
    exit: 4,
    advice: /chatform apply --refresh$/u,
    not: /run the same command again|An apply then/u,
  },
];

test.for(cases)('$name', async ({ flags = '', count = 2, night, exit, advice, not }) => {
  const place = await connected({ 'room.yaml': room, 'a.yaml': users(count) });
  const { at, running } = place;
  await at.write({ 'app.yaml': `version: 1\napplication: { base_url: "${running.url}", rate_plan: 5k_mau }\n` });
  const apply = `apply${flags} --auto-approve`;
  await at.does(apply);
  await night(place);
  const { stderr } = await at.ends(apply, exit);
  const said = stderr.trimEnd().replaceAll('\n', ' ');
  expect(said).toMatch(advice);
  if (not !== undefined) expect(said).not.toMatch(not);
  const [, line = ''] = /\n {4}chatform (.*)\n$/u.exec(stderr) ?? [];
  await at.does(line.startsWith('apply') ? `${line} --auto-approve` : line);
  // Pasted, it leads back to a run that succeeds and leaves nothing to do.
  await at.does(apply);
  await at.does(`plan${flags} --refresh --detailed-exitcode`);
});

test('a plan that no longer allows a call names who can change it, and the same command then continues', async () => {
  const rules = [{ fault: 'quota_exceeded' as const, route: 'POST /users', at: [1, 2, 3] }];
  const { at, running } = await connected({ 'a.yaml': users(3) }, { rateLimits: false, faults: { rules } });
  await at.write({ 'app.yaml': `version: 1\napplication: { base_url: "${running.url}", rate_plan: 5k_mau }\n` });
  const { stderr } = await at.ends('apply --auto-approve', 4, 'Raise it, then run the same command again.');
  expect(stderr.trimEnd().replaceAll('\n', ' ')).toMatch(
    /Fix the problems listed above, then run the same command again\.$/u,
  );
  await at.does('apply --auto-approve');
  await at.does('plan --refresh --detailed-exitcode');
});
