// Tests that answers become replies in threads with messages.threads: send, for every source that has threads (semantics §7).

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ThreadFigures } from '../../../src/core/model/conversion.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { writeFiles } from '../../support/folders.ts';
import { type Converted, convertFiles, convertInto } from './support/converted.ts';
import { decided } from './support/series.ts';
import {
  ann,
  bob,
  discordFile,
  discordMessage,
  type Files,
  jsonl,
  mattermost,
  mattermostExport,
  room,
  saidAt,
  sendbirdFile,
  sendbirdMessage,
  slackFiles,
} from './support/small-exports.ts';

const send = 'messages: { threads: send }';
const none: ThreadFigures = { replies: 0, deeper: 0, missing: 0, notices: 0, strangers: 0 };

const slackMessage = (second: number, more: object = {}) => ({
  type: 'message',
  user: ann.id,
  text: `m${second}`,
  ts: `170000000${second}.000100`,
  ...more,
});
const tsOf = (second: number) => `170000000${second}.000100`;
const slack = (...messages: readonly object[]): Files =>
  slackFiles({ channels: [{ ...room, members: [ann.id] }], 'room/2023-11-14': messages });

const rocketMapping = `version: 1
name: rocketchat
tables:
  people: { files: people.ndjson }
  rooms: { files: rooms.ndjson }
  messages: { files: messages.ndjson }
users: { from: people, id: "\${_id}", name: "\${name}" }
channels: { from: rooms, id: "\${_id}", members: "\${members}" }
messages:
  from: messages
  id: \${_id}
  channel: \${rid}
  sender: \${u}
  time: { of: "\${ts}", unit: milliseconds }
  text: \${msg}
  thread: \${tmid}
`;
const rocketMessage = (second: number, more: object = {}) => ({
  _id: `m${second}`,
  rid: 'r1',
  u: 'u1',
  ts: saidAt + second,
  msg: `m${second}`,
  tmid: '',
  ...more,
});
const rocket = (...messages: readonly object[]): Files => ({
  'people.ndjson': jsonl({ _id: 'u1', name: 'Ann' }, { _id: 'u2', name: 'Bob' }),
  'rooms.ndjson': jsonl({ _id: 'r1', members: ['u1'] }),
  'messages.ndjson': jsonl(...messages),
});

/** By text, the text of the first message of the thread. */
function threadsIn({ historyFiles }: Pick<Converted, 'historyFiles'>): JsonObject {
  const lines = Object.values(historyFiles).flat();
  const textOf = new Map(lines.map(({ dedup_id, message }) => [dedup_id, message ?? null]));
  return Object.fromEntries(
    lines.flatMap(({ message, parent }) =>
      parent === undefined ? [] : [[String(message), textOf.get(parent) ?? null] as const],
    ),
  );
}

interface Case {
  readonly source: string;
  readonly files: Files;
  readonly mapping?: string;
  readonly threads: JsonObject;
  readonly figures: Partial<ThreadFigures>;
}

