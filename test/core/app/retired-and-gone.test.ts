// Tests that an object that others deleted can be removed from the manifests in every way that its kind allows.
import { expect, test } from 'vitest';
import { requestPath } from '../../../src/core/model/request.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { connected } from '../../support/place.ts';
import { leastOf } from '../resources/support/samples.ts';

const policy = { removals: { max_share: 1, free_count: 1000 } };

const cases = registry
  .filter(({ isChild }) => isChild !== true)
  .flatMap((kind) => kind.removals.filter((removal) => removal !== 'forget').map((removal) => ({ kind, removal })));

test('covers each way to remove an object', () => {
  expect(cases.map(({ kind, removal }) => `${kind.name} ${removal}`)).toEqual([
    'user deactivate',
    'user delete',
    'user erase',
    'bot delete',
    'open_channel freeze',
    'open_channel delete',
    'group_channel freeze',
    'group_channel delete',
    'custom_type delete',
  ]);
});

test('an object that others deleted counts as removed, and the next plan is empty', async () => {
  const { at, call } = await connected();
  const objects = cases.map(({ kind, removal }) => ({ kind, removal, key: `${kind.name}-${removal}` }));
  // One object of each kind stays, because removing all of a kind needs an acknowledgement.
  const staying: Record<string, Record<string, JsonObject>> = { users: { alice: { nickname: 'Alice' } } };
  for (const { kind } of objects)
    staying[kind.section] = { ...staying[kind.section], [`${kind.name}-stays`]: leastOf(kind) };
  const all = { ...staying };
  for (const { kind, removal, key } of objects)
    all[kind.section] = { ...all[kind.section], [key]: { ...leastOf(kind), lifecycle: { on_remove: removal } } };
  const write = (sections: object) => at.write({ 'chat.yaml': JSON.stringify({ version: 1, policy, ...sections }) });
  await write(all);
  await at.does('apply --auto-approve --tokens-out tokens.ndjson');
  for (const { kind, key } of objects) {
    const request = kind.remove(key);
    await call(request.method, requestPath(request));
  }
  await write(staying);
  const { stderr } = await at.does('apply --auto-approve --tokens-out tokens.ndjson');
  expect(stderr).toContain(`${objects.length} steps succeeded`);
  await at.does('plan --detailed-exitcode');
});
