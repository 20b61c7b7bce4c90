// Tests that creations which are planned after a pattern are planned as each would be by itself, whatever their texts say.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { collectInMemory } from '../../../src/lib/series.ts';
import { Spool } from '../../../src/lib/spool.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { Lifecycle, Resource } from '../../../src/model/resource.ts';
import { printPlanFile } from '../../../src/planner/plan-file/print.ts';
import { PlanFileReader } from '../../../src/planner/plan-file/reader.ts';
import { limitsOf } from '../../../src/platform/limits.ts';
import { registry } from '../../../src/resources/index.ts';
import { planFor, resource, stateOf } from '../../support/planning/planning.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** No creation follows a pattern. */
const oneByOne = registry.map(({ opaqueTexts: _none, ...kind }) => kind);

/** Quotes, control characters, pairs and halves of pairs, and the signs that stand in patterns. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\n\t',
    '🙂',
    '\ud800',
    '@',
    '\uE000',
    '\uE0000\uE001',
    '\uE0005\uE001é',
    'x'.repeat(30_000),
  ),
);
const mark = '\uE0000\uE001';
const key = fc
  .oneof(fc.string({ minLength: 1, maxLength: 8 }), text, fc.constant(mark))
  .filter((found) => found !== '');

/** Once it has read such a key, the JSON.parse of Node 24 takes others for it (nodejs/node#63785). */
const name = text.filter((found) => found !== '\\');

const block = fc.record(
  {
    nickname: text,
    profile_url: text,
    metadata: fc.dictionary(fc.oneof(fc.constantFrom('team', mark, '\uE0004\uE001', '1'), name), text, {
      maxKeys: 3,
    }),
    deactivated: fc.boolean(),
    issue_access_token: fc.constantFrom<JsonObject[]>({ revision: 1 }, { revision: 2 }),
    profile_file: fc.constantFrom<JsonObject[]>({ file: 'a.png', digest: 'd', media_type: 'image/png' }),
  },
  { requiredKeys: ['nickname'] },
);
const lifecycle = fc.constantFrom<Lifecycle[]>({}, {}, { protect: true }, { on_remove: 'forget' });
const position = fc.record({ file: fc.constantFrom('a.ndjson', 'b".yaml'), line: fc.nat(), column: fc.nat(9) });

/** Some have the shape and the texts of others, most the shape alone. */
const users = fc
  .uniqueArray(fc.tuple(key, block, lifecycle, position), { selector: ([id]) => id, maxLength: 12 })
  .map((all) =>
    all.flatMap(([id, declared, own, source]): Resource[] => {
      const one = { ...resource('user', id, declared, own), source };
      return [one, { ...one, ...resource('user', `${id} again`, { ...declared, nickname: id }, own) }];
    }),
  )
  .map((all) => [...new Map(all.map((one) => [one.address, one])).values()]);

/** Templates are how a plan is kept, not what it says. */
function whole({ changes, steps, preconditions, needed, templates: _kept, ...plan }: Plan): unknown {
  return JSON.parse(
    JSON.stringify({
      ...plan,
      changes: [...changes],
      steps: [...steps],
      preconditions: [...preconditions],
      needed: [...(needed ?? [])],
    }),
  );
}

test('in memory and on disk, with and without a state, with objects that name them', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 0 });
  onTestFinished(() => spool.close());
  fc.assert(
    fc.property(users, fc.nat(3), (all, known) => {
      const before = stateOf(all.slice(0, known));
      const named = all.at(-1);
      const id = named?.address.slice('user.'.length) ?? '';
      const room = id === '' ? [] : [resource('group_channel', 'room', { members: { [id]: {} } })];
      const desired = [...all, ...room];
      const limits = { limitsOf: limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1 }) };
      const alone = planFor(desired, before, { ...limits, kinds: oneByOne }).plan;
      for (const collect of [undefined, spool.collect]) {
        const { plan } = planFor(desired, before, { ...limits, ...(collect === undefined ? {} : { collect }) });
        expect(whole(plan)).toEqual(whole(alone));
        expect(plan.hash).toBe(alone.hash);
        expect(JSON.stringify([...plan.steps])).toBe(JSON.stringify([...alone.steps]));
        expect(plan.changes.at(plan.changes.length - 1)).toEqual(alone.changes.at(alone.changes.length - 1));
        const file = [...printPlanFile(plan)];
        for (const into of [collectInMemory, spool.collect]) {
          const reader = new PlanFileReader('plan.json', into);
          for (const piece of file) reader.add(piece);
          expect(whole(reader.end())).toEqual(whole(alone));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a metadata key that looks like a mark stays what it is, also where the key of the first user is the same', () => {
  const many = [mark, `${mark} again`].map((key) =>
    resource('user', key, { nickname: 'N', metadata: { [mark]: 'x' } }),
  );
  expect(whole(planFor(many).plan)).toEqual(whole(planFor(many, new Map(), { kinds: oneByOne }).plan));
});

test('of more shapes than are kept, the others are planned one by one', () => {
  const many = Array.from({ length: 80 }, (_none, place) =>
    resource('user', `u${place}`, { nickname: 'N', metadata: { [`key ${place % 40}`]: `${place}` } }),
  );
  expect(whole(planFor(many).plan)).toEqual(whole(planFor(many, new Map(), { kinds: oneByOne }).plan));
});

test('a few creations over a state are ordered with the others, and those after them follow the pattern', () => {
  const known = resource('user', 'a', { nickname: 'A' });
  const many = Array.from({ length: 2_050 }, (_none, place) => resource('user', `u${place}`, { nickname: `${place}` }));
  const plans = [registry, oneByOne].map((kinds) => planFor([known, ...many], stateOf([known]), { kinds }).plan);
  expect(plans[0]?.summary).toEqual({ create: 2_050 });
  expect(plans[0]?.hash).toBe(plans[1]?.hash);
  expect(plans[0]?.duration).toEqual(plans[1]?.duration);
});
