import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk, deskElsewhere } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { place } from '../../support/place.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const unknownKey = { ...desk, 'more.yaml': 'version: 1\nusers:\n  dave: { nickname: Dave, nick: D }\n' };
const warned = {
  ...desk,
  'more.yaml': 'version: 1\ngroup_channels:\n  old-form:\n    user_ids: [alice]\n    operator_ids: [alice]\n',
};

test.for([
  { name: 'a plan', files: desk, args: ['plan'], exit: 0 },
  { name: 'a plan with warnings', files: warned, args: ['plan'], exit: 0 },
  { name: 'a plan of wrong manifests', files: unknownKey, args: ['plan'], exit: 65 },
  { name: 'a validation', files: desk, args: ['validate'], exit: 0 },
  { name: 'a validation of wrong manifests', files: unknownKey, args: ['validate'], exit: 65 },
  { name: 'a plan for no application', files: deskElsewhere, args: ['plan'], exit: 64 },
])('prints one JSON document: $name', async ({ files, args, exit }) => {
  const at = await place(files);
  const ended = await at.ends([...args, '--format', 'json'], exit);
  expect(JSON.parse(ended.stdout)).toBeTypeOf('object');
});

test('prints the code and the advice of a refusal as JSON', async () => {
  const at = await place(deskElsewhere);
  const { stdout } = await at.run('plan --format json');
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: 'application.missing', advice: expect.stringContaining('--base-url') },
  });
});

test.for(['sarif', 'github'])('a validation as %s names file and line', async (format) => {
  const at = await place(unknownKey);
  const { stdout } = await at.ends(['validate', '--format', format], 65);
  expect(stdout).toContain('more.yaml');
  expect(stdout).toContain('manifest.unknown-key');
  if (format === 'sarif') expect(JSON.parse(stdout)).toMatchObject({ version: '2.1.0' });
  else expect(stdout).toMatch(/^::error file=more\.yaml,line=3/mu);
});

test.for(['sarif', 'github'])('names files from the root of the checkout as %s', async (format) => {
  const root = await temporaryFolder();
  const cwd = join(root, 'team a', 'chat');
  await writeFiles(cwd, { 'sub/more.yaml': unknownKey['more.yaml'] ?? '', '../other.yaml': 'version: 1\nuserz: {}\n' });
  const args = ['validate', '.', '../other.yaml', '--format', format];
  const encoded = format === 'sarif' ? 'team%20a' : 'team a';
  for (const name of ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR']) {
    const { stdout } = await runCli(args, { cwd, env: { [name]: root } });
    expect(stdout).toContain(`${encoded}/chat/sub/more.yaml`);
    expect(stdout).toContain(`${encoded}/other.yaml`);
    expect(stdout).not.toContain('..');
  }
  // The checkout is elsewhere, so its root is unknown.
  const { stdout } = await runCli(args, { cwd, env: { GITHUB_WORKSPACE: join(root, 'else') } });
  expect(stdout).not.toContain('team');
});
