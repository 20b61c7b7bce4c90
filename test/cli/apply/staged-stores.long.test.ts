// Tests stages and gates with state in a bucket and in a database: a killed run, a lost lock, and several folders at once.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { azurite, moto, type StoreServer, versitygw } from '../../support/object-servers.ts';
import { type Connected, connected } from '../../support/place.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

const manifest = `version: 1
users: { alice: { nickname: A }, bob: { nickname: B } }
group_channels: { room-1: { members: { alice: } }, room-2: { members: { bob: } } }
`;
const staged = ['apply', '--auto-approve', '--stage', '50%', '--report', 'report.json', '--gate'];
const hanging = 'echo $$ > pid; mv pid gate; sleep 600';
const path = { PATH: process.env.PATH ?? '' };

async function gateOf({ at }: Connected): Promise<number> {
  const id = () => readFile(at.path('gate'), 'utf8').catch(() => '');
  await vi.waitUntil(async () => (await id()) !== '', { timeout: 60_000 });
  return Number(await id());
}

async function expectEnded(group: number): Promise<void> {
  const isAlive = (): boolean => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };
  await vi.waitUntil(() => !isAlive(), { timeout: 60_000 });
}

const stores = {
  file: undefined,
  postgres: noPostgres,
  s3: moto.missing,
  versitygw: versitygw.missing,
  azurite: azurite.missing,
};

describe.for(Object.entries(stores))('with state in %s', ([name, missing]) => {
  const postgres = name === 'postgres' ? usePostgres() : undefined;
  const kind = { s3: moto, versitygw, azurite }[name];
  let store: StoreServer | undefined;
  let count = 0;
  beforeAll(async () => {
    if (missing === undefined) store = await kind?.start();
  });
  afterAll(() => store?.stop());

  async function estate(): Promise<Connected & { readonly env: Record<string, string> }> {
    count += 1;
    const there = await connected({ 'chat.yaml': manifest });
    const state = store?.newSpec() ?? (postgres === undefined ? 'file:state' : `${postgres().url()}?state=s${count}`);
    const { url, token } = there.running;
    const env = {
      ...path,
      ...store?.env,
      CHATFORM_STATE: state,
      CHATFORM_BASE_URL: url,
      CHATFORM_API_TOKEN: token,
      CHATFORM_RATE_PLAN: '100k_mau',
    };
    return { ...there, at: there.at.with({ env }), env };
  }

  test.skipIf(missing !== undefined)('a run that is killed at its gate is continued', async () => {
    const there = await estate();
    const { at, env } = there;
    const child = spawnCli([...staged, hanging], { cwd: at.cwd, env });
    const group = await gateOf(there);
    child.kill('SIGKILL');
    await child.ended;
    await expectEnded(group);
    await at.does([...staged, 'echo asked >> asked', '--lock-timeout', '5m']);
    expect(await at.read('asked')).toBe('asked\n');
    await at.does('plan --detailed-exitcode');
  });

  test.skipIf(missing !== undefined)('a run that loses its lock ends its gate', async () => {
    const there = await estate();
    const { at, env } = there;
    const child = spawnCli([...staged, hanging], { cwd: at.cwd, env });
    const group = await gateOf(there);
    await at.does('state unlock --auto-approve');
    const { exit, stderr } = await child.ended;
    expect(exit, stderr).toBe(8);
    expect(stderr).toContain('state.lease-lost');
    await expectEnded(group);
    await at.does([...staged, 'true']);
    await at.does('plan --detailed-exitcode');
  });
});
