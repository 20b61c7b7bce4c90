// Properties of later exports that list only some of the people, rooms and members: nobody is deactivated, removed or frozen,
// unless exports of the source list everybody. Then exactly those are gone who are missing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sources } from '../../../src/migration/convert/sources/index.ts';
import { convertExport } from '../../../src/migration/convert.ts';
import { writeFiles } from '../../support/folders.ts';
import { inSuite } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Listed, Room } from './support/lists.ts';
import { systemsAndTable } from './support/systems.ts';

const users = ['U000001', 'U000002', 'U000003', 'U000004'];
const rooms = ['C000001', 'C000002', 'C000003'];
const some = (of: readonly string[], minLength = 0) => fc.subarray([...of], { minLength });

const room = (id: string): fc.Arbitrary<Room> =>
  some(users, 1).chain((members) =>
    fc.record({ id: fc.constant(id), members: fc.constant(members), operators: some(members) }),
  );

/** Some messages in each of the rooms. `from` is the number of the first. */
const messagesIn = (ids: readonly string[], from: number) =>
  fc
    .array(fc.record({ room: fc.constantFrom(...ids), user: fc.constantFrom(...users) }), { maxLength: 6 })
    .map((messages) => messages.map((message, place) => ({ ...message, number: from + place })));

const whole: fc.Arbitrary<Listed> = fc.record({
  users: fc.constant(users),
  rooms: fc.tuple(...rooms.map(room)),
  messages: messagesIn(rooms, 0),
});

/** The rooms of a later export always have at least one member, since a list without any counts as no list. */
const part: fc.Arbitrary<Listed> = some(rooms, 1).chain((ids) =>
  fc.record({ users: some(users, 1), rooms: fc.tuple(...ids.map(room)), messages: messagesIn(ids, 100) }),
);

type System = (typeof systemsAndTable)[number];

interface Declared {
  readonly users: Readonly<Record<string, { readonly deactivated?: true } | null>>;
  readonly rooms: Readonly<
    Record<string, { readonly members?: object; readonly operators?: string[]; readonly frozen?: true }>
  >;
  /** By source id. */
  readonly userIds: Readonly<Record<string, string>>;
}

/** What the folder declares after each of the exports, and how many users the last conversion kept. */
async function series({ source, list, mapping }: System, exports: readonly Listed[], isComplete = false) {
  const folder = await temporaryFolder({ 'mapping.yaml': mapping?.(isComplete) ?? '' });
  const read = async (name: string) => parse(await readFile(join(folder, 'out', name), 'utf8').catch(() => '{}'));
  const declared: Declared[] = [];
  let kept = 0;
  for (const [number, listed] of exports.entries()) {
    await writeFiles(join(folder, `${number}`), list(listed));
    const result = await convertExport({
      source,
      exported: join(folder, `${number}`),
      out: join(folder, 'out'),
      ...(mapping === undefined ? {} : { mapping: join(folder, 'mapping.yaml') }),
    });
    kept = result.no_longer_there.users;
    const { users: people = {} } = await read('users.yaml');
    const { group_channels = {} } = await read('group_channels.yaml');
    const { user_ids } = await read('conversion/decisions.yaml');
    declared.push({ users: people, rooms: group_channels, userIds: user_ids });
  }
  return { declared, kept };
}

const isActive = (user: { readonly deactivated?: true } | null | undefined): boolean =>
  user !== undefined && user?.deactivated !== true;

/** Whether exports of tables list everybody is up to their mapping. */
const listsEverybody = new Map(sources.map(({ name, listsEverybody: isComplete }) => [name, isComplete]));
const partial = systemsAndTable.filter(({ source }) => listsEverybody.get(source) !== true);
const complete = systemsAndTable.filter(({ source }) => listsEverybody.get(source) !== false);

describe('an export that does not list everybody', () => {
  test.for(partial)('$source: removes nobody', async (system) => {
    await fc.assert(
      fc.asyncProperty(whole, fc.array(part, { minLength: 1, maxLength: 2 }), async (first, later) => {
        const { declared, kept } = await series(system, [first, ...later]);
        for (const [place, now] of declared.slice(1).entries()) {
          const before = declared[place];
          for (const [id, user] of Object.entries(before?.users ?? {}))
            expect(isActive(now.users[id])).toBe(isActive(user) || isActive(now.users[id]));
          expect(Object.keys(now.users)).toEqual(expect.arrayContaining(Object.keys(before?.users ?? {})));
          for (const [url, channel] of Object.entries(before?.rooms ?? {})) {
            expect(now.rooms[url]?.frozen).toBeUndefined();
            const members = Object.keys(now.rooms[url]?.members ?? {});
            expect(members).toEqual(expect.arrayContaining(Object.keys(channel.members ?? {})));
            expect(now.rooms[url]?.operators ?? []).toEqual(expect.arrayContaining(channel.operators ?? []));
          }
        }
        if (system.listsUsers !== true) return;
        const known = Object.keys(declared.at(-2)?.users ?? {}).length;
        expect(kept).toBe(known - (later.at(-1)?.users.length ?? 0));
      }),
      { numRuns: inSuite(3, 30) },
    );
  });

  test.for(partial)('$source: gives the same users and members in any order', async (system) => {
    await fc.assert(
      fc.asyncProperty(part, part, async (one, other) => {
        const people = async (exports: readonly Listed[]) => {
          const last = (await series(system, exports)).declared.at(-1);
          const sourceIds = new Map(Object.entries(last?.userIds ?? {}).map(([id, userId]) => [userId, id]));
          const names = (ids: readonly string[]) => ids.map((id) => sourceIds.get(id)).sort();
          const listed = Object.entries(last?.users ?? {}).map(([id, user]) => [sourceIds.get(id), isActive(user)]);
          const channels = Object.entries(last?.rooms ?? {}).map(([url, { members, operators }]) => {
            return [url, names(Object.keys(members ?? {})), names(operators ?? [])];
          });
          return { users: listed.sort(), channels: channels.sort() };
        };
        const messages = one.messages.map((message) => ({ ...message, number: message.number - 100 }));
        const early = { ...one, messages };
        expect(await people([other, early])).toEqual(await people([early, other]));
      }),
      { numRuns: inSuite(2, 30) },
    );
  });
});

describe('an export that lists everybody', () => {
  test.for(complete)('$source: removes exactly those who are missing', async (system) => {
    await fc.assert(
      fc.asyncProperty(whole, part, async (first, later) => {
        // Mattermost lists the rooms of the users that it lists.
        const listed = {
          ...later,
          rooms: later.rooms.map((own) => ({ ...own, members: own.members.filter((id) => later.users.includes(id)) })),
        };
        const { declared } = await series(system, [first, listed], true);
        const last = declared.at(-1);
        const idOf = (id: string): string => last?.userIds[id] ?? id;
        const active = Object.entries(last?.users ?? {}).flatMap(([id, user]) => (isActive(user) ? id : []));
        expect(active.sort()).toEqual(later.users.map(idOf).sort());
        for (const { id, members } of listed.rooms) {
          if (members.length === 0) continue;
          const [, channel] = Object.entries(last?.rooms ?? {}).find(([url]) => url.endsWith(id)) ?? [];
          expect(Object.keys(channel?.members ?? {}).sort()).toEqual(members.map(idOf).sort());
        }
      }),
      { numRuns: inSuite(3, 30) },
    );
  });
});
