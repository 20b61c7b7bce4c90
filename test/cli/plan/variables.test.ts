// Tests variables and for_each as a user meets them: --variables, the environment, plans, and requests under review.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../../support/folders.ts';
import { commitAll, startRepository } from '../../support/git.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = `version: 1
application: { base_url: emulator:.chatform/emulator, rate_plan: 100k_mau }
variables: { region: { allowed: [eu, us] } }
open_channels:
  room-$\{each.id}:
    for_each: { file: rooms.csv }
    name: $\{each.title} in $\{var.region}
`;
const estate = { 'chat.yaml': manifest, 'rooms.csv': 'id,title\nberlin,Berlin\nparis,Paris\n' };

test('reads values from a file, and plans a row that is added later', async () => {
  const cwd = await temporaryFolder({ ...estate, 'eu.yaml': 'region: eu\n' });
  expect(await runCli(['plan'], { cwd })).toMatchObject({ exit: 65 });
  const planned = await runCli(['plan', '--variables', 'eu.yaml'], { cwd });
  expect(planned).toMatchObject({ exit: 0, stderr: '' });
  expect(planned.stdout).toMatch(/\+ open_channel\.room-berlin +chat\.yaml:5:3 \(row rooms\.csv:2\)/u);
  const env = { CHATFORM_VARIABLES: 'eu.yaml' };
  expect(await runCli(['apply', '--auto-approve'], { cwd, env })).toMatchObject({ exit: 0 });
  expect((await runCli(['plan'], { cwd, env })).stdout).toContain('Nothing to do');
  await writeFile(join(cwd, 'rooms.csv'), 'id,title\nrome,Rome\nberlin,Berlin\nparis,Paris\n');
  const json = JSON.parse((await runCli(['plan', '--format', 'json'], { cwd, env })).stdout) as { changes: object[] };
  expect(json.changes).toMatchObject([{ address: 'open_channel.room-rome', source: { row: 'rooms.csv:2' } }]);
  await expectEnd(
    runCli(['plan', '--variables', 'us.yaml'], { cwd, env: { CHATFORM_VAR_region: 'us' } }),
    64,
    'us.yaml cannot be read',
  );
});

test('refuses a request that shows a secret of its base', async () => {
  const secret = `version: 1
users: { alice: { nickname: Alice } }
group_channels:
  club-1: { members: { alice: }, is_public: true, access_code: { env: DOOR_CODE, revision: 1 } }
`;
  const cwd = await temporaryFolder({ 'chat.yaml': secret });
  startRepository(cwd);
  const shown = `version: 1\nvariables: { DOOR_CODE: {} }\nusers: { alice: { nickname: "$\{var.DOOR_CODE}" } }\n`;
  await writeFiles(cwd, { 'chat.yaml': shown });
  commitAll(cwd, 'show it');
  const env = { CHATFORM_VAR_DOOR_CODE: 'hunter2' };
  const end = await expectEnd(
    runCli(['plan', '--base-ref', 'HEAD~1', '--base-url', 'emulator:.e'], { cwd, env }),
    65,
    'manifest.secret-variable',
  );
  expect(`${end.stdout}${end.stderr}`).not.toContain('hunter2');
});
