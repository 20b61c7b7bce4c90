// Tests that two environments of a real estate differ in ten lines each, and that every line has its effect.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { communityFolder, communityIsAbsent } from '../support/community.ts';
import { writeFiles } from '../support/folders.ts';
import { expectEnd, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const staging = `version: 1
extends: ../../base
application: { base_url: emulator:.chatform/staging, rate_plan: free_trial }
users:
  staging-bot: { nickname: Staging }
  FIRST_USER: { metadata: { environment: staging } }
open_channels:
  staging-room: { name: Staging, operators: [staging-bot] }
`;
const production = `version: 1
extends: ../../base
application: { base_url: emulator:.chatform/production, rate_plan: 100k_mau }
users:
  FIRST_USER: { lifecycle: { protect: true } }
`;

interface PlanJson {
  readonly changes: readonly { readonly address: string; readonly attributes: object[]; readonly source: object }[];
}

async function planned(cwd: string, ...args: readonly string[]): Promise<PlanJson> {
  const { stdout } = await expectEnd(runCli(['plan', ...args, '--format', 'json'], { cwd }), 0);
  return JSON.parse(stdout) as PlanJson;
}

test.skipIf(communityFolder === undefined)(
  `the community in two environments${communityFolder === undefined ? `: ${communityIsAbsent}` : ''}`,
  async () => {
    const cwd = await temporaryFolder({});
    await cp(communityFolder ?? '', join(cwd, 'base'), { recursive: true });
    const base = await planned(cwd, 'base', '--base-url', 'emulator:.chatform/base', '--rate-plan', '25k_mau');
    const first = base.changes.find(({ address }) => address.startsWith('user.'))?.address.slice('user.'.length) ?? '';
    const named = (text: string) => text.replace('FIRST_USER', JSON.stringify(first));
    await writeFiles(cwd, { 'envs/staging/chat.yaml': named(staging), 'envs/production/chat.yaml': named(production) });
    expect(staging.split('\n').length).toBeLessThanOrEqual(10);
    const inStaging = await planned(cwd, 'envs/staging');
    const inProduction = await planned(cwd, 'envs/production');
    const addresses = (plan: PlanJson) => plan.changes.map(({ address }) => address);
    expect(addresses(inProduction)).toEqual(addresses(base));
    const added = addresses(inStaging).filter((address) => !addresses(base).includes(address));
    expect(added).toEqual(['open_channel.staging-room', 'user.staging-bot']);
    const edited = inStaging.changes.find(({ address }) => address === `user.${first}`);
    expect(edited?.source).toMatchObject({
      file: 'envs/staging/chat.yaml',
      line: 6,
      over: { file: expect.any(String) },
    });
    expect(edited?.attributes).toContainEqual(expect.objectContaining({ after: { environment: 'staging' } }));
    // Objects that the environments do not name are the same, at the same place.
    const rest = (plan: PlanJson) =>
      plan.changes.filter(({ address }) => !added.includes(address) && address !== `user.${first}`);
    expect(rest(inStaging)).toEqual(rest(base));
  },
);
