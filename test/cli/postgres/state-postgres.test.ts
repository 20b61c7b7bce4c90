// Tests state in PostgreSQL through the command line, and that no password is ever shown.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
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
    const cwd = await temporaryFolder(desk);
    const args = ['apply', '--auto-approve', '--state', url.href];
    const refused = await expectEnd(
      runCli(args, { cwd, env: { CHATFORM_STATE_PASSWORD: 'wrong one' } }),
      3,
      'it refuses the password',
    );
    expect(refused.stderr).not.toContain('wrong one');
    for (const name of ['CHATFORM_STATE_PASSWORD', 'PGPASSWORD']) {
      await expectEnd(runCli(args, { cwd, env: { [name]: password } }), 0);
    }
  });

  test.for([
    { name: 'locked', of: (url: string) => url },
    { name: 'no such database', of: (url: string) => url.replace(/team\d+/u, 'nowhere') },
    { name: 'wrong parameter', of: (url: string) => `${url}?sslmode=perhaps` },
  ])('no refusal shows the password: $name', async ({ name, of }) => {
    const url = await database();
    const cwd = await temporaryFolder(desk);
    const end = await runCli(name === 'locked' ? ['state', 'show', 'user.nobody'] : ['plan'], {
      cwd,
      env: { CHATFORM_STATE: of(url) },
    });
    expect(end.exit).not.toBe(0);
    expect(leaked(end)).toEqual([]);
  });

  test('can be moved from a folder by pull and push, and the next plan is empty', async () => {
    const url = await database();
    const cwd = await temporaryFolder(desk);
    expect(await runCli(['apply', '--auto-approve'], { cwd })).toMatchObject({ exit: 0 });
    expect(await runCli(['state', 'pull', '--out', 'copy.ndjson'], { cwd })).toMatchObject({ exit: 0 });
    const pushed = await expectEnd(runCli(['state', 'push', 'copy.ndjson', '--state', url], { cwd }), 0);
    expect(leaked(pushed)).toEqual([]);
    expect(await runCli(['plan', '--detailed-exitcode', '--state', url], { cwd })).toMatchObject({ exit: 0 });
    await runCli(['state', 'pull', 'again.ndjson', '--state', url], { cwd });
    const [before, after] = await Promise.all(
      ['copy.ndjson', 'again.ndjson'].map((name) => readFile(join(cwd, name), 'utf8')),
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
