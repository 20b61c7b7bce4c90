// The questions about migrated messages, in the order in which they are asked.
import { isList, type JsonObject } from '../../lib/json.ts';
import { at, each, type ScratchCall } from './calls.ts';
import type { Reply } from './laboratory.ts';
import { byBody, byCode, coded, type Question } from './question.ts';

const firstMs = 1_700_000_000_000;
/** Stored messages may appear with a delay. */
const settleMs = 3_000;
/** Longer messages are not tried. */
const longest = 20_000;

const text = (message: string, seconds: number, more: JsonObject = {}): JsonObject => ({
  message_type: 'MESG',
  user_id: '@ann',
  message,
  timestamp: firstMs + seconds * 1000,
  ...more,
});
const migrate = (channel: string, ...messages: readonly JsonObject[]): ScratchCall => [
  `POST /migration/${channel}`,
  { messages },
];
const list = (channel: string): ScratchCall =>
  `GET /group_channels/${channel}/messages?message_ts=${firstMs}&prev_limit=0&next_limit=100`;

const file: JsonObject = {
  message_type: 'FILE',
  user_id: '@ann',
  url: 'https://example.com/a.png',
  custom_field: 'field',
  timestamp: firstMs + 30_000,
};
const twin = text('twin', 2, { dedup_id: '@twin' });
const needsMigration = { migration: ['on'] };
const needsList = { migration: ['on'], messageRetrieval: ['on'] };

/** Maps the number of messages with a text to a value, if the message that was sent last is already listed. */
function byCount(listed: Reply | undefined, message: string, last: string, values: readonly (string | undefined)[]) {
  if (listed?.code === 400108) return { because: 'messages cannot be listed' };
  const texts = each(at(listed?.body, 'messages'), 'message');
  return texts.includes(last) ? values[texts.filter((known) => known === message).length] : undefined;
}

/** The limit that the view of a channel states, or 0 if it states none that can be tried. */
function lengthIn([view]: readonly Reply[]): number {
  const length = at(view?.body, 'max_length_message') ?? at(view?.body, 'channel', 'max_length_message');
  return typeof length === 'number' && length > 0 && length <= longest ? length : 0;
}

const hidden = (kept: string): Question['decide'] =>
  byBody((view) => {
    const state = at(view, 'hidden_state');
    return state === 'unhidden' ? true : state === kept ? false : undefined;
  });

export const messageQuestions: readonly Question[] = [
  {
    reading: 'migration',
    asks: [migrate('@log', text('first', 1))],
    decide: ([first]) => (first?.code === 0 ? 'on' : 'off'),
  },
  coded('messageRetrieval', { 0: 'on', 400108: 'off' }, list('@log')),
  {
    reading: 'dedup',
    needs: needsMigration,
    makes: [migrate('@log', twin)],
    waitMs: settleMs,
    asks: [migrate('@log', twin, text('after twin', 3)), list('@log')],
    decide: ([again, listed]) => {
      if (again?.code === 400202) return 'refuse';
      return again?.code === 0 ? byCount(listed, 'twin', 'after twin', [undefined, 'skip', 'ignore']) : undefined;
    },
  },
  {
    reading: 'dedupScope',
    needs: { migration: ['on'], dedup: ['skip', 'refuse'] },
    asks: [migrate('@cold', twin, text('after twin', 3)), list('@cold')],
    decide: ([again, listed]) => {
      if (again?.code === 400202) return 'application';
      return again?.code === 0 ? byCount(listed, 'twin', 'after twin', ['application', 'channel']) : undefined;
    },
  },
  {
    reading: 'migrationBatch',
    needs: needsList,
    asks: [
      migrate('@log', text('good', 5), text('bad', 6, { user_id: '@nobody' })),
      migrate('@log', text('after good', 7)),
      list('@log'),
    ],
    decide: ([bad, , listed]) =>
      bad?.code === 0 ? undefined : byCount(listed, 'good', 'after good', ['atomic', 'up_to_first_bad']),
  },
  {
    reading: 'lateMessages',
    needs: needsList,
    makes: [migrate('@log', text('new', 20)), migrate('@log', text('late', 15))],
    waitMs: settleMs,
    asks: [list('@log')],
    decide: byBody((listed) => {
      const texts = each(at(listed, 'messages'), 'message');
      const [newer, late] = [texts.indexOf('new'), texts.indexOf('late')];
      return newer === -1 || late === -1 ? undefined : late < newer ? 'by_time' : 'by_arrival';
    }),
  },
  {
    reading: 'customFieldOfFile',
    needs: needsList,
    makes: [migrate('@log', file)],
    waitMs: settleMs,
    asks: [list('@log')],
    decide: byBody((listed) => {
      const messages = at(listed, 'messages');
      const shown = isList(messages) ? messages.find((message) => at(message, 'type') === 'FILE') : undefined;
      return at(shown, 'data') === 'field' ? 'data' : at(shown, 'file', 'data') === 'field' ? 'file' : undefined;
    }),
  },
  {
    reading: 'migrationByDeactivated',
    needs: needsMigration,
    asks: [migrate('@log', text('idle', 40, { user_id: '@dan' }))],
    decide: ([idle]) => (idle?.code === 0 ? 'allowed' : 'refused'),
  },
  {
    reading: 'migrationIntoFrozen',
    needs: needsMigration,
    makes: [['PUT /group_channels/@cold/freeze', { freeze: true }]],
    asks: [migrate('@cold', text('frozen', 40))],
    decide: byCode({ 0: 'allowed', 900050: 'refused' }),
  },
  {
    reading: 'messageIntoFrozen',
    makes: [['PUT /group_channels/@cold/freeze', { freeze: true }]],
    asks: [['POST /group_channels/@cold/messages', { message_type: 'MESG', user_id: '@ann', message: 'frozen' }]],
    decide: byCode({ 0: 'allowed', 900050: 'refused' }),
  },
  {
    reading: 'migrationUnhides',
    needs: needsMigration,
    makes: [
      ['PUT /group_channels/@log/hide', { user_id: '@bob', allow_auto_unhide: true }],
      ['PUT /group_channels/@log/hide', { user_id: '@cat', allow_auto_unhide: false }],
      migrate('@log', text('shows', 50, { user_id: '@cat' })),
    ],
    waitMs: settleMs,
    asks: ['GET /group_channels/@log?user_id=@bob'],
    decide: hidden('hidden_allow_auto_unhide'),
  },
  {
    reading: 'migrationUnhidesSender',
    needs: needsMigration,
    asks: ['GET /group_channels/@log?user_id=@cat'],
    decide: hidden('hidden_prevent_auto_unhide'),
  },
  {
    reading: 'messageLength',
    needs: needsMigration,
    makes: ['GET /group_channels/@log'],
    asks: (made) => [0, 1].map((more) => migrate('@log', text('a'.repeat(lengthIn(made) + more), 60))),
    decide: ([whole, longer], made) => {
      if (lengthIn(made) === 0) return { because: `the channel states no limit up to ${longest} characters` };
      return whole?.code === 0 && longer?.code !== 0 ? lengthIn(made) : undefined;
    },
  },
];
