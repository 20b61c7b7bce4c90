// Support: tests that each command that changes a state leaves one entry in its trail, in any store.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import { readTrail } from '../../../src/core/app/context/trail.ts';
import { openBackend } from '../../../src/core/state/index.ts';
import { azurite, type StoreServer } from '../../support/object-servers.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { type CliEnd, expectEnd, runCli } from '../../support/run-cli.ts';
import { put } from '../../support/state/fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const identity = 'emulator:data';
const estate = `version: 1
application: { base_url: "emulator:data" }
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
bots: { helper: { bot_nickname: Helper, bot_type: custom, bot_callback_url: "https://bots.example/hook", is_privacy_mode: true } }
`;
const ci = { GITHUB_ACTOR: 'ada', GITHUB_SHA: '1a2b3c4d5e6f' };
const key = { CHATFORM_STATE_KEY: 'correct horse battery staple' };
let places = 0;

const stores = { file: undefined, postgres: noPostgres, azurite: azurite.missing };

export function testTrailActs(name: keyof typeof stores): void {
  const missing = stores[name];
  if (missing !== undefined) {
    test(`skipped, because ${missing}`, ({ skip }) => skip(missing));
    return;
  }
  const postgres = name === 'postgres' ? usePostgres() : undefined;
  let store: StoreServer | undefined;
  beforeAll(async () => {
    if (name === 'azurite') store = await azurite.start();
  });
  afterAll(() => store?.stop());

  function newSpec(): string {
    places += 1;
    return store?.newSpec() ?? (postgres === undefined ? `file:s${places}` : `${postgres().url()}?state=s${places}`);
  }

  /** A folder with the estate, and an empty state. */
  async function place() {
    const cwd = await temporaryFolder({ 'chat.yaml': estate });
    const spec = newSpec();
    const env = { ...ci, ...store?.env, CHATFORM_STATE: spec };
    const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<CliEnd> =>
      runCli(args, { cwd, env: { ...env, ...more } });
    const does = async (...args: Parameters<typeof run>): Promise<CliEnd> => {
      const ended = await expectEnd(run(...args), 0);
      return ended;
    };
    /** The entries as `state log` shows them, without time and place. */
    const log = async (more: Readonly<Record<string, string>> = {}): Promise<string[]> => {
      const { stdout, stderr } = await does(['state', 'log', '--verify'], more);
      expect(stderr).toMatch(/^Verified \d+ entr/u);
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^(\d+) {2}\S+Z {2}/u, '$1  ').replace(/@\S+| {2}(?:commit|plan) \w+/gu, ''));
    };
    const backend = () =>
      openBackend(spec, {
        clock: nodeClock,
        owner: { user: 'grace', host: 'elsewhere', pid: 4242 },
        newId: () => crypto.randomUUID(),
        cwd,
        variable: (variable) => env[variable as keyof typeof env],
      });
    return { does, run, log, backend };
  }

  test('records apply, forget, adopt, unlock, rekey, rebind, rebuild', async () => {
    const { does, log, backend } = await place();
    await does(['apply', '--auto-approve', '--tokens-out', 'tokens']);
    await does(['state', 'forget', 'user.bob', '--auto-approve']);
    await does(['adopt', 'user.bob']);
    const held = await (await backend()).open({ application: identity, lockTimeoutMs: 0 });
    await does(['state', 'unlock', '--auto-approve']);
    await held.close().catch(() => undefined);
    await does(['state', 'rekey'], key);
    await does(['state', 'rekey', '--unencrypted'], { CHATFORM_STATE_KEY_OLD: key.CHATFORM_STATE_KEY });
    await does(['state', 'rebind', 'emulator:moved', '--auto-approve']);
    await does(['state', 'rebind', '--auto-approve']);
    await does(['state', 'rebuild', '--force']);
    expect(await log()).toEqual([
      '1  apply  done  ada  3 of 3 steps',
      '2  state forget  done  ada  1 forgotten',
      '3  adopt  done  ada  1 adopted',
      expect.stringMatching(
        /^4 {2}state unlock {2}done {2}ada {2}broke the lock of grace \(process 4242\) since 2\S+$/u,
      ),
      '5  state rekey  done  ada',
      '6  state rekey  done  ada  stored without a key',
      '7  state rebind  done  ada  from emulator:data to emulator:moved',
      '8  state rebind  done  ada  from emulator:moved to emulator:data',
      '9  state rebuild  done  ada  3 recorded',
    ]);
    expect((await does(['plan', '--detailed-exitcode'])).stderr).not.toContain('newer');
    expect((await does(['state', 'list'])).stdout).toBe('bot.helper\nuser.alice\nuser.bob\n');
  });

  test('records a push, continues the trail of the copy and names the trail that it replaces', async () => {
    const { does, log } = await place();
    const other = { CHATFORM_STATE: newSpec() };
    await does(['apply', '--auto-approve', '--tokens-out', 'tokens']);
    await does(['state', 'pull', 'copy.ndjson']);
    await does(['state', 'push', 'copy.ndjson'], other);
    const pushed = ['1  apply  done  ada  3 of 3 steps', '2  state push  done  ada  3 pushed'];
    expect(await log(other)).toEqual(pushed);
    // The copy is already there, so nothing is written or recorded.
    expect((await does(['state', 'push', 'copy.ndjson'], other)).stdout).toContain('already contains this copy');
    expect(await log(other)).toEqual(pushed);
    await does(['state', 'forget', 'user.bob', '--auto-approve'], other);
    await does(['state', 'push', 'copy.ndjson', '--force'], other);
    expect(await log(other)).toEqual([
      pushed[0],
      expect.stringMatching(
        /^2 {2}state push .* 3 pushed {2}in place of a state whose trail ended with [0-9a-f]{64}$/u,
      ),
    ]);
    // Back to the first place, which has everything that the copy has.
    await does(['state', 'pull', 'newer.ndjson'], other);
    await does(['state', 'push', 'newer.ndjson']);
    expect((await log()).at(-1)).toBe('3  state push  done  ada  3 pushed');
  });

  test('records an export, also with leftovers of an earlier state, and nothing without a state', async () => {
    const { does, run, log } = await place();
    await does(['apply', '--auto-approve', '--tokens-out', 'tokens']);
    await does(['state', 'forget', '*.*', '--auto-approve']);
    await does(['export', '--out-dir', 'exported', '--without-state']);
    expect(await log()).toHaveLength(2);
    await does(['export', '--out-dir', 'again']);
    expect((await log()).at(-1)).toBe('3  export  done  ada  3 exported');
    expect((await does(['state', 'list'])).stdout).toBe('bot.helper\nuser.alice\nuser.bob\n');
    expect((await run(['plan', 'again', '--detailed-exitcode'])).exit).toBe(0);
  });

  test('records an interrupted command in the next one', async () => {
    const { does, log, backend } = await place();
    await does(['apply', '--auto-approve', '--tokens-out', 'tokens']);
    // The state that a killed rebuild leaves.
    const writer = await (await backend()).open({ application: identity, lockTimeoutMs: 0 });
    const begun = { command: 'state rebuild', by: { user: 'ada', host: 'h' }, started_at: '2026-01-01T00:00:00.000Z' };
    await writer.done('x', { type: 'put', record: { address: 'chatform.run', attributes: begun } });
    await writer.done('y', put('carol'));
    await writer.close();
    await does(['state', 'forget', 'user.carol', '--auto-approve']);
    expect((await log()).slice(1)).toEqual([
      '2  state rebuild  cut_off  ada',
      '3  state forget  done  ada  1 forgotten',
    ]);
  });

  test('records nothing for commands that change nothing or are refused', async () => {
    const { does, run, log, backend } = await place();
    await does(['apply', '--auto-approve', '--tokens-out', 'tokens']);
    for (const args of [
      ['plan'],
      ['state', 'list'],
      ['state', 'lock-status'],
      ['state', 'unlock', '--auto-approve'],
      ['state', 'pull', 'copy'],
      ['state', 'rebind', '--auto-approve'],
    ])
      await does(args);
    expect((await run(['adopt', 'user.alice'])).exit).toBe(6);
    expect((await run(['state', 'rebuild'])).exit).toBe(6);
    expect((await run(['state', 'forget', 'user.nobody', '--auto-approve'])).exit).toBe(66);
    expect(await log()).toHaveLength(1);
    expect(readTrail(await (await backend()).read(identity))).toHaveLength(1);
  });
}
