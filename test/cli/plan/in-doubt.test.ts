// Tests the note of plan and explain about an interrupted run, and that an apply that resolves it removes the note.
import { expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import type { Step } from '../../../src/model/step.ts';
import { openBackend } from '../../../src/state/index.ts';
import { desk } from '../../support/desk.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { beginOf } from '../../support/state/fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const state = 'file:state';
const base = 'emulator:.chatform/emulator';

function renamed(key: string): Step {
  return {
    id: `user.${key}#1`,
    address: `user.${key}`,
    action: 'update',
    phase: 'user',
    request: { method: 'PUT', route: '/users/{user_id}', params: { user_id: key }, body: { nickname: key } },
    entry: { type: 'patch', address: `user.${key}`, edits: [{ op: 'set', path: ['nickname'], value: key }] },
    needs: [],
    begin: false,
    doneOn: [],
  };
}

/** The state that a run leaves when it is killed while it waits for answers. */
async function cutOff(cwd: string, keys: readonly string[]): Promise<void> {
  const backend = await openBackend(state, {
    clock: nodeClock,
    owner: { user: 'ci', host: 'here', pid: 1 },
    newId: () => 'lineage',
    cwd,
  });
  const [application = ''] = await backend.applications();
  const writer = await backend.open({ application, lockTimeoutMs: 0 });
  for (const key of keys) {
    const begin = beginOf(`user.${key}#1`, `user.${key}`);
    await writer.begin({ ...begin, planned: renamed(key) });
  }
  await writer.close();
}

test.for([
  { keys: ['alice'], golden: 'one' },
  { keys: ['f', 'e', 'd', 'alice', 'bob'], golden: 'many' },
])('names the calls in doubt as in the golden $golden', async ({ keys, golden }) => {
  const cwd = await temporaryFolder(desk);
  const run = (...args: string[]) =>
    runCli(args, { cwd, env: { CHATFORM_STATE: state, CHATFORM_BASE_URL: base, CHATFORM_API_TOKEN: 'token' } });
  expect(await run('apply', '--auto-approve')).toMatchObject({ exit: 0 });
  const calm = await run('plan');
  expect(calm.stdout).not.toContain('in-doubt');
  await cutOff(cwd, keys);

  const planned = await succeeded(run('plan'));
  await expect(planned.stdout).toMatchFileSnapshot(`goldens/in-doubt-${golden}.txt`);
  const { warnings } = JSON.parse((await run('plan', '--format', 'json')).stdout);
  expect(warnings).toMatchObject([{ severity: 'note', code: 'plan.in-doubt' }]);

  const [explained, other] = await Promise.all([run('explain', 'user.bob'), run('explain', 'user.carol')]);
  expect(explained.stdout.includes('plan.in-doubt')).toBe(keys.includes('bob'));
  expect(other.stdout).not.toContain('plan.in-doubt');

  await succeeded(run('apply', '--auto-approve'));
  expect((await run('plan')).stdout).not.toContain('plan.in-doubt');
});
