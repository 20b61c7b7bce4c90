// Tests the list of files of an export, and the links of messages whose files were copied.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestText } from '../../../src/lib/digest.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { convertFiles, convertInto } from './support/converted.ts';
import {
  discordFile,
  discordMessage,
  type Files,
  jsonl,
  mattermostExport,
  mattermost as rows,
  said,
  sendbirdFile,
  sendbirdMessage,
  slackFiles,
  streamRows,
} from './support/small-exports.ts';
import { zipOf } from './support/zip.ts';

const time = 1_714_982_400_000;

const slack = (message: object) =>
  slackFiles({ 'room/2023-11-14': [{ ...said, ts: `${time / 1000}.000000`, text: '', ...message }] });
const mattermost = (path: string): Files => {
  const { room, user, post } = rows;
  return { 'import.jsonl': mattermostExport(room, user('ann'), post({ message: 'see', attachments: [{ path }] })) };
};
const discord = (url: string): Files => {
  const attachments = [{ id: '5', url, fileName: 'cat.png', fileSizeBytes: 5 }];
  return { 'general.json': discordFile([discordMessage('3', { content: '', attachments })]) };
};
const stream = (attachment: object): Files => ({
  'e.json': JSON.stringify(streamRows({ created_at: new Date(time).toISOString(), attachments: [attachment] })),
});
const sendbird = (url: string): Files => ({
  'c.json': sendbirdFile([sendbirdMessage(1, { type: 'FILE', file: { url, name: 'a.png', size: 5 } })]),
});

const dayWith = (ts: number) => [{ ...said, ts: `${ts}.000000`, text: 'before' }];

