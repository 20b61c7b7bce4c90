// The questions about migrated messages, in the order in which they are asked.
import { isList, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { at, each, type ScratchCall } from './calls.ts';
import type { Reply } from './laboratory.ts';
import {
  answeredWith,
  coded,
  type Hypotheses,
  type Prediction,
  predictedCodes,
  type Question,
  type Replies,
  shows,
} from './question.ts';

/** Stored messages may appear with a delay. */
const settleMs = 3_000;
/** The codes that refuse a message of a user who does not exist, and one that is too long. */
const unknownSender = [400111, 400201, 400301];
const tooLong = [400110, 400111, 400700];
/** Longer messages are not tried. */
const longest = 20_000;

const text = (message: string, seconds: number, more: JsonObject = {}): JsonObject => ({
  message_type: 'MESG',
  user_id: '@ann',
  message,
  timestamp: seconds * 1000,
  ...more,
});
const migrate = (channel: string, ...messages: readonly JsonObject[]): ScratchCall => [
  `POST /migration/${channel}`,
  { messages },
];
const list = (channel: string): ScratchCall =>
  `GET /group_channels/${channel}/messages?message_ts=@first-ms&prev_limit=0&next_limit=100`;

const send = (body: JsonObject): ScratchCall => [
  'POST /group_channels/@log/messages',
  { message_type: 'MESG', user_id: '@ann', message: 'hello', send_push: false, is_silent: true, ...body },
];
/** A reply to the message of an earlier answer. */
const reply = (parent: Reply | undefined, more: JsonObject = {}): ScratchCall =>
  send({ parent_message_id: at(parent?.body, 'message_id') ?? 0, ...more });
/** The codes that refuse a value, which the reply's parent or time can be. */
const refusedReply = [400100, 400108, 400111, 400151, 400201, 400700];
/** Milliseconds between two replies. No two calls are so far apart. */
const betweenReplies = 123_456;

/** The milliseconds between the times of two replies, or undefined if one of them was refused. */
function betweenTimes({ answers: [earlier, later] }: Replies): number | undefined {
  const [from, to] = [at(earlier?.body, 'created_at'), at(later?.body, 'created_at')];
  return typeof from === 'number' && typeof to === 'number' ? to - from : undefined;
}

function isParentOfLast({ answers }: Replies, parent: Reply | undefined): boolean {
  const id = at(parent?.body, 'message_id');
  return id !== undefined && at(answers.at(-1)?.body, 'parent_message_id') === id;
}

const file: JsonObject = {
  message_type: 'FILE',
  user_id: '@ann',
  url: 'https://example.com/a.png',
  custom_field: 'field',
  timestamp: 30_000,
};
const twin = text('twin', 2, { dedup_id: '@twin' });
const needsMigration = { migration: ['on'] };
const needsList = { migration: ['on'], messageRetrieval: ['on'] };

/** Whether the last answer is a list that has a text so many times, and also the message that was sent last. */
function lists(message: string, times: number, last: string): Prediction<Replies> {
  return ({ answers }) => {
    const texts = each(at(answers.at(-1)?.body, 'messages'), 'message');
    return texts.includes(last) && texts.filter((known) => known === message).length === times;
  };
}

const both =
  (...predictions: readonly Prediction<Replies>[]): Prediction<Replies> =>
  (replies) =>
    predictions.every((prediction) => prediction(replies));
/** The first answer has one of these codes. */
const first =
  (...codes: readonly number[]): Prediction<Replies> =>
  ({ answers: [answer] }) =>
    codes.includes(answer?.code ?? -1);

/** Messages cannot be listed, so an accepted twin shows nothing. */
const unlisted: Question['obstacle'] = ({ answers }) =>
  answers.at(-1)?.code === 400108 && answers[0]?.code === 0 ? 'messages cannot be listed' : undefined;

/** The limit that the view of a channel states, or 0 if it states none that can be tried. */
function lengthIn([view]: readonly Reply[]): number {
  const length = at(view?.body, 'max_length_message') ?? at(view?.body, 'channel', 'max_length_message');
  return typeof length === 'number' && length > 0 && length <= longest ? length : 0;
}

const hidden = (kept: string): Hypotheses<Replies> => ({
  true: shows((view) => at(view, 'hidden_state') === 'unhidden'),
  false: shows((view) => at(view, 'hidden_state') === kept),
});

/** The places of two texts in the first answer, if it has both. */
function placesIn({ answers: [listed] }: Replies): { readonly newer: number; readonly late: number } | undefined {
  const texts = each(at(listed?.body, 'messages'), 'message');
  const [newer, late] = [texts.indexOf('new'), texts.indexOf('late')];
  return newer === -1 || late === -1 ? undefined : { newer, late };
}

function fileIn({ answers: [listed] }: Replies): JsonValue | undefined {
  const messages = at(listed?.body, 'messages');
  return isList(messages) ? messages.find((message) => at(message, 'type') === 'FILE') : undefined;
}

export const messageQuestions: readonly Question[] = [
  {
    reading: 'migration',
    asks: [migrate('@log', text('first', 1))],
    // Any other refusal may have another reason than that the migration is not switched on.
    hypotheses: predictedCodes({ on: 0, off: 400108 }),
  },
  coded('messageRetrieval', { on: 0, off: 400108 }, list('@log')),
  {
    reading: 'dedup',
    needs: needsMigration,
    makes: [migrate('@log', twin)],
    waitMs: settleMs,
    asks: [migrate('@log', twin, text('after twin', 3)), list('@log')],
    hypotheses: {
      refuse: first(400202),
      skip: both(first(0), lists('twin', 1, 'after twin')),
      ignore: both(first(0), lists('twin', 2, 'after twin')),
    },
    obstacle: unlisted,
  },
  {
    reading: 'dedupScope',
    needs: { migration: ['on'], dedup: ['skip', 'refuse'] },
    asks: [migrate('@cold', twin, text('after twin', 3)), list('@cold')],
    hypotheses: {
      application: (replies) => first(400202)(replies) || both(first(0), lists('twin', 0, 'after twin'))(replies),
      channel: both(first(0), lists('twin', 1, 'after twin')),
    },
    obstacle: unlisted,
  },
  {
    reading: 'migrationBatch',
    needs: needsList,
    asks: [
      migrate('@log', text('good', 5), text('bad', 6, { user_id: '@nobody' })),
      migrate('@log', text('after good', 7)),
      list('@log'),
    ],
    hypotheses: {
      atomic: both(first(...unknownSender), lists('good', 0, 'after good')),
      up_to_first_bad: both(first(...unknownSender), lists('good', 1, 'after good')),
    },
  },
  {
    reading: 'lateMessages',
    needs: needsList,
    makes: [migrate('@log', text('new', 20)), migrate('@log', text('late', 15))],
    waitMs: settleMs,
    asks: [list('@log')],
    hypotheses: {
      by_time: (replies) => {
        const places = placesIn(replies);
        return places !== undefined && places.late < places.newer;
      },
      by_arrival: (replies) => {
        const places = placesIn(replies);
        return places !== undefined && places.newer < places.late;
      },
    },
  },
  {
    reading: 'customFieldOfFile',
    needs: needsList,
    makes: [migrate('@log', file)],
    waitMs: settleMs,
    asks: [list('@log')],
    hypotheses: {
      data: (replies) => at(fileIn(replies), 'data') === 'field',
      file: (replies) => at(fileIn(replies), 'data') !== 'field' && at(fileIn(replies), 'file', 'data') === 'field',
    },
  },
  {
    reading: 'replyTime',
    makes: [send({ created_at: 70_000 })],
    asks: ([parent]) => [71_000, 71_000 + betweenReplies].map((created_at) => reply(parent, { created_at })),
    hypotheses: {
      honoured: (replies) => betweenTimes(replies) === betweenReplies,
      ignored: (replies) => {
        const between = betweenTimes(replies);
        return between !== undefined && between !== betweenReplies;
      },
      refused: first(...refusedReply),
    },
  },
  {
    reading: 'replyDepth',
    makes: [send({})],
    *asks([parent], answers) {
      yield reply(parent);
      yield reply(answers[0]);
    },
    hypotheses: {
      refused: ({ answers: [upper, lower] }) => upper?.code === 0 && refusedReply.includes(lower?.code ?? 0),
      attached: (replies) => isParentOfLast(replies, replies.made[0]),
      nested: (replies) => isParentOfLast(replies, replies.answers[0]),
    },
  },
  {
    reading: 'replyToAdmin',
    makes: [send({ message_type: 'ADMM' })],
    asks: ([notice]) => [reply(notice)],
    hypotheses: { taken: first(0), refused: first(...refusedReply) },
  },
  {
    reading: 'migrationByDeactivated',
    needs: needsMigration,
    asks: [migrate('@log', text('idle', 40, { user_id: '@dan' }))],
    hypotheses: { allowed: answeredWith(0), refused: answeredWith(400300, 400700) },
  },
  {
    reading: 'migrationIntoFrozen',
    needs: needsMigration,
    makes: [['PUT /group_channels/@cold/freeze', { freeze: true }]],
    asks: [migrate('@cold', text('frozen', 40))],
    hypotheses: predictedCodes({ allowed: 0, refused: 900050 }),
  },
  {
    reading: 'messageIntoFrozen',
    makes: [['PUT /group_channels/@cold/freeze', { freeze: true }]],
    asks: [['POST /group_channels/@cold/messages', { message_type: 'MESG', user_id: '@ann', message: 'frozen' }]],
    hypotheses: predictedCodes({ allowed: 0, refused: 900050 }),
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
    hypotheses: hidden('hidden_allow_auto_unhide'),
  },
  {
    reading: 'migrationUnhidesSender',
    needs: { migrationUnhides: [true] },
    asks: ['GET /group_channels/@log?user_id=@cat'],
    hypotheses: hidden('hidden_prevent_auto_unhide'),
  },
  {
    reading: 'messageLength',
    needs: needsMigration,
    makes: ['GET /group_channels/@log'],
    asks: (made) => [0, 1].map((more) => migrate('@log', text('a'.repeat(lengthIn(made) + more), 60))),
    hypotheses: (made) => ({
      [lengthIn(made)]: ({ answers: [whole, longer] }) => whole?.code === 0 && tooLong.includes(longer?.code ?? 0),
    }),
    obstacle: ({ made }) =>
      lengthIn(made) === 0 ? `the channel states no limit up to ${longest} characters` : undefined,
  },
];
