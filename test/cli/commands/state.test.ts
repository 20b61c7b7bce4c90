// Tests the subcommands of chatform state, with state in a folder and in a database.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import { withoutTrail } from '../../../src/core/model/run-metadata.ts';
import type { UpkeepBackend } from '../../../src/core/state/engine/upkeep.ts';
import { openBackend } from '../../../src/core/state/index.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { type CliEnd, expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { beginOf, put } from '../../support/state/fixtures.ts';
import { inSuite } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const identity = 'emulator:here';
let places = 0;
let ids = 0;

const stores = [
  { name: 'file', isHere: true },
  { name: 'postgres', isHere: noPostgres === undefined },
];

describe.for(inSuite(stores.slice(0, 1), stores.slice(1)))('$name', ({ name, isHere }) => {
  const server = name === 'postgres' ? usePostgres() : undefined;

  /** A place with some records, and the command line in a separate folder. */
  class Place {
    readonly cwd: string;
    readonly spec: string;

    constructor(cwd: string) {
      this.cwd = cwd;
      this.spec = this.another();
    }

    another(): string {
      places += 1;
      return server === undefined ? `file:s${places}` : `${server().url()}?state=s${places}`;
    }

    /** `host` is another machine, whose processes cannot be seen here. */
    backend(spec = this.spec, host = 'elsewhere'): Promise<UpkeepBackend> {
      return openBackend(spec, {
        clock: nodeClock,
        owner: { user: 'ci', host, pid: 4242, job: '77' },
        newId: () => `lineage-${++ids}`,
        cwd: this.cwd,
      });
    }

    async fill(keys: readonly string[] = ['alice', 'bob', 'old-1', 'old-2'], spec = this.spec): Promise<void> {
      const writer = await (await this.backend(spec)).open({ application: identity, lockTimeoutMs: 0 });
      await Promise.all(keys.map((key) => writer.done(key, put(key, { nickname: key }))));
      await writer.begin(beginOf('user.bob#1', 'user.bob'));
      await writer.close();
    }

    run(args: readonly string[], answers?: readonly string[], spec = this.spec): Promise<CliEnd> {
      const env = { CHATFORM_STATE: spec, CHATFORM_BASE_URL: identity };
      return runCli(['state', ...args], { cwd: this.cwd, env, ...(answers === undefined ? {} : { answers }) });
    }

    async list(spec = this.spec): Promise<string[]> {
      return (await this.run(['list'], undefined, spec)).stdout.split('\n').slice(0, -1);
    }
  }

  const place = async (): Promise<Place> => new Place(await temporaryFolder());

  describe.runIf(isHere)('verbs', () => {
    test('lists every address, or those that match', async () => {
      const here = await place();
      await here.fill();
      expect(await here.list()).toEqual(['user.alice', 'user.bob', 'user.old-1', 'user.old-2']);
      expect((await here.run(['list', 'user.old-*', 'user.bob'])).stdout).toBe('user.bob\nuser.old-1\nuser.old-2\n');
      const none = await here.run(['list', 'user.alcie']);
      expect(none).toMatchObject({ exit: 66, stdout: '' });
      expect(none.stderr).toContain('Did you mean "user.alice"?');
    });

    test('escapes names that a terminal would interpret', async () => {
      const here = await place();
      await here.fill(['a\u{202e}b', 'c\u{1b}[31m']);
      expect(await here.list()).toEqual(['user.a\\u202eb', 'user.c\\u001b[31m']);
      const shown = await here.run(['show', 'user.a\u{202e}b']);
      expect(shown.stdout).not.toContain('\u{202e}');
      expect(JSON.parse(shown.stdout)).toMatchObject({ attributes: { nickname: 'a\u{202e}b' } });
    });

    test('shows a record, and suggests an address for a misspelt one', async () => {
      const here = await place();
      await here.fill();
      const shown = await here.run(['show', 'user.alice']);
      expect(JSON.parse(shown.stdout)).toEqual({ address: 'user.alice', attributes: { nickname: 'alice' } });
      const unknown = await here.run(['show', 'user.alise']);
      expect(unknown).toMatchObject({ exit: 66, stdout: '' });
      expect(unknown.stderr).toContain('"user.alise" matches nothing declared or in state. Did you mean "user.alice"?');
    });

    test('suggests a verb for a misspelt one', async () => {
      const { exit, stderr } = await (await place()).run(['unlok']);
      expect(exit).toBe(64);
      expect(stderr).toContain('Did you mean "unlock"?');
    });

    test('shows the holder of the lock, and breaks the lock for good', async () => {
      const here = await place();
      expect((await here.run(['lock-status'])).stdout).toMatch(/is not locked\.\n$/);
      const writer = await (await here.backend()).open({ application: identity, lockTimeoutMs: 0 });
      await writer.done('1', put('a'));
      const shown = await succeeded(here.run(['lock-status']));
      expect(shown.stdout).toContain('is locked.\n  holder     ci@elsewhere, process 4242, CI job 77\n  since      2');
      expect(shown.stdout).toMatch(
        / {2}heartbeat {2}2\S+Z \(\d+ s ago\)\n {2}ends {7}2\S+Z \(in \d+ (?:s|min)\), unless/,
      );
      const asJson = JSON.parse((await here.run(['lock-status', '--format', 'json'])).stdout);
      expect(asJson).toMatchObject({
        locked: true,
        application: identity,
        holder: { user: 'ci', pid: 4242, dead: false },
      });

      expect((await here.run(['unlock'])).exit).toBe(64);
      expect(await here.run(['unlock'], ['no'])).toMatchObject({ exit: 5 });
      await writer.done('2', put('b'));
      const broken = await here.run(['unlock'], ['yes']);
      expect(broken).toMatchObject({ exit: 0, stdout: 'The lock is broken. The state is unlocked.\n' });
      expect(broken.stderr).toContain('ci@elsewhere');
      await expect(writer.done('3', put('c'))).rejects.toMatchObject({
        code: 'state.lease-lost',
        exitCode: 8,
        message: expect.stringContaining('or chatform state unlock has broken it') as unknown,
      });
      expect(writer.leaseLeft()).toBe(0);
      await writer.close();
      expect((await here.run(['lock-status'])).stdout).toContain('is not locked');
      expect(await here.list()).toEqual(['user.a', 'user.b']);
      expect(await here.run(['unlock'])).toMatchObject({ exit: 0, stderr: '' });
    });

    test('forgets the listed objects after a yes', async () => {
      const here = await place();
      await here.fill();
      expect(await here.run(['forget', 'user.old-*'])).toMatchObject({ exit: 64 });
      const end = await here.run(['forget', 'user.old-*'], ['yes']);
      expect(end).toMatchObject({ exit: 0, stdout: '2 objects removed from state.\n' });
      expect(end.stderr).toContain(
        '  user.old-1\n  user.old-2\n2 objects will be removed from state. Nothing changes on the platform',
      );
      expect(await here.run(['forget', 'user.alice', '--auto-approve'])).toMatchObject({ exit: 0 });
      expect(await here.list()).toEqual(['user.bob']);
      await expectEnd(here.run(['forget', 'user.bobb', '--auto-approve']), 66, 'Did you mean "user.bob"?');
      expect((await here.run(['forget', '--auto-approve'])).exit).toBe(64);
    });

    test('refuses to change a locked state, or waits for the lock', async () => {
      const here = await place();
      await here.fill();
      const writer = await (await here.backend()).open({ application: identity, lockTimeoutMs: 0 });
      for (const args of [
        ['forget', 'user.alice', '--auto-approve'],
        ['rebind', 'emulator:new', '--auto-approve'],
      ]) {
        const end = await here.run(args);
        expect(end).toMatchObject({ exit: 7, stdout: '' });
        expect(end.stderr).toContain('is locked by ci@elsewhere');
      }
      const patient = here.run(['forget', 'user.alice', '--auto-approve', '--lock-timeout', '10s']);
      await writer.close();
      expect(await patient).toMatchObject({ exit: 0 });
    });

    test('rebinds a state to another application', async () => {
      const here = await place();
      await here.fill();
      expect(await here.run(['rebind', 'emulator:new'], ['no'])).toMatchObject({ exit: 5 });
      expect(await here.list()).toHaveLength(4);
      const end = await here.run(['rebind', 'emulator:new', '--auto-approve']);
      expect(end.stdout).toMatch(/now belongs to emulator:new\.\n$/);
      expect(end.stderr).toContain(`belongs to ${identity}.`);
      expect(await here.run(['list'])).toMatchObject({ exit: 6 });
      expect((await here.run(['list', '--base-url', 'emulator:new'])).stdout.split('\n')).toHaveLength(5);
      const snapshot = await (await here.backend()).read('emulator:new');
      expect(snapshot.pending.map(({ step }) => step)).toEqual(['user.bob#1']);
      expect((await here.run(['rebind', 'emulator:new'])).stdout).toMatch(/already belongs to .*\n$/);
      // Without a name, the application is that of --base-url or of the manifests.
      expect(await here.run(['rebind', '--auto-approve'])).toMatchObject({ exit: 0 });
      expect(await here.list()).toHaveLength(4);
      expect((await here.run(['rebind', 'https://chat.example.com/v2', '--auto-approve'])).exit).toBe(65);
    });

    test('copies everything to another place and back, unless that place has changed', async () => {
      const here = await place();
      await here.fill();
      const file = join(here.cwd, 'copy.ndjson');
      const pulled = await here.run(['pull', 'copy.ndjson']);
      expect(pulled).toMatchObject({ exit: 0, stdout: '' });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await here.run(['pull'])).stdout).toBe(await readFile(file, 'utf8'));

      const other = here.another();
      const pushed = await succeeded(here.run(['push', 'copy.ndjson'], undefined, other));
      expect(pushed.stdout).toMatch(/^Pushed 4 records of emulator:here to .* digest verified\.\n$/);
      const [from, to] = [
        await (await here.backend()).read(identity),
        await (await here.backend(other)).read(identity),
      ];
      expect(to.header).toEqual(from.header);
      // And the entry about the push.
      expect([...withoutTrail(to.records())]).toEqual([...from.records()]);
      expect(to.pending).toEqual(from.pending);
      expect(to.serial).toBeGreaterThan(from.serial);
      expect((await here.run(['push', 'copy.ndjson'], undefined, other)).stdout).toContain(
        'already contains this copy',
      );

      // A run in the other place puts it ahead of the copy, and the first place is now behind.
      await here.fill(['carol'], other);
      const stale = await here.run(['push', 'copy.ndjson'], undefined, other);
      expect(stale).toMatchObject({ exit: 6, stdout: '' });
      expect(stale.stderr).toContain('is newer than the copy');
      await here.run(['pull', 'newer.ndjson'], undefined, other);
      expect(await here.run(['push', 'newer.ndjson'])).toMatchObject({ exit: 0 });
      expect(await here.list()).toContain('user.carol');
      expect(await here.run(['push', 'copy.ndjson', '--force'], undefined, other)).toMatchObject({ exit: 0 });
      expect(await here.list(other)).not.toContain('user.carol');
    });

    test('refuses to push a copy of another lineage or application, one made during a run, and a damaged one', async () => {
      const here = await place();
      await here.fill();
      await here.run(['pull', 'copy.ndjson']);
      const other = here.another();
      await here.fill(['x'], other);
      await expectEnd(here.run(['push', 'copy.ndjson'], undefined, other), 6, 'lineage');
      await expectEnd(here.run(['push', 'copy.ndjson', '--base-url', 'emulator:new']), 6, 'emulator:new');
      expect(await here.list(other)).toEqual(['user.x']);

      const writer = await (await here.backend()).open({ application: identity, lockTimeoutMs: 0 });
      await writer.done('1', put('during'));
      await here.run(['pull', 'during.ndjson']);
      await writer.done('2', put('after'));
      await writer.close();
      expect(await here.run(['push', 'during.ndjson'])).toMatchObject({ exit: 6 });

      const whole = await readFile(join(here.cwd, 'copy.ndjson'), 'utf8');
      const damages = [
        whole.replace('alice', 'alise'),
        whole.slice(0, -20),
        whole.split('\n').slice(0, 3).join('\n'),
        '',
      ];
      for (const [index, text] of damages.entries()) {
        await writeFile(join(here.cwd, `damaged-${index}`), text);
        const end = await here.run(['push', `damaged-${index}`, '--force']);
        expect(end).toMatchObject({ exit: 1, stdout: '' });
        expect(end.stderr).toContain('state.bad-copy');
      }
      expect(await here.list()).toContain('user.after');
    });

    test('refuses to pull a state that was never written', async () => {
      expect(await (await place()).run(['pull', 'copy.ndjson'])).toMatchObject({ exit: 66 });
    });
  });
});
