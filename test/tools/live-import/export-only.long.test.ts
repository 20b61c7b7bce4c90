// Tests that more objects than YAML is good for are taken over as rows, and that rows which a kill left unused are replaced.
import { expect, test } from 'vitest';
import { connected } from '../../support/place.ts';

test('writes more than 10,000 objects as rows', async () => {
  const { at, running } = await connected({ 'team/policy.yaml': 'version: 1\npolicy: { personal_data: warn }\n' });
  const [method, path] = ['POST', '/v3/users'];
  for (let user = 0; user < 10_001; user += 1) {
    const value = { user_id: `many-${user}`, nickname: 'x', profile_url: '' };
    const headers = { 'api-token': running.token };
    running.platform.handle({ method, path, query: '', headers, body: { type: 'json', value } }, 1_700_000_000_000);
  }
  // As a kill leaves it after the rows and before the manifest that names them.
  await at.write({
    'team/.chatform-export.ndjson': '{"options":{"only":true}}\n{"file":"data/users.ndjson"}\n',
    'team/data/users.ndjson': '{"user_id":"half',
  });
  const { files, objects, continued } = await at.json('export --out-dir team --only user.many-*');
  expect({ files, users: objects.users, continued }).toEqual({
    files: ['data/users.ndjson', 'users-rows.yaml'],
    users: 10_001,
    continued: true,
  });
  await at.does('plan team --detailed-exitcode');
  // So many records are written as a whole state, with the entry of the command.
  expect((await at.does('state log')).stdout).toMatch(/^1 .* export {2}done .*\n$/u);
});
