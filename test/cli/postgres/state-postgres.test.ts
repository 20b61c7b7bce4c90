// Tests state in PostgreSQL through the command line, and that no password is ever shown.
import { chmod } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { encodedPassword, noPostgres, usePostgres } from '../../support/postgres.ts';
import type { CliEnd } from '../../support/run-cli.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

const identity = 'emulator:.chatform/emulator';

describe.runIf(noPostgres === undefined)('state in PostgreSQL', () => {
  const server = usePostgres();
  let databases = 0;

  async function database(): Promise<string> {
    databases += 1;
    await server().sql(`CREATE DATABASE team${databases}`);
    return server().url(`team${databases}`);
  }

  const password = (url: URL) => decodeURIComponent(url.password);

  const leaked = ({ stdout, stderr }: CliEnd) =>
    [stdout, stderr].filter(
      (text) => text.includes(encodedPassword) || text.includes(decodeURIComponent(encodedPassword)),
    );

  test('serves apply, plan and edit from two checkouts', async () => {
    const env = { CHATFORM_STATE: await database() };
    const [one, two] = [await place(desk, env), await place(desk, env)];
    const applied = await one.does('apply --auto-approve');
    const planned = await two.does('plan --detailed-exitcode');
    await two.write({ 'more.yaml': 'version: 1\nusers:\n  dora: { nickname: Dora }\n' });
    await two.ends('plan --detailed-exitcode', 2);
    const listed = await one.does('state list');
    expect(listed.stdout.split('\n')).toContain('group_channel.support-42');
    for (const end of [applied, planned, listed]) expect(leaked(end)).toEqual([]);
  });

  test('takes the password from the environment and never shows it', async () => {
    const url = new URL(await database());
    const stated = password(url);
    url.password = '';
    const at = await place(desk);
    const apply = `apply --auto-approve --state ${url.href}`;
    const wrong = at.with({ env: { CHATFORM_STATE_PASSWORD: 'wrong one' } });
    expect((await wrong.ends(apply, 3, 'it refuses the password')).stderr).not.toContain('wrong one');
    for (const name of ['CHATFORM_STATE_PASSWORD', 'PGPASSWORD'])
      await at.with({ env: { [name]: stated } }).does(apply);
  });

  test('takes it from a password file without a word of the driver', async () => {
    const url = new URL(await database());
    const at = await place({ ...desk, pgpass: `127.0.0.1:${url.port}:*:postgres:${password(url)}\n` });
    await chmod(at.path('pgpass'), 0o600);
    url.password = '';
    const env = { PGPASSFILE: at.path('pgpass'), CHATFORM_STATE: url.href };
    expect(await spawnCli(['plan'], { cwd: at.cwd, env }).ended).toMatchObject({ exit: 0, stderr: '' });
  });

  test('no refusal shows the password', async () => {
    const url = await database();
    for (const [state, command] of [
      [url, 'state show user.nobody'],
      [url.replace(/team\d+/u, 'nowhere'), 'plan'],
      [`${url}?sslmode=perhaps`, 'plan'],
    ] as const) {
      const end = await (await place(desk, { CHATFORM_STATE: state })).run(command);
      expect(end.exit, command).not.toBe(0);
      expect(leaked(end)).toEqual([]);
    }
  });

  test('can be moved from a folder by pull and push, and the next plan is empty', async () => {
    const url = await database();
    const at = await place(desk);
    await at.does('apply --auto-approve');
    await at.does('state pull --out copy.ndjson');
    expect(leaked(await at.does(`state push copy.ndjson --state ${url}`))).toEqual([]);
    await at.does(`plan --detailed-exitcode --state ${url}`);
    await at.does(`state pull again.ndjson --state ${url}`);
    // Without the entry of the push and its consequences: the end of the trail and the digest of the copy.
    const kept = async (file: string) =>
      (await at.read(file)).split('\n').filter((line) => !/"chatform\.trail"|"state push"|-copy"/u.test(line));
    const before = await kept('copy.ndjson');
    expect(before).toHaveLength(10);
    expect((await kept('again.ndjson')).slice(1)).toEqual(before.slice(1));
  });

  test('selects one of several states with rebind --from', async () => {
    const at = await place(desk, { CHATFORM_STATE: await database() });
    for (const application of [identity, 'emulator:two'])
      await at.does(`apply --auto-approve --base-url ${application}`);
    await at.ends('state rebind emulator:new --auto-approve', 64, 'emulator:two');
    await at.ends(`state rebind ${identity} --from emulator:two --auto-approve`, 6);
    await at.ends('state rebind emulator:new --from emulator:three --auto-approve', 66);
    await at.does('state rebind emulator:new --from emulator:two --auto-approve');
    const listed = async (flags: string) => (await at.does(`state list${flags}`)).stdout;
    expect(await listed(' --base-url emulator:new')).toContain('user.alice');
    expect(await listed(' --base-url emulator:two')).toBe('');
    expect(await listed('')).toContain('user.alice');
  });
});
