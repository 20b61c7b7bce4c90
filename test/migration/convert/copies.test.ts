// Tests copies of a message: within a file, a folder of overlapping exports, and a series, the later one counts.
import { describe, expect, test } from 'vitest';
import { convertFiles } from './support/converted.ts';
import { Series } from './support/series.ts';
import {
  discordFile,
  discordMessage,
  type Files,
  jsonl,
  mattermost,
  said,
  saidAt,
  slackFiles,
  streamRows,
} from './support/small-exports.ts';

const secret = 'the password is 1234';
const removed = '(removed)';

/** Texts and reasons of all messages, in the order of the history files and of the ledger. */
async function converted(source: string, files: Files) {
  const { historyFiles, ledger } = await convertFiles(source, files);
  const texts = Object.values(historyFiles).flatMap((lines) => lines.map(({ message }) => message));
  const gone = ledger.filter(({ reason = '' }) => /^message\.(?:repeated|conflict|superseded)$/u.test(reason));
  return { texts, reasons: gone.map(({ reason }) => reason), at: gone.map(({ at }) => at) };
}

const edited = { content: removed, timestampEdited: '2024-05-07T00:00:00+00:00' };
const exportedAt = (day: string) => ({
  exportedAt: `2024-05-${day}T00:00:00+00:00`,
  dateRange: { after: null, before: null },
});
const hello = [mattermost.room, mattermost.user('ann')];
const version = (day: string) => ({ type: 'version', version: 1, info: { created: `2023-12-${day}T00:00:00Z` } });
const post = (message: string, more: object = {}) => mattermost.post({ message, ...more });

const later: readonly (readonly [name: string, source: string, files: Files, at: string])[] = [
  [
    'an edit in a file that is read later',
    'discord',
    {
      'a-monday.json': discordFile([discordMessage('1', { content: secret })], {}, exportedAt('08')),
      'b-friday.json': discordFile([discordMessage('1', edited)], {}, exportedAt('12')),
    },
    'a-monday.json#1',
  ],
  [
    'an edit in a file that is read first',
    'discord',
    {
      'a-friday.json': discordFile([discordMessage('1', edited)], {}, exportedAt('12')),
      'b-monday.json': discordFile([discordMessage('1', { content: secret })], {}, exportedAt('08')),
    },
    'b-monday.json#1',
  ],
  [
    'a later export without an edit',
    'discord',
    {
      'a-monday.json': discordFile([discordMessage('1', { content: secret })], {}, exportedAt('08')),
      'b-friday.json': discordFile([discordMessage('1', { content: removed })], {}, exportedAt('12')),
    },
    'a-monday.json#1',
  ],
  [
    'an edit in one day file',
    'slack',
    slackFiles({
      'room/2023-11-14': [
        { ...said, text: secret },
        { ...said, text: removed, edited: { user: said.user, ts: '1700000009.000000' } },
      ],
    }),
    'room/2023-11-14.json#1',
  ],
  [
    'an edit in one import file',
    'stream',
    {
      'e.json': JSON.stringify([
        ...streamRows({ created_at: '2024-05-06T08:00:00Z', text: secret }),
        ...streamRows({ created_at: '2024-05-06T08:00:00Z', updated_at: '2024-05-07T08:00:00Z', text: removed }).slice(
          2,
        ),
      ]),
    },
    'e.json#3',
  ],
  [
    'the later of several archives',
    'mattermost',
    {
      '1.jsonl': jsonl(version('08'), ...hello, post(removed)),
      '2.jsonl': jsonl(version('01'), ...hello, post(secret)),
    },
    '2.jsonl#4',
  ],
];

test.for(later)('%s counts', async ([, source, files, at]) => {
  expect(await converted(source, files)).toEqual({ texts: [removed], reasons: ['message.repeated'], at: [at] });
});

test('leaves out what the later of two exports in a folder no longer has', async () => {
  const both = ['1', '2', '3'].map((id) => discordMessage(id));
  const files = {
    'a-monday.json': discordFile(both, {}, exportedAt('08')),
    'b-friday.json': discordFile([both[0] ?? {}, both[2] ?? {}], {}, exportedAt('12')),
  };
  expect(await converted('discord', files)).toEqual({
    texts: ['m1', 'm3'],
    reasons: ['message.repeated', 'message.superseded', 'message.repeated'],
    at: ['a-monday.json#1', 'a-monday.json#2', 'a-monday.json#3'],
  });
});

test.for([
  ['another text', { text: 'other' }],
  ['another sender', { user: 'U000002' }],
] as const)('says of %s under one id that it is not a copy', async ([, more]) => {
  const files = slackFiles({ 'room/2023-11-14': [said, { ...said, ...more }] });
  expect(await converted('slack', files)).toMatchObject({ texts: ['hello'], reasons: ['message.conflict'] });
});

describe('Mattermost', () => {
  const exportOf = (created: string, ...posts: readonly object[]): Files => ({
    'e.jsonl': jsonl(version(created), ...hello, ...posts),
  });
  const last = { create_at: saidAt + 1000 };

  test.for([
    ['last', [post('one'), post(secret, last)], [post('one'), post(removed, { ...last, edit_at: saidAt + 5000 })]],
    ['first', [post(secret), post('two', last)], [post(removed, { edit_at: saidAt + 5000 }), post('two', last)]],
  ] as const)('replaces the %s message of an export when it is edited', async ([, before, after]) => {
    const series = await Series.of('mattermost');
    await series.converted(exportOf('01', ...before));
    await series.converted(exportOf('08', ...after));
    const texts = await series.texts('mattermost_team_room');
    expect(texts).toHaveLength(2);
    expect(texts).toContain(removed);
  });

  test('knows until when an export goes, so that its deleted last message is gone', async () => {
    const series = await Series.of('mattermost');
    await series.converted(exportOf('01', post('one'), post('two', last)));
    const stdout = await series.converted(exportOf('08', post('one')));
    expect(await series.texts('mattermost_team_room')).toEqual(['one']);
    expect(stdout).not.toContain('Kept 1 message');
  });
});
