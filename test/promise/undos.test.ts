// Tests that an undo which is killed or refused can be given again and ends the same, for every kind, at every moment of the run
// and of the undo. The fast suite samples the moments; undos.long.test.ts takes all.
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { keyOf, kindOf } from '../../src/core/model/address.ts';
import { Refusal } from '../../src/core/model/errors.ts';
import type { Resource } from '../../src/core/model/resource.ts';
import { registry } from '../../src/core/resources/index.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { resources } from '../support/planning/planning.ts';
import { twoEstates } from '../support/planning/two-estates.ts';
import { inSuite, seedOfRun } from '../support/suite.ts';
import { Chance } from './support/chance.ts';
import { type Trouble, UndoWorld } from './support/undos.ts';

/** Blocks by kind and key. */
type Blocks = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

const bot = {
  bot_nickname: 'Robo',
  bot_type: 't',
  bot_callback_url: 'https://bots.example.com/a',
  is_privacy_mode: false,
};
const webhook = { enabled: true, url: 'https://hooks.example.com/w', enabled_events: ['user:ban'] };
const templates = { MESG: 'Hi', FILE: 'File', ADMM: 'News' };
/** Objects that every row has. */
const base: Blocks = {
  user: { anna: { nickname: 'A' }, bert: { nickname: 'B' }, carl: { nickname: 'C' } },
};
function withBase(blocks: Blocks): Blocks {
  return { ...blocks, user: { ...base.user, ...blocks.user } };
}

const deleted = { lifecycle: { on_remove: 'delete' } };
const lasting = { lifecycle: { ignore_changes: ['members'] } };

/** The blocks before the run and after it. */
const rows: readonly (readonly [what: string, before: Blocks, after: Blocks])[] = [
  ['a new user', {}, { user: { dora: { nickname: 'D', metadata: { a: '1' } } } }],
  ['a new user who is deleted', {}, { user: { dora: { nickname: 'D', ...deleted } } }],
  ['a deleted user', { user: { dora: { nickname: 'D', ...deleted } } }, {}],
  [
    'an edited user',
    { user: { anna: { nickname: 'A', metadata: { a: '1', b: '2' }, preferred_languages: ['en'] } } },
    { user: { anna: { nickname: 'New', metadata: { b: '3', c: '4' }, preferred_languages: ['de', 'en'] } } },
  ],
  [
    'a deactivated user',
    { user: { dora: { nickname: 'D' } } },
    { user: { dora: { nickname: 'E', deactivated: true } } },
  ],
  ['a removed user', { user: { dora: { nickname: 'D' } } }, {}],
  ['a new bot', {}, { bot: { robo: bot } }],
  ['a deleted bot', { bot: { robo: bot } }, {}],
  ['an edited bot', { bot: { robo: bot } }, { bot: { robo: { ...bot, bot_nickname: 'New' } } }],
  [
    'a new bot in a channel',
    { group_channel: { room: { members: { anna: {} } } } },
    { bot: { robo: bot }, group_channel: { room: { members: { anna: {}, robo: {} } } } },
  ],
  ['a new open channel', {}, { open_channel: { hall: { name: 'H', operators: ['anna'] } } }],
  ['a deleted open channel', { open_channel: { hall: { name: 'H', ...deleted } } }, {}],
  [
    'an edited open channel',
    { open_channel: { hall: { name: 'H', operators: ['anna'], banned: { bert: {} }, metadata: { a: '1' } } } },
    { open_channel: { hall: { name: 'I', operators: ['carl'], muted: { bert: {} }, frozen: true } } },
  ],
  ['a new group channel', {}, { group_channel: { room: { members: { anna: {}, bert: {} }, operators: ['anna'] } } }],
  ['a new group channel that is deleted', {}, { group_channel: { room: { members: { anna: {} }, ...deleted } } }],
  ['a deleted group channel', { group_channel: { room: { members: { anna: {} }, ...deleted } } }, {}],
  [
    'an edited group channel',
    {
      group_channel: { room: { name: 'R', members: { anna: {}, bert: {} }, operators: ['bert'], muted: { bert: {} } } },
    },
    { group_channel: { room: { name: 'S', members: { anna: {}, carl: {} }, operators: ['anna'] } } },
  ],
  [
    'a new user who is deactivated and muted',
    { open_channel: { hall: { name: 'H' } } },
    {
      user: { dora: { nickname: 'D', deactivated: true } },
      open_channel: { hall: { name: 'H', muted: { dora: {} } } },
    },
  ],
  [
    'a ban with another end',
    { open_channel: { hall: { name: 'H', banned: { bert: { until: '2030-01-01T00:00:00Z' } } } } },
    { open_channel: { hall: { name: 'H', banned: { bert: { until: '2031-01-01T00:00:00Z' } } } } },
  ],
  [
    'a banned member',
    { group_channel: { room: { members: { anna: {}, bert: {} } } } },
    { group_channel: { room: { members: { anna: {} }, banned: { bert: {} } } } },
  ],
  [
    'a banned member of a channel that keeps its members',
    { group_channel: { room: { members: { anna: {}, bert: {} }, ...lasting } } },
    { group_channel: { room: { members: { anna: {} }, banned: { bert: {} }, ...lasting } } },
  ],
  ['a new custom type', {}, { custom_type: { sales: { allow_links: false, operators: ['anna'] } } }],
  ['a deleted custom type', { custom_type: { sales: { allow_links: false } } }, {}],
  [
    'an edited custom type',
    { custom_type: { sales: { max_message_length: 500, banned: { bert: {} } } } },
    { custom_type: { sales: { max_message_length: 1000, muted: { bert: {} }, operators: ['anna'] } } },
  ],
  [
    'a text of a custom type that another one replaces',
    { custom_type: { sales: { allow_links: false, push_template: { MESG: 'Hi', ADMM: 'News' } } } },
    { custom_type: { sales: { allow_links: false, push_template: { MESG: 'New' } } } },
  ],
  [
    'a text of a custom type beside another setting',
    { custom_type: { sales: { allow_links: false, push_template: { MESG: 'Hi', ADMM: 'News' } } } },
    { custom_type: { sales: { allow_links: true, push_template: { MESG: 'Hi' } } } },
  ],
  [
    'edited settings',
    {
      settings: {
        application: { webhook: { ...webhook, enabled: false }, push_templates: { default: templates } },
      },
    },
    {
      settings: {
        application: {
          webhook,
          push_templates: { default: { ...templates, MESG: 'New' } },
          ip_whitelist: ['10.0.0.1'],
        },
      },
    },
  ],
];

