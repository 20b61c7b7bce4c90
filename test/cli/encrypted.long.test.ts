// Kills `chatform state rekey` while it writes a state anew.
import { expect, test } from 'vitest';
import { runCli, succeeded } from '../support/run-cli.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const key = 'a key that is long enough';
const other = 'another key, as long as that';
const simple = 'version: 1\napplication: { base_url: "emulator:data" }\nusers: { alice: { nickname: Alice } }\n';

test('a rekey that is killed at a random moment: one of the two keys reads everything, and it can be run again', async () => {
  const cwd = await temporaryFolder({ 'chat.yaml': simple });
  await runCli(['apply', '--auto-approve'], { cwd });
  await runCli(['state', 'rekey'], { cwd, env: { CHATFORM_STATE_KEY: key } });
  const both = { CHATFORM_STATE_KEY: other, CHATFORM_STATE_KEY_OLD: key };
  const list = (secret: string) => runCli(['state', 'list'], { cwd, env: { CHATFORM_STATE_KEY: secret } });
  const log = async (secret: string): Promise<number> => {
    const shown = await succeeded(runCli(['state', 'log', '--verify'], { cwd, env: { CHATFORM_STATE_KEY: secret } }));
    return shown.stdout.trimEnd().split('\n').length;
  };
  let entries = await log(key);
  expect(entries).toBe(2);
  for (let round = 0; round < 4; round += 1) {
    const child = spawnCli(['state', 'rekey'], { cwd, env: both });
    const ended = child.ended.then(() => true);
    const isOver = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 900 + round * 250, false))]);
    if (isOver === false) child.kill('SIGKILL');
    await child.ended;
    const found = [await list(key), await list(other)].filter(({ stdout }) => stdout.includes('user.alice'));
    expect(found).toHaveLength(1);
    // The entry counts from the moment from which the new key does.
    const before = entries;
    entries = await log((await list(other)).exit === 0 ? other : key);
    expect(entries - before).toBeLessThanOrEqual(1);
    if (entries === 2) expect((await list(key)).exit).toBe(0);
    else expect((await list(other)).exit).toBe(0);
  }
  expect((await runCli(['state', 'rekey', '--lock-timeout', '2m'], { cwd, env: both })).exit).toBe(0);
  expect((await list(other)).stdout).toContain('user.alice');
});
