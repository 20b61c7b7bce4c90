// Tests that bans and mutes end when they are declared to end, whatever the clock of this machine shows.
import { expect, test } from 'vitest';
import { PlatformClock } from '../../../src/core/platform/platform-clock.ts';
import { connected } from '../../support/place.ts';

const hourMs = 3_600_000;

test.for([
  { aheadMs: hourMs, says: 'The clock of this machine is 1 h behind the platform' },
  { aheadMs: -hourMs, says: 'The clock of this machine is 1 h ahead of the platform' },
  { aheadMs: 0, says: undefined },
])('ends bans and mutes by a platform that is $aheadMs ms ahead, and reports the difference once', async (clocks) => {
  const until = new Date(Date.now() + 72 * hourMs).toISOString();
  const text = (banned: string) => `version: 1
users: { alice: { nickname: A }, bob: { nickname: B }, mallory: { nickname: M } }
group_channels:
  room: { name: Room, members: { alice: , bob: }, banned: { ${banned} }, muted: { bob: { until: ${until} } } }
`;
  const { at, call } = await connected({ 'chat.yaml': text('') }, { clock: () => Date.now() + clocks.aheadMs });
  const first = await at.does('apply --auto-approve --no-refresh');
  await at.write({ 'chat.yaml': text(`mallory: { until: ${until} }`) });
  // The ban is the only call of its run, so nothing else shows the clock.
  const second = await at.does('apply --auto-approve --no-refresh');
  const endOf = async (list: string): Promise<number> => {
    const shown = JSON.stringify(await call('GET', `/group_channels/room/${list}`));
    return Number(/"end_at":(\d+)/u.exec(shown)?.[1]);
  };
  for (const list of ['ban', 'mute']) expect(Math.abs((await endOf(list)) - Date.parse(until))).toBeLessThan(10_000);
  const third = await at.does('plan --refresh --detailed-exitcode');
  for (const { stderr } of [first, second, third]) {
    const line = stderr.replaceAll(/\s+/gu, ' ');
    expect(line.split('The clock of this machine')).toHaveLength(clocks.says === undefined ? 1 : 2);
    expect(line).toContain(clocks.says ?? '');
  }
});

test.for([
  { aheadMs: hourMs, exit: 0, says: 'has ended' },
  { aheadMs: -hourMs, exit: 2, says: 'ban' },
])('asks a platform that is $aheadMs ms ahead whether a ban has ended', async ({ aheadMs, exit, says }) => {
  // It has ended by one of both clocks.
  const until = new Date(Date.now() + aheadMs / 2).toISOString();
  const text = (banned: string) => `version: 1
users: { mallory: { nickname: M } }
open_channels: { lobby: { name: Lobby${banned} } }
`;
  const { at } = await connected({ 'chat.yaml': text('') }, { clock: () => Date.now() + aheadMs });
  await at.does('apply --auto-approve --no-refresh');
  await at.write({ 'chat.yaml': text(`, banned: { mallory: { until: ${until} } }`) });
  const refreshed = await at.run('plan --refresh --detailed-exitcode');
  expect([refreshed.exit, refreshed.stdout + refreshed.stderr]).toEqual([exit, expect.stringContaining(says)]);
  // A rebuilt state has what is in force.
  await at.does('state rebuild --state file:other');
  await at.ends('plan --refresh --state file:other --detailed-exitcode', exit);
});

test('uses the clock of this machine for a platform whose answers have no Date', () => {
  const told: number[] = [];
  const clock = new PlatformClock({ date: () => new Date(5_000) }, (ms) => told.push(ms));
  clock.see({ 'content-type': 'application/json' });
  clock.see({ date: 'yesterday' });
  expect([clock.isKnown, clock.date().getTime()]).toEqual([false, 5_000]);
  clock.see({ date: new Date(66_000).toUTCString() });
  clock.see({ date: new Date(70_000).toUTCString() });
  expect([clock.date().getTime(), told]).toEqual([70_000, [61_000]]);
  clock.see({ date: new Date(6_000).toUTCString() });
  expect(clock.date().getTime()).toBe(5_000);
});
