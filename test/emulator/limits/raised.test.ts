// Tests the limits that support raised: their names, their texts, and their effect wherever manifests declare them.
import { expect, test } from 'vitest';
import { layoutSchema } from '../../../src/core/manifest/schema/schema.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { NAMED_LIMITS, parseLimits } from '../../../src/emulator/limits/raised.ts';
import { isObject, type JsonValue, valueAt } from '../../../src/lib/json.ts';
import { place } from '../../support/place.ts';

function namesIn(schema: JsonValue | undefined, above: readonly string[] = []): string[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : undefined;
  if (properties === undefined) return [above.join('.')];
  return Object.entries(properties).flatMap(([name, inner]) => namesIn(inner, [...above, name]));
}

test('has the limits that a manifest can declare, under the same names', () => {
  const limits = valueAt(layoutSchema(registry), ['$defs', 'application', 'properties', 'limits']);
  expect(Object.keys(NAMED_LIMITS).sort()).toEqual(namesIn(limits).sort());
});

test('reads each limit, and several of them', () => {
  const texts = ['messages_per_migration=200', 'meta_arrays.keys=3', 'POST=60', 'POST /migration/{channel_url}=7.5'];
  expect(parseLimits(texts)).toEqual({
    messages_per_migration: 200,
    meta_arrays: { keys: 3 },
    rates: { POST: 60, 'POST /migration/{channel_url}': 7.5 },
  });
});

test('knows the one limit of the messages of both kinds of channel', () => {
  const name = 'POST /{channel_type}/{channel_url}/messages';
  expect(parseLimits([`${name}=3`]).rates).toEqual({ [name]: 3 });
});

test.for([
  '',
  'POST',
  '=5',
  'post=5',
  'messages=5',
  'meta_arrays=5',
  'POST=',
  'POST=0',
  'POST=x',
  'message_length=1.5',
  'POST /nope=3',
  'POST /group_channels/{channel_url}/messages=3',
  'PUT /migration/{channel_url}=3',
  'POST /migration/room=3',
])('refuses %j', (text) => {
  expect(() => parseLimits([text])).toThrow(/names no limit|above 0|applies no limit/u);
});

const message = (at: number) =>
  JSON.stringify({ message_type: 'MESG', user_id: 'ann', timestamp: 1_600_000_000_000 + at, message: `m${at}` });

test('an emulator of the manifest, a rehearsal and --limit allow what application.limits says', async () => {
  const at = await place({
    'chat.yaml': `version: 1
application: { base_url: 'emulator:x', rate_plan: 100k_mau, limits: { messages_per_migration: 200 } }
users: { ann: { nickname: Ann } }
group_channels: { room: { members: { ann: }, messages: { file: h.ndjson } } }
`,
    'h.ndjson': `${Array.from({ length: 150 }, (_, number) => message(number)).join('\n')}\n`,
  });
  expect((await at.run('rehearse')).stdout).toContain('The run would succeed');
  await at.does('apply --auto-approve');
  const seeded = await at.run('emulator --limit messages_per_migration=200 --seed chat.yaml -- true');
  expect(seeded.exit, seeded.stderr).toBe(0);
  const refused = await at.run('emulator --limit messages=200 -- true');
  expect([refused.exit, refused.stderr]).toEqual([64, expect.stringContaining('messages=200 names no limit')]);
});