const worlds = new Map<string, Promise<UndoWorld>>();
const worldOf = ([what, before, after]: (typeof rows)[number]): Promise<UndoWorld> => {
  const world = worlds.get(what) ?? UndoWorld.open(resources(withBase(before)), resources(withBase(after)));
  worlds.set(what, world);
  return world;
};
let plays = 0;
afterAll(() => expect(plays).toBeGreaterThan(rows.length));

/** Whoever is invited again may have to accept (semantics §2.2). */
const isWaiting = (sentence: string): boolean => / as invited instead of joined$/u.test(sentence);
const waitingUser = (sentence: string): string => / has (.*) as invited instead of joined$/u.exec(sentence)?.[1] ?? '';
const addressOfSentence = (sentence: string): string => sentence.split(' ')[0] ?? '';

/** The ids of users whose `auto_accept` the run changes, so that its undo sets it back. */
function othersAccept(before: readonly Resource[], after: readonly Resource[]): ReadonlySet<string> {
  const acceptOf = (estate: readonly Resource[], address: string) =>
    estate.find((one) => one.address === address)?.attributes.auto_accept;
  const users = [...before, ...after].filter(({ address }) => kindOf(address) === 'user');
  const edited = users.filter(({ address }) => acceptOf(before, address) !== acceptOf(after, address));
  return new Set(edited.map(({ address }) => keyOf(address)));
}

