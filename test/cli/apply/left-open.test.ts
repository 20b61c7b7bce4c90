// Tests objects that are temporarily reopened when a run ends early: the report names those that are still open, and the next
// run closes them. Uses the real planner, whose closing steps wait for the work.
import { expect, test } from 'vitest';
import type { ApplyEvent } from '../../../src/core/model/event.ts';
import { apply } from '../../../src/library.ts';
import { reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';

const ids = (count: number): string[] => Array.from({ length: count }, (_, place) => `user-${place + 10}`);

/** Deactivated users, which cannot be changed while they are deactivated. */
function closed(count: number, block: string): Readonly<Record<string, string>> {
  const users = ids(count).map((id) => `  ${id}: { ${block}, deactivated: true }\n`);
  const effects = ['user.deactivate', 'user.reactivate'].map((effect) => `{ effect: ${effect}, count: ${count} }`);
  const policy = `policy: { reopen: { deactivated: allow }, acknowledge: [${effects.join(', ')}] }\n`;
  return { 'chat.yaml': `version: 1\n${policy}users:\n${users.join('')}` };
}

/** On the platform, and edited since then. */
async function edited(count: number, now: string) {
  const running = await startPlatform();

  const env = reaching(running);
  const at = await place(closed(count, 'nickname: A'), env);
  await at.does('apply --auto-approve');
  await at.write(closed(count, now));
  const active = async (): Promise<string[]> => {
    const found = await Promise.all(ids(count).map((id) => call(running, 'GET', `/users/${id}`)));
    return ids(count).filter((_, place) => found[place]?.is_active === true);
  };
  /** The address of the platform, for the library. */
  const base = {
    cwd: at.cwd,
    env: { CHATFORM_API_TOKEN: running.token },
    baseUrl: running.url,
    ratePlan: '100k_mau' as const,
  };
  return { cwd: at.cwd, env, running, active, base };
}

test('names the objects that an interrupted run left open, and closes them in the next run', async () => {
  const { cwd, env, active, base } = await edited(3, 'nickname: B');
  const stop = new AbortController();
  const onEvent = (event: ApplyEvent): void => {
    if (event.type === 'step.ended' && event.action === 'reactivate') stop.abort();
  };
  const report = await apply({ ...base, signal: stop.signal, onEvent });
  const open = await active();
  expect(open.length).toBeGreaterThan(0);
  expect(report).toMatchObject({ outcome: 'interrupted', left_open: open.map((id) => `user.${id}`) });

  const told = await expectEnd(runCli(['apply', '--auto-approve', '--max-duration', '0s'], { cwd, env }), 9);
  expect(told.stderr.replaceAll(/\s+/gu, ' ')).toMatch(/still open: user\.user-1.*\. The next run closes (it|them)\./u);

  const last = await apply(base);
  expect(last).toMatchObject({ outcome: 'done' });
  expect(last.left_open).toBeUndefined();
  expect(await active()).toEqual([]);
});

test('closes reopened objects before it gives up after too many failures', async () => {
  const count = 60;
  const { running, active, base } = await edited(count, 'nickname: A, metadata: { team: support }');
  // Others have used up all the metadata that a user may have.
  const theirs = { metadata: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, ''])) };
  for (const id of ids(count)) {
    await call(running, 'PUT', `/users/${id}`, { is_active: true });
    await call(running, 'POST', `/users/${id}/metadata`, theirs);
    await call(running, 'PUT', `/users/${id}`, { is_active: false, leave_all_when_deactivated: false });
  }
  const report = await apply(base);
  expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4 });
  expect(report.steps.failed).toBeGreaterThanOrEqual(50);
  expect(report.left_open).toBeUndefined();
  expect(await active()).toEqual([]);
});
