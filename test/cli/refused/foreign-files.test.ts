// Tests that YAML of other programs in the folder is skipped and named, and never hides that a manifest is missing.
import { readFile, rename, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';

const compose = 'version: "3.8"\nservices:\n    web: { image: nginx }\n';

test('works beside a compose file with every command', async () => {
  const at = await place({ 'docker-compose.yml': compose });
  expect((await at.run('init')).stdout).toMatch(/written +chatform\.yaml/u);
  const person = at.with({ env: { CHATFORM_RATE_PLAN: '100k_mau' }, answers: ['yes'] });
  for (const command of ['validate', 'fmt', 'plan', 'apply', 'rehearse', 'drift', 'verify', 'explain user.alice']) {
    const { stdout, stderr } = await person.does(command);
    expect(`${stdout}${stderr}`.split('note[manifest.foreign]').length - 1, command).toBe(1);
  }
});

test.for(['move-from-anything/postgresql', 'move-from-a-database'])(
  'leaves a mapping beside manifests alone, also given by name: %s',
  async (example) => {
    const mapping = await readFile(`examples/operations/${example}/mapping.yaml`, 'utf8');
    const at = await place({ ...desk, 'mapping.yaml': mapping });
    for (const command of ['validate', 'validate chat.yaml mapping.yaml', 'fmt chat.yaml mapping.yaml']) {
      const { stdout, stderr } = await at.does(command);
      expect(`${stdout}${stderr}`).toContain('mapping.yaml was skipped: a mapping is input of chatform convert');
    }
    expect(await at.read('mapping.yaml')).toBe(mapping);
    await at.ends('fmt mapping.yaml', 65);
  },
);

test('refuses a compose file given by name, and a folder with nothing else', async () => {
  const at = await place({ ...desk, 'other/docker-compose.yml': compose });
  for (const command of ['validate other/docker-compose.yml', 'validate . other/docker-compose.yml'])
    expect((await at.ends(command, 65)).stdout).toContain('manifest.unknown-key');
  await at.does('validate');
  await rename(at.path('chat.yaml'), at.path('other/chat.yaml'));
  await at.does('validate other');
  await rm(at.path('other/chat.yaml'));
  await at.write({ 'desk/chat.yaml': desk['chat.yaml'] ?? '' });
  expect((await at.ends('validate desk other', 65)).stdout).toContain('manifest.no-manifests');
});

test('counts an applied file as missing when it is no longer a manifest', async () => {
  const at = await place({ ...desk, 'more.yaml': 'version: 1\nusers:\n  dave: { nickname: Dave }\n' });
  await at.does('apply --auto-approve');
  for (const text of [compose, 'metadata: {{ .Release }}\n']) {
    await at.write({ 'more.yaml': text });
    for (const command of ['plan', 'apply --auto-approve'])
      await at.ends(command, 5, 'safety.input-shrank', 'note[manifest.foreign]');
  }
});
