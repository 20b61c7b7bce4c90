// Tests the FCM key of an application: sent from a variable, compared by its ids, never shown (platform §13.5).
import { expect, test } from 'vitest';
import { connected } from '../../support/place.ts';

const declared = (id: string, more = '') => `version: 1
application: { rate_plan: 100k_mau }
settings: { fcm_key: { env: FCM, project_id: app, private_key_id: ${id}${more} } }
`;
const account = (id: string) =>
  JSON.stringify({ type: 'service_account', project_id: 'app', private_key_id: id, private_key: `secret-of-${id}` });

test('sends a key from its variable, keeps only its ids, and sees another key on the platform', async () => {
  const { at, call, running } = await connected({ 'chat.yaml': declared('one') });
  const withKey = (id: string) => at.with({ env: { CHATFORM_VAR_FCM: account(id) } });
  const { stdout, stderr } = await withKey('one').does('apply --auto-approve --report report.json');
  const shown = (await call('GET', '/applications/push/fcm')).push_configurations;
  expect(shown).toMatchObject([{ project_id: 'app', private_key_id: 'one', push_sound: '' }]);
  const everything = stdout + stderr + Object.values(await at.content()).join('');
  expect(everything).not.toContain('secret-of-one');
  expect((await withKey('one').run('plan --refresh')).stdout).toContain('No changes.');
  await at.write({ 'chat.yaml': declared('two') });
  await withKey('two').does('apply --auto-approve');
  expect((await withKey('two').run('plan --refresh')).stdout).toContain('No changes.');
  running.platform.state.apply({ type: 'setting.put', name: 'push keys', value: { list: [] } });
  expect((await withKey('two').json('plan --refresh')).drift).toMatchObject([{ address: 'settings.application' }]);
  await at.write({ 'chat.yaml': declared('two', ', push_sound: bell') });
  await withKey('two').ends('plan', 65, 'error[settings.fcm-key-fixed]');
});

test('is rehearsed without the key', async () => {
  const { at } = await connected({ 'chat.yaml': declared('one') });
  await at.with({ env: { CHATFORM_VAR_FCM: 'any' } }).does('rehearse');
});

test('refuses another key than the declared one before anything of it is sent', async () => {
  const { at, call } = await connected({ 'chat.yaml': declared('one') });
  for (const content of [account('two'), 'no JSON']) {
    const { stderr } = await at
      .with({ env: { CHATFORM_VAR_FCM: content } })
      .ends('apply --auto-approve', 65, 'is not a JSON file with the', 'Nothing was sent');
    expect(stderr).not.toContain('secret-of-two');
  }
  expect((await call('GET', '/applications/push/fcm')).push_configurations).toEqual([]);
});
