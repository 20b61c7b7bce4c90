// Tests that ids that look like numbers, flags or dates reach the platform as written.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registry } from '../../../src/resources/index.ts';
import { differencesIn, emulatorFile, withPlatform } from '../../support/estate.ts';
import { keysOf } from '../../support/platform-differences.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users:
  00123: { nickname: "00123" }
  1e5: { nickname: Large }
  yes: { nickname: Agreed }
  null: { nickname: Nobody }
  2024-01-01: { nickname: Day }
  0x1F: { nickname: Hex }
open_channels:
  00042: { operators: [00123, 1e5, yes] }
group_channels:
  1234567890123456789012:
    inviter_id: 0x1F
    members:
      00123:
      yes:
      2024-01-01:
    operators: [yes]
`;

test('keeps 00123, 1e5 and yes as they are written', async () => {
  const cwd = await temporaryFolder({ 'chat.yaml': manifest });
  await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
  const keys = await withPlatform(join(cwd, emulatorFile), async (platform) => {
    const all: string[] = [];
    for (const kind of registry.filter(({ isChild }) => isChild !== true)) all.push(...(await keysOf(platform, kind)));
    return all.sort();
  });
  expect(keys).toEqual(['00042', '00123', '0x1F', '1234567890123456789012', '1e5', '2024-01-01', 'null', 'yes'].sort());
  expect(await differencesIn(cwd)).toEqual([]);
  const { stdout } = await runCli(['state', 'list'], { cwd });
  expect(stdout.split('\n')).toContain('user.00123');
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd })).toMatchObject({ exit: 0 });
});
