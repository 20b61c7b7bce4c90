// Tests state in PostgreSQL through the command line, and that no password is ever shown.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { place } from '../../support/place.ts';
import { encodedPassword, noPostgres, usePostgres } from '../../support/postgres.ts';
import { type CliEnd, expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const identity = 'emulator:.chatform/emulator';

describe.runIf(noPostgres === undefined)('state in PostgreSQL', () => {
  const server = usePostgres();
  let databases = 0;

  async function database(): Promise<string> {
    databases += 1;
    await server().sql(`CREATE DATABASE team${databases}`);
    return server().url(`team${databases}`);
  }

  const leaked = ({ stdout, stderr }: CliEnd) =>
    [stdout, stderr].filter(
      (text) => text.includes(encodedPassword) || text.includes(decodeURIComponent(encodedPassword)),
    );

  test('serves apply, plan and edit from two checkouts', async () => {
    const url = await database();
    const [one, two] = [await temporaryFolder(desk), await temporaryFolder(desk)];
    const env = { CHATFORM_STATE: url };
    const applied = await expectEnd(runCli(['apply', '--auto-approve'], { cwd: one, env }), 0);
    const planned = await expectEnd(runCli(['plan', '--detailed-exitcode'], { cwd: two, env }), 0);
    await writeFiles(two, { 'more.yaml': 'version: 1\nusers:\n  dora: { nickname: Dora }\n' });
    expect(await runCli(['plan', '--detailed-exitcode'], { cwd: two, env })).toMatchObject({ exit: 2 });
    const listed = await runCli(['state', 'list'], { cwd: one, env });
    expect(listed.stdout.split('\n')).toContain('group_channel.support-42');
    for (const end of [applied, planned, listed]) expect(leaked(end)).toEqual([]);
  });

  test('takes the password from the environment and never shows it', async () => {
    const url = new URL(await database());
    const password = decodeURIComponent(url.password);
    url.password = '';
    const at = await place(desk);
    const args = ['apply', '--auto-approve', '--state', url.href];
    const refused = await at
      .with({ env: { CHATFORM_STATE_PASSWORD: 'wrong one' } })
      .ends(args, 3, 'it refuses the password');
    expect(refused.stderr).not.toContain('wrong one');
    for (const name of ['CHATFORM_STATE_PASSWORD', 'PGPASSWORD']) {
      await at.with({ env: { [name]: password } }).does(args);
    }
  });

  test.for([
    { name: 'locked', of: (url: string) => url },
    { name: 'no such database', of: (url: string) => url.replace(/team\d+/u, 'nowhere') },
    { name: 'wrong parameter', of: (url: string) => `${url}?sslmode=perhaps` },
  ])('no refusal shows the password: $name', async ({ name, of }) => {
    const url = await database();
    const at = await place(desk);
    const end = await at
      .with({ env: { CHATFORM_STATE: of(url) } })
      .run(name === 'locked' ? ['state', 'show', 'user.nobody'] : ['plan']);
    expect(end.exit).not.toBe(0);
    expect(leaked(end)).toEqual([]);
  });

  test('can be moved from a folder by pull and push, and the next plan is empty', async () => {
    const url = await database();
    const at = await place(desk);
    await at.does('apply --auto-approve');
    await at.does('state pull --out copy.ndjson');
    const pushed = await at.does(['state', 'push', 'copy.ndjson', '--state', url]);
    expect(leaked(pushed)).toEqual([]);
    await at.does(['plan', '--detailed-exitcode', '--state', url]);
    await at.run(['state', 'pull', 'again.ndjson', '--state', url]);
    const [before, after] = await Promise.all(
      ['copy.ndjson', 'again.ndjson'].map((name) => readFile(at.path(name), 'utf8')),
    );
    // Without the entry of the push and its consequences: the end of the trail and the digest of the copy.
    const kept = (text = '') => text.split('\n').filter((line) => !/"chatform\.trail"|"state push"|-copy"/u.test(line));
    expect(kept(before)).toHaveLength(10);
    expect(kept(after).slice(1)).toEqual(kept(before).slice(1));
  });

  test('selects one of several states with rebind --from', async () => {
    const url = await database();
    const cwd = await temporaryFolder(desk);
    const env = { CHATFORM_STATE: url };
    for (const at of [identity, 'emulator:two']) {
      await expectEnd(runCli(['apply', '--auto-approve', '--base-url', at], { cwd, env }), 0);
    }
    await expectEnd(runCli(['state', 'rebind', 'emulator:new', '--force'], { cwd, env }), 64, 'emulator:two');
    await expectEnd(runCli(['state', 'rebind', identity, '--from', 'emulator:two', '--force'], { cwd, env }), 6);
    await expectEnd(
      runCli(['state', 'rebind', 'emulator:new', '--from', 'emulator:three', '--force'], {
        cwd,
        env,
      }),
      1,
    );
    await expectEnd(runCli(['state', 'rebind', 'emulator:new', '--from', 'emulator:two', '--force'], { cwd, env }), 0);
    expect((await runCli(['state', 'list', '--base-url', 'emulator:new'], { cwd, env })).stdout).toContain(
      'user.alice',
    );
    expect((await runCli(['state', 'list', '--base-url', 'emulator:two'], { cwd, env })).stdout).toBe('');
    expect((await runCli(['state', 'list'], { cwd, env })).stdout).toContain('user.alice');
  });
});