async function listOf(folder: string): Promise<JsonObject[]> {
  const text = await readFile(join(folder, 'conversion/files.ndjson'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
}

const private_ = 'https://files.slack.com/files-pri/T1-F1/cat.png';
const signed = 'https://cdn.discordapp.com/attachments/2/5/cat.png';
const cloudFront = 'https://us-east.stream-io-cdn.com/1/images/cat.png';
/** In place of a field that a row of the list lacks. */
const absent = null;
const platform = 'https://file-ap-1.sendbird.com/a.png';

test.for<[name: string, source: string, files: Files, expected: JsonObject]>([
  [
    'a link of Slack asks for a login',
    'slack',
    slack({
      files: [
        {
          id: 'F1',
          name: 'cat.png',
          size: 5,
          mimetype: 'image/png',
          url_private: `${private_}?t=xoxe-1-2`,
        },
      ],
    }),
    {
      from: private_,
      channel: 'slack_C000001',
      message: `slack:C000001:${time / 1000}.000000`,
      time,
      id: 'F1',
      name: 'cat.png',
      size: 5,
      type: 'image/png',
      url: private_,
      url_sha256: digestText(`${private_}?t=xoxe-1-2`),
      access: 'login',
      as: 'file',
    },
  ],
  [
    'bytes beside the days of Slack are found',
    'slack',
    {
      ...slack({ files: [{ id: 'F1', name: 'cat.png', url_private: '__uploads/F1/cat.png' }] }),
      '__uploads/F1/cat.png': 'miaow',
    },
    {
      from: '__uploads/F1/cat.png',
      path: '__uploads/F1/cat.png',
      sha256: digestText('miaow'),
      access: 'export',
      as: 'text',
    },
  ],
  [
    'an attachment of Mattermost is in its folder',
    'mattermost',
    { ...mattermost('2024/cat.png'), 'data/2024/cat.png': 'miaow' },
    {
      from: '2024/cat.png',
      path: 'data/2024/cat.png',
      size: 5,
      sha256: digestText('miaow'),
      access: 'export',
      as: 'text',
    },
  ],
  [
    'an attachment of Mattermost whose bytes are not there has none',
    'mattermost',
    { ...mattermost('2024/cat.png'), 'notes.txt': 'x' },
    { from: '2024/cat.png', access: 'none', as: 'text' },
  ],
  [
    'a link of Discord ends',
    'discord',
    { ...discord(`${signed}?ex=66391f00&is=1&hm=2`), 'notes.txt': 'x' },
    { from: signed, access: 'signed', expires_at: '2024-05-06T18:18:40.000Z', as: 'file' },
  ],
  [
    "a file that Discord's --media downloaded is beside its channel",
    'discord',
    { ...discord('general.json_Files\\cat-1A.png'), 'general.json_Files/cat-1A.png': 'miaow' },
    {
      from: 'general.json_Files/cat-1A.png',
      path: 'general.json_Files/cat-1A.png',
      sha256: digestText('miaow'),
      as: 'text',
    },
  ],
  [
    'a path that leads out of the export names no file',
    'discord',
    { ...discord('../../etc/passwd'), 'etc/passwd': 'x' },
    { from: absent, id: '5', access: 'none', as: 'text' },
  ],
  [
    'a path from the root of the file system names no file',
    'discord',
    { ...discord('/etc/passwd'), 'etc/passwd': 'x' },
    { from: absent, id: '5', access: 'none', as: 'text' },
  ],
  [
    'the path of the export itself names no file',
    'discord',
    { ...discord('./'), 'notes.txt': 'x' },
    { from: absent, id: '5', access: 'none', as: 'text' },
  ],
  [
    'a URL whose token cannot be removed is not listed',
    'discord',
    { ...discord('https://files.example/xoxb-1-2/cat.png'), 'notes.txt': 'x' },
    { from: absent, id: '5', access: 'none', as: 'text' },
  ],
  [
    'a link of Stream ends',
    'stream',
    stream({ type: 'image', image_url: `${cloudFront}?Expires=1714982460&Signature=a&Key-Pair-Id=b` }),
    { from: cloudFront, access: 'signed', expires_at: '2024-05-06T08:01:00.000Z', as: 'file' },
  ],
  [
    'a link of the platform is not listed with its token',
    'sendbird',
    sendbird(`${platform}?auth=secret`),
    { from: platform, id: platform, channel: 'own_url', access: 'signed', as: 'file' },
  ],
])('%s', async ([, source, files, expected]) => {
  const { folder } = await convertFiles(source, files);
  const [first] = await listOf(folder);
  expect({ from: absent, ...first }).toMatchObject(expected);
});

test('lists files that no message has, and gives each file of a zip archive a line in the ledger', async () => {
  const files = { ...mattermost('2024/cat.png'), 'data/2024/cat.png': 'miaow', 'data/emoji/x.png': 'x' };
  const broken = { 'data/b.txt': 'b' };
  const { folder, ledger, result } = await convertFiles('mattermost', files, undefined, { broken });
  expect(await listOf(folder)).toMatchObject([
    { path: 'data/2024/cat.png', as: 'text' },
    { path: 'data/emoji/x.png', size: 1, sha256: digestText('x'), as: 'unused' },
    { path: 'data/b.txt', problem: expect.stringContaining('checksum'), as: 'unused' },
  ]);
  expect(ledger.filter(({ at }) => at.startsWith('data/')).map(({ at, reason }) => [at, reason])).toEqual([
    ['data/2024/cat.png', 'file.not-copied'],
    ['data/emoji/x.png', 'file.unknown'],
    ['data/b.txt', 'file.unknown'],
  ]);
  expect(result.attachments).toMatchObject({ files: 1, exported: 1, copied: 0 });
  const report = await readFile(join(folder, 'conversion/report.md'), 'utf8');
  expect(report.split('\n').slice(0, 12).join('\n')).toContain('1 link to a file will be dead');
});

test('lists the files of each export of a series once, with the last export that they are in', async () => {
  const folder = await temporaryFolder();
  const of = (ts: number, id: string, loose: string) => ({
    ...slack({ ts: `${ts}.000000`, files: [{ id, name: 'cat.png', url_private: `__uploads/${id}.png` }] }),
    [`__uploads/${id}.png`]: id,
    'loose.txt': loose,
  });
  const listAfter = async (name: string, files: Files) => {
    await writeFile(join(folder, name), zipOf(files));
    await convertInto('slack', join(folder, name), join(folder, 'out'));
    const rows = await listOf(join(folder, 'out'));
    return rows.map(({ id, as, export: from }) => `${id} ${as} ${from}`).sort();
  };
  const at = time / 1000;
  const first = ['F1 text 1.zip', 'loose.txt unused 1.zip'];
  expect(await listAfter('1.zip', of(at, 'F1', 'a'))).toEqual(first);
  const both = ['F1 text 1.zip', 'F2 text 2.zip', 'loose.txt unused 1.zip', 'loose.txt unused 2.zip'];
  expect(await listAfter('2.zip', of(at + 100, 'F2', 'b'))).toEqual(both);
  expect(await listAfter('2.zip', of(at + 100, 'F2', 'b'))).toEqual(both);
  // The bytes of F2 are in another export as well, without a message.
  const again = { ...of(at + 150, 'F2', 'b'), 'room/2023-11-14.json': JSON.stringify(dayWith(at + 150)) };
  expect(await listAfter('2b.zip', again)).toEqual([...both.slice(0, 3), 'loose.txt unused 2b.zip']);
  // The message of F1 is deleted: the third export covers its time without it.
  const third = of(at + 200, 'F3', 'b');
  const days = JSON.stringify([...JSON.parse(third['room/2023-11-14.json'] ?? '[]'), ...dayWith(at - 100)]);
  expect(await listAfter('3.zip', { ...third, 'room/2023-11-14.json': days })).toEqual([
    'F1 left_out 1.zip',
    'F2 left_out 2.zip',
    'F3 text 3.zip',
    'loose.txt unused 1.zip',
    'loose.txt unused 3.zip',
  ]);
});

test('lists no file to copy of a message that a more recent export no longer has, in whatever order', async () => {
  const folder = await temporaryFolder();
  const withFile = slack({ files: [{ id: 'F1', name: 'cat.png', url_private: private_ }] });
  const deleted = [...dayWith(time / 1000 - 100), ...dayWith(time / 1000 + 100)];
  const exports = { before: withFile, after: { ...withFile, 'room/2023-11-14.json': JSON.stringify(deleted) } };
  for (const [name, files] of Object.entries(exports)) await writeFile(join(folder, `${name}.zip`), zipOf(files));
  const taken = { before: '2024-06-01', after: '2024-07-01' };
  for (const order of [['before', 'after'] as const, ['after', 'before'] as const]) {
    const out = join(folder, order.join(' '));
    for (const name of order) await convertInto('slack', join(folder, `${name}.zip`), out, { taken: taken[name] });
    expect(await listOf(out)).toMatchObject([{ id: 'F1', as: 'left_out' }]);
  }
});

test('sends the URL of the copy, and changes nothing else', async () => {
  const files = { ...mattermost('2024/cat.png'), 'data/2024/cat.png': 'miaow' };
  const row = { from: '2024/cat.png', to: 'https://cdn.example/cat.png', sha256: digestText('miaow') };
  const convert = (...rows: readonly object[]) =>
    convertFiles('mattermost', files, undefined, { copies: jsonl(...rows) });
  const { historyFiles, ledger, result } = await convert(row);
  const [lines] = Object.values(historyFiles);
  expect(lines).toMatchObject([{ message: 'see' }, { message_type: 'FILE', url: row.to, file_name: 'cat.png' }]);
  expect(ledger).toContainEqual(
    expect.objectContaining({
      at: 'data/2024/cat.png',
      outcome: 'changed',
      to: 'messages.mattermost_team_room',
      line: 1,
    }),
  );
  expect(result.attachments).toMatchObject({ copied: 1, exported: 0 });
  // Different content at the same place is a different file.
  const other = await convert({ ...row, sha256: digestText('woof') });
  expect(other.historyFiles).toEqual((await convert()).historyFiles);
});

test.for([
  ['no JSON', '{"from":"a"', 'line 1: it is not a JSON object'],
  ['no address', jsonl({ from: 'a', to: 'b' }), 'line 1: "to" is not a web address'],
  ['a token', jsonl({ from: 'a', to: 'https://cdn.example/a?token=b' }), 'line 1: "to" contains a token'],
  [
    'two URLs',
    jsonl({ from: 'a', to: 'https://a.example' }, { from: 'a', to: 'https://b.example' }),
    'line 2: an earlier',
  ],
] as const)('refuses a map of URLs with %s', async ([, copies, message]) => {
  const refused = convertFiles('slack', slack({}), undefined, { copies });
  await expect(refused).rejects.toMatchObject({
    code: 'convert.file-urls',
    exitCode: 65,
    message: expect.stringContaining(message),
  });
});
