// Tests restrictions: offline on declarations (65), and on the changes of a plan (5).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const team = 'teams/support/users.yaml';
const estate = {
  'policy.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator" }
policy:
  restrictions:
    - { files: "teams/**", users: ["^agent-"], verbs: [create] }
`,
  [team]: 'version: 1\nusers:\n  agent-1: { nickname: One }\n  agent-2: { nickname: Two }\n',
};

test('refuses what a file may not declare, before anything else', async () => {
  const cwd = await temporaryFolder({ ...estate, [team]: 'version: 1\nusers:\n  boss: { nickname: Boss }\n' });
  const { stdout } = await expectEnd(runCli(['validate'], { cwd }), 65);
  expect(stdout).toContain('error[manifest.restricted]');
  expect(stdout).toContain(`${team}:3:3`);
  expect((await runCli(['plan'], { cwd })).exit).toBe(65);
});

test('refuses forbidden changes of a file in plan and apply, from any folder', async () => {
  const cwd = await temporaryFolder(estate);
  expect((await runCli(['apply', '--auto-approve'], { cwd })).exit).toBe(0);
  await writeFile(
    join(cwd, team),
    'version: 1\nusers:\n  agent-1: { nickname: Uno }\n  agent-3: { nickname: Three }\n',
  );
  const { stderr } = await expectEnd(runCli(['plan'], { cwd }), 5);
  // Creating is allowed. Editing and removing are not allowed from these files.
  expect(stderr).toContain('The plan would update user.agent-1');
  expect(stderr).toContain('The plan would remove user.agent-2');
  expect(stderr).not.toContain('user.agent-3.');
  const below = { cwd: join(cwd, 'teams'), env: { CHATFORM_STATE: `file:${join(cwd, '.chatform/state')}` } };
  await expectEnd(runCli(['apply', '..', '--auto-approve', '--base-url', 'emulator:.chatform/emulator'], below), 5);
});
