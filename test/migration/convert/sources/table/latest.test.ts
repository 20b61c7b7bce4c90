// Tests `latest`, by which of several rows with one key, such as the revisions of a message, one counts.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSuite } from '../../../../support/suite.ts';
import { convertTables } from '../../support/converted.ts';

const common = { 'users.csv': 'id,name\n1,Ann\n', 'rooms.csv': 'id,name,members\n7,Desk,1\n' };
const head = `version: 1
name: own
`;
const objects = `users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
`;
const ofMessages = (latest = ', key: "${id}", latest: "${rev}"') =>
  `${head}tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: "messages*.csv"${latest} } }
${objects}messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${body}" }
`;
const time = '2024-01-01T10:00:00Z';
const row = (id: number, rev: string | number, body = `${id}.${rev}`) => `${id},7,1,${time},${body},${rev}`;
const tableOf = (rows: readonly string[]) => ['id,room,user,at,body,rev', ...rows, ''].join('\n');
const textsIn = (historyFiles: Readonly<Record<string, readonly object[]>>) =>
  Object.values(historyFiles)
    .flat()
    .map((line) => (line as { message: string }).message);

test('the largest revision of each message counts, wherever it is, and every row has a line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 })), {
        minLength: 1,
        maxLength: 10,
        selector: ([id, rev]) => `${id}.${rev}`,
      }),
      fc.nat(10),
      async (drawn, cut) => {
        const rows = drawn.map(([id, rev]) => row(id, rev));
        const { historyFiles, ledger, result } = await convertTables(
          { ...common, 'messages-1.csv': tableOf(rows.slice(cut)), 'messages-2.csv': tableOf(rows.slice(0, cut)) },
          ofMessages(),
        );
        const ids = [...new Set(drawn.map(([id]) => id))].sort((left, right) => left - right);
        const largest = (id: number) => Math.max(...drawn.filter(([other]) => other === id).map(([, rev]) => rev));
        expect(textsIn(historyFiles)).toEqual(ids.map((id) => `${id}.${largest(id)}`));
        expect(ledger.filter(({ reason }) => reason === 'row.earlier')).toHaveLength(drawn.length - ids.length);
        expect(ledger.filter(({ at }) => /^messages.*#/u.test(at))).toHaveLength(drawn.length);
        expect(result.undecided).toEqual([]);
      },
    ),
    { numRuns: inSuite(10, 60) },
  );
});

test.for<readonly [claim: string, revisions: readonly string[], latest: string]>([
  ['numbers, by value', ['9', '10', '2'], '10'],
  [
    'times in any zone',
    ['2024-01-01T12:00:00+02:00', '2024-01-01T10:00:00.000001Z', '2024-01-01T09:00:00Z'],
    '2024-01-01T10:00:00.000001Z',
  ],
  ['equal values, the later row', ['3', '3.0'], '3.0'],
  ['no value, before any', ['', '-5'], '-5'],
])('compares %s', async ([, revisions, latest]) => {
  const { historyFiles } = await convertTables(
    { ...common, 'messages.csv': tableOf(revisions.map((rev) => row(1, rev))) },
    ofMessages(),
  );
  expect(textsIn(historyFiles)).toEqual([`1.${latest}`]);
});

test('joined and looked-up rows have the latest revision', async () => {
  const mapping = (messages: string, text: string) => `${head}tables:
  users: { files: users.csv }
  rooms: { files: rooms.csv }
  posts: { files: posts.csv${messages} }
  revisions: { files: revisions.csv, key: "\${post}", latest: "\${no}" }
${objects}messages: { from: posts, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: ${text} }
`;
  const files = {
    ...common,
    'posts.csv': `id,room,user,at\n1,7,1,${time}\n2,7,1,${time}\n`,
    'revisions.csv': 'post,no,body\n1,2,second\n1,1,first\n2,1,only\n1,10,third\n',
  };
  const joined = await convertTables(files, mapping(', join: { revisions: "${id}" }', '"${revisions.body}"'));
  expect(textsIn(joined.historyFiles)).toEqual(['third', 'only']);
  expect(joined.result.undecided).toEqual([]);
  const lookedUp = await convertTables(files, mapping('', '{ in: revisions, key: "${id}", get: "${body}" }'));
  expect(textsIn(lookedUp.historyFiles)).toEqual(['third', 'only']);
});

test('a value by which no revision is later is refused, or counted with its place', async () => {
  const convert = (revisions: readonly string[]) =>
    convertTables({ ...common, 'messages.csv': tableOf(revisions.map((rev) => row(1, rev))) }, ofMessages());
  await expect(convert(['a', 'b', 'c'])).rejects.toMatchObject({
    diagnostics: [{ detail: expect.stringContaining('"a" here, which is not a number or a time') }],
  });
  const { folder } = await convert(['1', 'x', '2']);
  expect(readFileSync(join(folder, 'conversion/report.md'), 'utf8')).toContain(
    '1 of 3 values of tables.messages.latest are not a number or a time: the first is "x" at messages.csv#3.',
  );
});

test('latest without a key is refused', async () => {
  const convert = convertTables({ ...common, 'messages.csv': tableOf([row(1, 1)]) }, ofMessages(', latest: "${rev}"'));
  await expect(convert).rejects.toMatchObject({
    diagnostics: [{ detail: expect.stringContaining('equal in all revisions of an object under key') }],
  });
});
