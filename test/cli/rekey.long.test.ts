// Tests chatform state rekey: every part of the state is under the new key, or all parts are under the old one.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Place } from '../support/place.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const key = 'a key that is long enough';
const other = 'another key, as long as that';

function folderWith(text: string): Promise<string> {
  return temporaryFolder({ 'chat.yaml': text });
}

describe('chatform state rekey', () => {
  const simple = 'version: 1\napplication: { base_url: "emulator:data" }\nusers: { alice: { nickname: Alice } }\n';

  test('encrypts for the first time, with another key, and decrypts', async () => {
    const at = new Place(await folderWith(simple));
    await at.run('apply --auto-approve');
    const list = (env: Record<string, string>) => at.with({ env }).run('state list');
    const rekey = (env: Record<string, string>, ...args: string[]) => at.with({ env }).run(['state', 'rekey', ...args]);
    expect((await rekey({})).stderr).toContain('No new key is set.');
    const first = await rekey({ CHATFORM_STATE_KEY: key });
    expect(first.stdout).toMatch(
      /^The state file:\.chatform\/state is now encrypted with the new key: \d+ records?\.\n$/u,
    );
    expect((await list({})).exit).toBe(5);
    expect((await list({ CHATFORM_STATE_KEY: key })).stdout).toContain('user.alice');
    const second = await rekey({ CHATFORM_STATE_KEY: other, CHATFORM_STATE_KEY_OLD: key });
    expect(second.exit).toBe(0);
    expect((await list({ CHATFORM_STATE_KEY: key })).stderr).toContain('was encrypted with another key');
    expect((await list({ CHATFORM_STATE_KEY: other })).stdout).toContain('user.alice');
    expect((await rekey({ CHATFORM_STATE_KEY: key, CHATFORM_STATE_KEY_OLD: 'a wrong one, long enough' })).exit).toBe(5);
    expect((await rekey({ CHATFORM_STATE_KEY_OLD: other }, '--unencrypted')).stdout).toContain(
      'now stored unencrypted',
    );
    expect((await list({})).stdout).toContain('user.alice');
  });

  const list = (cwd: string, secret: string) => runCli(['state', 'list'], { cwd, env: { CHATFORM_STATE_KEY: secret } });

  async function underKey(): Promise<string> {
    const at = new Place(await folderWith(simple));
    await at.with({ env: { CHATFORM_STATE_KEY: key } }).does('apply --auto-approve');
    return at.cwd;
  }

  const rekeyIn = (cwd: string) =>
    runCli(['state', 'rekey'], { cwd, env: { CHATFORM_STATE_KEY: other, CHATFORM_STATE_KEY_OLD: key } });

  test('leaves everything under the old key if it cannot write the new contents', async () => {
    const at = new Place(await underKey());
    const folder = at.path('.chatform/state');
    const [head = ''] = (await readdir(folder)).filter((name) => name.startsWith('head_'));
    const epoch = Number(head.slice('head_'.length).split('.')[0]) + 1;
    await writeFile(join(folder, `snapshot_${epoch}.1_0000000000`), 'in the way');
    expect(await rekeyIn(at.cwd)).toMatchObject({ exit: 1, stderr: expect.stringContaining('could not be written') });
    expect((await list(at.cwd, key)).stdout).toContain('user.alice');
    expect((await list(at.cwd, other)).stderr).toContain('was encrypted with another key');
    expect((await rekeyIn(at.cwd)).exit).toBe(0);
    expect((await list(at.cwd, other)).stdout).toContain('user.alice');
  });

  test('reads a state with the same key from a command', async () => {
    const at = new Place(await underKey());
    const env = { PATH: process.env.PATH ?? '', CHATFORM_STATE_KEY_COMMAND: `echo '${key}'` };
    expect((await at.with({ env }).run('state list')).stdout).toContain('user.alice');
  });
});
