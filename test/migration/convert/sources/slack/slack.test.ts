// Tests the forms of Slack messages, from 2016 to today, their markup, and people whom an export does not list.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { ExportFields } from '../../../../../src/migration/convert/export/look-at-fields.ts';
import { slackFields } from '../../../../../src/migration/convert/sources/slack/fields.ts';
import { slackFieldsOf, slackMessage } from '../../../../../src/migration/convert/sources/slack/messages.ts';
import { readable } from '../../../../../src/migration/convert/sources/slack/mrkdwn.ts';
import { convertFiles } from '../../support/converted.ts';
import { ann, room, said, slackFiles } from '../../support/small-exports.ts';

const names = {
  user: (id: string) => (id === 'U1' ? 'ann' : undefined),
  channel: (id: string) => (id === 'C1' ? 'general' : undefined),
};

test.for<readonly [mrkdwn: string, text: string, mentions?: readonly string[]]>([
  ['plain text', 'plain text'],
  ['<@U1> hi', '@ann hi', ['U1']],
  ['<@U1|old> and <@W2|wil>', '@ann and @wil', ['U1', 'W2']],
  ['<@U9>', '@U9', ['U9']],
  ['<#C1|old-name> <#C1> <#C1|> <#C2>', '#old-name #general #general #C2'],
  ['<!here> <!channel> <!subteam^S1|@team> <!subteam^S1> <!here|here>', '@here @channel @team @group @here'],
  ['<!date^1392734382^{date}|February 18th>', 'February 18th'],
  ['<https://example.com>', 'https://example.com'],
  ['<https://example.com/a|a page>', 'a page (https://example.com/a)'],
  ['<http://example.com|example.com>', 'http://example.com'],
  ['<mailto:a@example.com|a@example.com>', 'a@example.com'],
  ['<https://example.com/?a=1&amp;b=2>', 'https://example.com/?a=1&b=2'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
  ['&amp;lt;', '&lt;'],
  ['fine :+1: :thumbsup::skin-tone-2:', 'fine 👍 👍🏻'],
  [':constructor: :__proto__::skin-tone-2:', ':constructor: :__proto__::skin-tone-2:'],
  ['at 10:100:20, :own_emoji: and `:x:`', 'at 10:100:20, :own_emoji: and `:x:`'],
])('%s', ([mrkdwn, text, mentions = []]) => {
  expect(readable(mrkdwn, names)).toEqual({ text, mentions });
});

const context = {
  fields: slackFieldsOf(new ExportFields(slackFields, new Map())),
  user: (id: string) => ({ U1: 'ann' })[id],
  channel: () => undefined,
  botUser: (id: string) => ({ B1: 'U9' })[id],
};
const ts = '1452837318.000002';
const file = { id: 'F1', title: 'cities', mimetype: 'text/plain', size: 4, url_private: 'https://files.example.com/f' };

interface Case {
  readonly name: string;
  readonly value: JsonObject;
  readonly expected: object | string;
}

test.for<Case>([
  {
    name: 'a text, cut to the millisecond',
    value: { ts: '1452837318.987654', user: 'U1', text: 'hi' },
    expected: { time: 1_452_837_318_987, kind: 'message', text: 'hi', facts: { id: 'slack:C1:1452837318.987654' } },
  },
  {
    name: 'a bot that users.json knows',
    value: { ts, subtype: 'bot_message', bot_id: 'B1', text: 'built' },
    expected: { kind: 'message', facts: { sender: 'U9', type: 'bot_message' } },
  },
  {
    name: 'a bot that users.json does not know, with its text in attachments',
    value: {
      ts,
      subtype: 'bot_message',
      bot_id: 'B2',
      username: 'git',
      text: '',
      attachments: [{ pretext: '1 commit', text: '<https://e.com|e>: draft', fallback: 'f' }],
    },
    expected: {
      text: '1 commit\ne (https://e.com): draft',
      stranger: { name: 'git', isBot: true },
      facts: { sender: 'B2', text: '' },
      reasons: ['blocks.enveloped'],
    },
  },
  {
    name: 'an incoming webhook without any id',
    value: { ts, subtype: 'bot_message', username: 'hook', text: 'x' },
    expected: {
      kind: 'message',
      facts: {
        id: `slack:C1:${ts}`,
        time: 1_452_837_318_000,
        text: 'x',
        type: 'bot_message',
        more: { username: 'hook' },
      },
    },
  },
  {
    name: 'a file of the old form',
    value: { ts, subtype: 'file_share', user: 'U1', text: '<@U1> uploaded', file },
    expected: {
      text: '@ann uploaded',
      mentions: ['U1'],
      files: [{ id: 'F1', name: 'cities', size: 4, type: 'text/plain' }],
      facts: { files: [file] },
    },
  },
  {
    name: 'a comment on a file, whose author stands in the comment',
    value: { ts, subtype: 'file_comment', text: 'commented', comment: { user: 'U1', comment: 'nice' } },
    expected: { facts: { sender: 'U1', more: { comment: { user: 'U1', comment: 'nice' } } } },
  },
  {
    name: 'a file that was hidden has no URL',
    value: { ts, user: 'U1', text: '', files: [{ id: 'F2', mode: 'hidden_by_limit' }] },
    expected: { text: '', files: [{ id: 'F2', name: 'F2' }] },
  },
  {
    name: 'the first message of a thread is not in it, a reply and its broadcast are',
    value: { ts, user: 'U1', text: 'a', thread_ts: ts, reply_count: 2, replies: [] },
    expected: { facts: { id: `slack:C1:${ts}`, sender: 'U1', time: 1_452_837_318_000, text: 'a' } },
  },
  {
    name: 'a broadcast reply',
    value: { ts, user: 'U1', text: 'a', subtype: 'thread_broadcast', thread_ts: '1.0' },
    expected: { kind: 'message', facts: { thread: '1.0', type: 'thread_broadcast' } },
  },
  {
    name: 'more people reacted than are named',
    value: { ts, user: 'U1', text: 'a', reactions: [{ name: '+1', users: ['U1'], count: 60 }] },
    expected: { facts: { reactions: [{ name: '+1', users: ['U1'], count: 60 }] } },
  },
  {
    name: 'text that stands in blocks alone',
    value: {
      ts,
      user: 'U1',
      text: '',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'user', user_id: 'U1' },
                { type: 'text', text: ' < 3 ' },
                { type: 'link', url: 'https://e.com' },
              ],
            },
          ],
        },
        { type: 'section', text: { type: 'mrkdwn', text: '*b*' } },
      ],
    },
    expected: { text: '@ann < 3 https://e.com\n*b*', mentions: ['U1'] },
  },
  { name: 'a join', value: { ts, user: 'U1', subtype: 'channel_join', text: 'x' }, expected: { kind: 'join' } },
  { name: 'a new topic', value: { ts, user: 'U1', subtype: 'channel_topic', text: 'x' }, expected: { kind: 'system' } },
  { name: 'a line about another message', value: { ts, subtype: 'message_changed' }, expected: 'message.event' },
  { name: 'no time', value: { user: 'U1', text: 'x' }, expected: { time: Number.NaN, facts: { time: null } } },
])('$name', ({ value, expected }) => {
  const found = slackMessage(value, 'C1', context);
  if (typeof expected === 'string') expect(found).toBe(expected);
  else expect(found).toMatchObject(expected);
});

test('names an unlisted member as a message does, and gives unlisted bots distinct names', async () => {
  const profile = { real_name: 'Bob Stone', display_name: '' };
  const built = { ...said, user: undefined, subtype: 'bot_message' };
  const files = slackFiles({
    users: [ann],
    channels: [{ ...room, members: ['U000001', 'U000002'] }],
    'room/2023-11-14': [
      { ...said, user: 'U000002' },
      { ...said, user: 'U000002', ts: '1700000001.000100', user_profile: profile },
      { ...built, ts: '1700000002.000100', bot_id: 'B000001' },
      { ...built, ts: '1700000003.000100', bot_id: 'B000002' },
    ],
  });
  const { folder } = await convertFiles('slack', files);
  const users = await readFile(join(folder, 'users.yaml'), 'utf8');
  for (const name of ['Bob Stone', 'Bot B000001', 'Bot B000002']) expect(users).toContain(`nickname: ${name}\n`);
  expect(users).not.toContain('Unknown user');
});