/** Runs one undo with trouble, and tells whether trouble happened. */
async function endsAlike(
  world: UndoWorld,
  what: string,
  inRun: Trouble,
  inUndo: Trouble,
  { refresh, mayJoin = new Set() }: { readonly refresh: boolean; readonly mayJoin?: ReadonlySet<string> },
): Promise<boolean> {
  const wanted = await world.play(inRun, undefined, refresh);
  plays += 1;
  const where = `${what}: ${JSON.stringify({ inRun, inUndo, refresh })}`;
  // An undo of a run, wherever that ended, restores everything or lists it.
  const open = wanted.differences.filter(
    (sentence) => !sentence.includes('exists and is not known') && !isWaiting(sentence),
  );
  expect(
    open.filter((sentence) => !wanted.losses.includes(addressOfSentence(sentence))),
    `${where}\n${wanted.losses}`,
  ).toEqual([]);
  expect(wanted.falselyDeleted, where).toEqual([]);
  expect(wanted.falselyStaying, where).toEqual([]);
  if (inUndo === undefined) return wanted.isTroubled.run;
  const twice = await world.play(inRun, inUndo, refresh);
  plays += 1;
  // An undo that was cut off may have set auto_accept back before it invites, so those whom it concerns join at once.
  const joinsAtOnce = (sentence: string) => isWaiting(sentence) && mayJoin.has(waitingUser(sentence));
  const differences = wanted.differences.filter(
    (sentence) => !joinsAtOnce(sentence) || twice.differences.includes(sentence),
  );
  expect({ where, differences: twice.differences, managed: twice.managed, false: twice.falselyDeleted }).toEqual({
    where,
    differences,
    managed: wanted.managed,
    false: [],
  });
  return twice.isTroubled.undo;
}

test('the rows have objects of every kind but messages, which no undo changes', () => {
  const kinds = new Set(rows.flatMap(([, ...sides]) => sides.flatMap((blocks) => Object.keys(blocks))));
  expect([...kinds].sort()).toEqual(
    registry
      .filter(({ isChild }) => isChild !== true)
      .map(({ name }) => name)
      .sort(),
  );
});

/** The moments and refused writes of one run, from the first to the last that it reaches. */
async function everyTrouble(play: (trouble: Trouble) => Promise<boolean>): Promise<void> {
  for (let killedAt = 1; await play({ killedAt }); killedAt += 1);
  for (let refusedAt = 1; await play({ refusedAt }); refusedAt += 1);
}

describe.runIf(inSuite(false, true))('at every moment', () => {
  test.for(rows)('of the undo of %s', { timeout: 300_000 }, async (row) => {
    const world = await worldOf(row);
    await everyTrouble((trouble) => endsAlike(world, row[0], undefined, trouble, { refresh: false }));
  });

  // A refresh compares what a killed run left behind.
  test.for(rows)('of the run that is undone: %s', { timeout: 300_000 }, async (row) => {
    const world = await worldOf(row);
    for (const refresh of [false, true])
      await everyTrouble((trouble) => endsAlike(world, row[0], trouble, undefined, { refresh }));
  });
});

test('at some moments of the run and of the undo', { timeout: inSuite(60_000, 300_000) }, async () => {
  const chance = new Chance(seedOfRun());
  const trouble = (): Trouble =>
    chance.one([{ killedAt: chance.int(1, 60) }, { refusedAt: chance.int(1, 5) }, undefined]);
  for (let count = inSuite(30, 200); count > 0; count -= 1) {
    const row = chance.one(rows);
    await endsAlike(await worldOf(row), row[0], trouble(), trouble(), { refresh: chance.one([false, true]) });
  }
});

test('at some moments of runs and undos of any estates', { timeout: inSuite(60_000, 300_000) }, async () => {
  const trouble: fc.Arbitrary<Trouble> = fc.oneof(
    fc.record({ killedAt: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ refusedAt: fc.integer({ min: 1, max: 12 }) }),
    fc.constant(undefined),
  );
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(twoEstates, trouble, trouble, fc.boolean(), async ([before, after], inRun, inUndo, refresh) => {
      try {
        const mayJoin = othersAccept(before, after);
        const world = await UndoWorld.open(before, after);
        await endsAlike(world, 'any estates', inRun, inUndo, { refresh, mayJoin });
        compared += 1;
      } catch (error) {
        // Removing all objects of a kind needs an acknowledgement, for an undo as for an apply.
        if (!(error instanceof Refusal) || error.code !== 'safety.refused') throw error;
      }
    }),
    // A smaller example would take longer than the test may.
    { endOnFailure: true, numRuns: inSuite(5, 150) },
  );
  expect(compared).toBeGreaterThan(0);
});
