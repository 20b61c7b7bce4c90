// Tests that messages without ids of their own are all kept: those of one author and one millisecond are numbered in the order of the
// export, in every later export the same.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSuite } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { convertFiles, convertInto, convertTables } from './support/converted.ts';

const at = 1_704_103_200_000;
const post = (user: string, message: string, create_at = at): object => ({
  type: 'post',
  post: { team: 'a', channel: 't', user, message, create_at },
});
const exportOf = (...posts: object[]): string =>
  [
    { type: 'version', version: 1 },
    { type: 'channel', channel: { team: 'a', name: 't', display_name: 'T', type: 'O' } },
    { type: 'user', user: { username: 'ci', teams: [{ name: 'a', channels: [{ name: 't' }] }] } },
    ...posts,
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
const texts = (historyFiles: Readonly<Record<string, readonly object[]>>) =>
  Object.values(historyFiles)
    .flat()
    .map((line) => (line as { message: string }).message);

test('a bot of Mattermost posts twice in one millisecond', async () => {
  const posts = [post('ci', 'build 7 failed'), post('ci', 'deploy stopped'), post('ci', 'deploy stopped')];
  const { historyFiles, facts, result } = await convertFiles('mattermost', { 'e.jsonl': exportOf(...posts) });
  expect(texts(historyFiles)).toEqual(['build 7 failed', 'deploy stopped', 'deploy stopped']);
  const [first, ...others] = facts.map(({ id }) => id);
  expect(others).toEqual([`${first}-2`, `${first}-3`]);
  expect(result).toMatchObject({ unordered: 3, messages: 3 });
});

test('a post that two exports of Mattermost in one folder have is one post', async () => {
  const both = {
    'a.jsonl': exportOf(post('ci', 'one'), post('ci', 'two')),
    'b.jsonl': exportOf(post('ci', 'one'), post('ci', 'two')),
  };
  const { historyFiles, ledger } = await convertFiles('mattermost', both);
  expect(texts(historyFiles)).toEqual(['one', 'two']);
  expect(ledger.filter(({ reason }) => reason === 'message.repeated')).toHaveLength(2);
});

const mapping = `version: 1
name: own
complete: true
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: messages.csv } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${body}", deleted: "\${gone}" }
`;
const tables = (...rows: string[]) => ({
  'users.csv': 'id,name\n1,Ann\n2,Bob\n',
  'rooms.csv': 'id,name,members\n7,Desk,"1,2"\n8,Hall,1\n',
  'messages.csv': ['room,user,at,body,gone', ...rows, ''].join('\n'),
});
const time = '2024-01-01T10:00:00Z';

test('rows without ids are kept, and a later export changes none of them', async () => {
  const rows = [
    '7,1,2023-01-01T10:00:00Z,zero,',
    `7,1,${time},one,`,
    `7,1,${time},two,`,
    `7,2,${time},three,`,
    `8,1,${time},four,`,
    `7,1,${time},five,`,
  ];
  const into = join(await temporaryFolder(), 'out');
  const first = await convertTables(tables(...rows), mapping, { into });
  expect(texts(first.historyFiles).sort()).toEqual(['five', 'four', 'one', 'three', 'two', 'zero']);
  expect(first.ledger.filter(({ outcome }) => outcome === 'left_out')).toEqual([]);
  const removed = rows.map((row, place) => (place === 2 ? `${row}t` : row));
  const later = await convertTables(tables(...removed, '7,1,2024-01-01T10:00:01Z,six,'), mapping, { into });
  const idsOf = (facts: readonly { id: string; text: string }[]) => new Map(facts.map(({ id, text }) => [text, id]));
  const [before, after] = [idsOf(first.facts), idsOf(later.facts)];
  expect([...after.keys()].sort()).toEqual(['five', 'four', 'one', 'six', 'three', 'zero']);
  for (const text of ['one', 'three', 'four', 'five']) expect(after.get(text)).toBe(before.get(text));
});

test('a table that is read in part has ids', async () => {
  const partial = mapping.replace('files: messages.csv', 'files: messages.csv, since: at');
  await expect(convertTables(tables(`7,1,${time},one,`), partial)).rejects.toThrow('mapping');
});

test('a post that was deleted does not change what the other posts of its millisecond are', async () => {
  const folder = await temporaryFolder();
  const out = join(folder, 'out');
  const convert = async (...posts: object[]) => {
    const file = join(folder, 'e.jsonl');
    await writeFile(file, exportOf(post('ci', 'first', at - 1000), ...posts, post('ci', 'last', at + 1000)));
    return convertInto('mattermost', file, out);
  };
  const [one, two, three] = ['one', 'two', 'three'].map((text) => post('ci', text));
  const before = await convert(one ?? {}, two ?? {}, three ?? {});
  const after = await convert(two ?? {}, three ?? {});
  const linesOf = ({ historyFiles }: typeof before) => Object.values(historyFiles).flat();
  expect(linesOf(after)).toEqual(linesOf(before).filter(({ message }) => message !== 'one'));
  expect(after.result.no_longer_there).toMatchObject({ gone: 1 });
});

test('rows without ids that two files of one export have are one message', async () => {
  const parts = mapping.replace('files: messages.csv', 'files: "messages*.csv"');
  const { 'messages.csv': first, ...others } = tables(`7,1,${time},one,`, `7,1,${time},two,`, `7,1,${time},two,`);
  const second = tables(`7,1,${time},one,`, `7,1,${time},two,`, `7,1,${time},three,`)['messages.csv'];
  const files = { ...others, 'messages-1.csv': first, 'messages-2.csv': second };
  const { historyFiles, ledger } = await convertTables(files, parts);
  expect(texts(historyFiles)).toEqual(['one', 'two', 'two', 'three']);
  expect(ledger.filter(({ reason }) => reason === 'message.repeated')).toHaveLength(2);
});

test('rows without ids in another order, with new ones, keep the numbers and the order that they have', async () => {
  const row = fc.record({ sender: fc.constantFrom('1', '2'), text: fc.constantFrom('a', 'b', 'c', 'd') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.array(row, { maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      async (first, added, numbers) => {
        const written = ({ sender, text }: { sender: string; text: string }) => `7,${sender},${time},${text},`;
        const into = join(await temporaryFolder(), 'out');
        const before = await convertTables(tables(...first.map(written)), mapping, { into });
        const shuffled = [...first, ...added]
          .map((one) => [numbers.next().value ?? 0, written(one)] as const)
          .sort(([left], [right]) => left - right);
        const after = await convertTables(tables(...shuffled.map(([, text]) => text)), mapping, { into });
        const [lines, linesBefore] = [after, before].map(({ historyFiles }) => Object.values(historyFiles).flat());
        expect(lines?.slice(0, first.length)).toEqual(linesBefore);
        expect(texts(after.historyFiles).sort()).toEqual([...first, ...added].map(({ text }) => text).sort());
        expect(new Set(lines?.map(({ dedup_id }) => dedup_id)).size).toBe(lines?.length);
        expect(new Set(after.facts.map(({ id }) => id))).toEqual(new Set(lines?.map(({ dedup_id }) => dedup_id)));
      },
    ),
    { numRuns: inSuite(12, 80) },
  );
});

test('one edit among rows without ids of a millisecond edits that message', async () => {
  const into = join(await temporaryFolder(), 'out');
  const rows = ['one', 'two', 'three'].map((text) => `7,1,${time},${text},`);
  const before = await convertTables(tables(...rows), mapping, { into });
  const edited = [rows[2], rows[0], `7,1,${time},TWO,`].map(String);
  const after = await convertTables(tables(...edited), mapping, { into });
  const [linesBefore, lines] = [before, after].map(({ historyFiles }) => Object.values(historyFiles).flat());
  expect(texts(after.historyFiles)).toEqual(['one', 'TWO', 'three']);
  expect(lines?.map(({ dedup_id }) => dedup_id)).toEqual(linesBefore?.map(({ dedup_id }) => dedup_id));
});

test.for<readonly [name: string, columns: string, values: readonly string[]]>([
  ['the finer time', '', ['.123456', '.123457', '.1239']],
  ['order', `, order: "\${seq}"`, ['3', '10', '22']],
])('rows without ids that %s orders are the same messages in any order of the rows', async ([name, order, values]) => {
  const rows = values.map((value, place) =>
    name === 'order' ? `7,1,${time},text ${place},,${value}` : `7,1,${time.replace('Z', `${value}Z`)},text ${place},,`,
  );
  const withOrder = mapping.replace(', text:', `${order}, text:`);
  const of = (listed: readonly string[]) => {
    const files = tables(...listed);
    return { ...files, 'messages.csv': files['messages.csv'].replace(',gone', ',gone,seq') };
  };
  const straight = await convertTables(of(rows), withOrder);
  const reversed = await convertTables(of([...rows].reverse()), withOrder);
  expect(reversed.historyFiles).toEqual(straight.historyFiles);
  expect(texts(straight.historyFiles)).toEqual(['text 0', 'text 1', 'text 2']);
});