test.for<readonly [name: string, case_: Case]>([
  [
    'slack: replies, a reply whose first message is missing, and one of somebody who left',
    {
      source: 'slack',
      files: slack(
        slackMessage(1, { thread_ts: tsOf(1) }),
        slackMessage(2, { thread_ts: tsOf(1) }),
        slackMessage(3, { thread_ts: tsOf(0) }),
        slackMessage(4, { thread_ts: tsOf(1), user: bob.id }),
      ),
      threads: { m2: 'm1' },
      figures: { replies: 1, missing: 1, strangers: 1 },
    },
  ],
  [
    'slack: admin messages are neither parents nor replies',
    {
      source: 'slack',
      files: slack(
        slackMessage(1, { subtype: 'channel_topic' }),
        slackMessage(2, { thread_ts: tsOf(1) }),
        slackMessage(3),
        slackMessage(4, { subtype: 'channel_topic', thread_ts: tsOf(3) }),
      ),
      threads: {},
      figures: { notices: 2 },
    },
  ],
  [
    'mattermost: replies of a post',
    {
      source: 'mattermost',
      files: {
        'e.jsonl': mattermostExport(
          mattermost.room,
          mattermost.user('ann'),
          mattermost.post({ message: 'm1', replies: [{ user: 'ann', message: 'm2', create_at: saidAt + 1 }] }),
        ),
      },
      threads: { m2: 'm1' },
      figures: { replies: 1 },
    },
  ],
  [
    'discord: answers by reference, of which deeper ones belong to the first message',
    {
      source: 'discord',
      files: {
        'e.json': discordFile([
          discordMessage('1'),
          discordMessage('2', { type: 'Reply', reference: { messageId: '1' } }),
          discordMessage('3', { type: 'Reply', reference: { messageId: '2' } }),
          discordMessage('4', { type: 'Reply', reference: { messageId: '3' } }),
          discordMessage('5', { type: 'Reply', reference: { messageId: '9' } }),
        ]),
      },
      threads: { m2: 'm1', m3: 'm1', m4: 'm1' },
      figures: { replies: 3, deeper: 2, missing: 1 },
    },
  ],
  [
    'sendbird: replies by parent_message_id',
    {
      source: 'sendbird',
      files: { 'e.json': sendbirdFile([sendbirdMessage(1), sendbirdMessage(2, { parent_message_id: 1 })]) },
      threads: { m2: 'm1' },
      figures: { replies: 1 },
    },
  ],
  [
    'a table: replies by the column of the thread, with a first message that is later',
    {
      source: 'table',
      files: rocket(
        rocketMessage(1),
        rocketMessage(2, { tmid: 'm1' }),
        rocketMessage(3, { tmid: 'm4' }),
        rocketMessage(4),
        rocketMessage(5, { tmid: 'm1', u: 'u2' }),
      ),
      mapping: rocketMapping,
      threads: { m2: 'm1' },
      figures: { replies: 1, missing: 1, strangers: 1 },
    },
  ],
])('%s', async ([, { source, files, mapping, threads, figures }]) => {
  const more = mapping === undefined ? {} : { mapping };
  const name = source === 'table' ? 'rocketchat' : source;
  const converted = await convertFiles(source, files, decided(send, name), more);
  expect(threadsIn(converted)).toEqual(threads);
  expect(converted.result.threads).toEqual({ ...none, ...figures });
  expect(await readFile(join(converted.folder, 'sources.yaml'), 'utf8')).toContain('threads: send');
  const flat = await convertFiles(source, files, undefined, more);
  expect([threadsIn(flat), flat.result.threads]).toEqual([{}, undefined]);
  expect(await readFile(join(flat.folder, 'sources.yaml'), 'utf8')).not.toContain('threads');
});

test('a file and the parts of a long text are replies with the first line of their message', async () => {
  const reply = slackMessage(2, {
    thread_ts: tsOf(1),
    text: 'many words '.repeat(1_000),
    files: [{ id: 'F1', name: 'a.png', url_private: 'https://files.slack.com/a.png' }],
  });
  const { historyFiles } = await convertFiles('slack', slack(slackMessage(1), reply), decided(send, 'slack'));
  const [lines = []] = Object.values(historyFiles);
  expect(lines.map(({ parent }) => parent)).toEqual([undefined, ...Array(lines.length - 1).fill(lines[0]?.dedup_id)]);
  expect(lines.length).toBeGreaterThan(3);
});

test('finds first messages in earlier exports, and changes nothing when an export is converted again', async () => {
  const first = await convertFiles('slack', slack(slackMessage(1), slackMessage(2)), decided(send, 'slack'));
  const later = slack(slackMessage(3, { thread_ts: tsOf(1) }), slackMessage(4, { thread_ts: tsOf(3) }));
  await writeFiles(join(first.folder, '../later'), later);
  const into = () => convertInto('slack', join(first.folder, '../later'), first.folder);
  const second = await into();
  expect(threadsIn(second)).toEqual({ m3: 'm1', m4: 'm1' });
  expect(second.result.threads).toEqual({ ...none, replies: 2, deeper: 1 });
  expect((await into()).historyFiles).toEqual(second.historyFiles);
});

test('the report counts replies, and messages that stay outside of threads', async () => {
  const files = slack(
    slackMessage(1),
    slackMessage(2, { thread_ts: tsOf(1) }),
    slackMessage(3, { thread_ts: tsOf(0) }),
  );
  const { folder } = await convertFiles('slack', files, decided(send, 'slack'));
  const report = await readFile(join(folder, 'conversion/report.md'), 'utf8');
  expect(report).toContain('## Threads');
  expect(report).toMatch(/sent as replies \| 1/u);
  expect(report).not.toContain('messages in threads, or replies');
});
