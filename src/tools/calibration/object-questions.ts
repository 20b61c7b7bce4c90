// The questions about users, channels, members, bans and settings, in the order in which they are asked.
import { isList, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { at, each, type ScratchCall } from './calls.ts';
import { answeredWith, coded, predictedCodes, type Question, type Replies, shows } from './question.ts';

const user = (name: string, more: JsonObject = { profile_url: '' }): ScratchCall => [
  'POST /users',
  { user_id: name, nickname: name, ...more },
];
const group = (name: string, ...members: readonly string[]): ScratchCall => [
  'POST /group_channels',
  { channel_url: name, name, custom_type: '@', user_ids: members },
];

/** The objects that most questions use. Without them nothing can be asked. */
export const foundation: readonly ScratchCall[] = [
  user('@ann', { profile_url: '', metadata: { known: 'a' } }),
  ...['@bob', '@cat', '@dan'].map((name) => user(name)),
  ['POST /open_channels', { channel_url: '@hall', name: '@hall', custom_type: '@', operator_ids: ['@ann'] }],
  group('@room', '@ann', '@dan'),
  group('@side', '@ann'),
  group('@log', '@ann', '@bob', '@cat'),
  group('@cold', '@ann'),
];

/** An open channel whose list of operators is written as text in a form with a picture. */
const form = (name: string, list: string): ScratchCall => [
  'POST /open_channels',
  { channel_url: name, operator_ids: list },
  'cover_file',
];

const dayS = 86_400;
const ban = (who: string, where: string): ScratchCall => [
  `POST /group_channels/${where}/ban`,
  { user_id: who, seconds: dayS },
];
const muteOfBob: ScratchCall = ['POST /group_channels/@room/mute', { user_id: '@bob', seconds: dayS }];
const inviteOfBob: ScratchCall = ['POST /group_channels/@room/invite', { user_ids: ['@bob'] }];
/** Longer than a response takes, and than the fraction of a second that a platform may drop. */
const clearMs = 3_000;

const settingsOfType = '/applications/settings_by_channel_custom_type';
const filterOff: ScratchCall = [`PUT ${settingsOfType}/@`, { profanity_filter: { type: 0 } }];
const filterOn: ScratchCall = [
  `PUT ${settingsOfType}/@`,
  { profanity_filter: { type: 1, keywords: ['chatformcalibrate', 'chatformtest'] } },
];
const needsSettings = { moderationKeywords: ['text', 'list'] };

/** Whether a user's leave had this code and ended in this state. */
const leftWith =
  (code: number, state: string) =>
  ({ answers: [leave, member] }: Replies): boolean =>
    leave?.code === code && at(member?.body, 'state') === state;

function isEmptyList(value: JsonValue | undefined): boolean {
  return isList(value) && value.length === 0;
}

function keywordsIn(settings: JsonObject | undefined): JsonValue | undefined {
  return at(settings, 'profanity_filter', 'keywords');
}

/** Whether the channel of this form has the operators that it lists. */
const hasOperators: OfForm = ({ answers }, form) =>
  answers[form]?.code === 0 && each(at(answers[form]?.body, 'operators'), 'user_id').join() === '@ann,@bob';

/** Whether the platform did not understand the list: it refused its value, or made a channel without these operators. */
const lacksOperators: OfForm = (replies, form) =>
  [0, 400102, 400111, 400201].includes(replies.answers[form]?.code ?? -1) && !hasOperators(replies, form);

type OfForm = (replies: Replies, form: number) => boolean;

/** By how much the end of the changed ban is later than one that counts from the start of the ban. */
function laterMs({ answers: [update], made: [first] }: Replies): number {
  const [before, after] = [at(first?.body, 'end_at'), at(update?.body, 'end_at')];
  return typeof before === 'number' && typeof after === 'number' ? after - before - dayS * 1000 : Number.NaN;
}

export const objectQuestions: readonly Question[] = [
  coded('profileImage', { optional: 0, required: 400105 }, user('@bare', {})),
  coded('metadataValues', { coerced: 0, strings: 400100 }, user('@odd', { profile_url: '', metadata: { a: true } })),
  coded('metadataPostOfExistingKey', { overwrites: 0, refused: 400202 }, [
    'POST /users/@ann/metadata',
    { metadata: { known: 'b' } },
  ]),
  {
    reading: 'metadataUpdateOfUnknownKey',
    asks: [['PUT /users/@ann/metadata', { metadata: { unknown: 'a' } }], 'GET /users/@ann'],
    hypotheses: {
      refused: ({ answers: [update] }) => update?.code === 400201,
      ignored: ({ answers: [update, view] }) =>
        update?.code === 0 && view?.code === 0 && at(view.body, 'metadata', 'unknown') === undefined,
    },
  },
  {
    reading: 'channelMetadataInView',
    makes: [['POST /group_channels/@side/metadata', { metadata: { known: 'a' } }]],
    asks: ['GET /group_channels/@side?show_metadata=true'],
    hypotheses: {
      when_asked: shows((view) => at(view, 'metadata', 'known') === 'a'),
      never: shows((view) => at(view, 'metadata', 'known') === undefined),
    },
  },
  {
    reading: 'operatorsInOpenLists',
    asks: ['GET /open_channels?channel_urls=@hall&include_operators=true&limit=1'],
    hypotheses: {
      absent: shows(
        (list) => at(list, 'channels', 0) !== undefined && at(list, 'channels', 0, 'operators') === undefined,
      ),
      empty: shows((list) => isEmptyList(at(list, 'channels', 0, 'operators'))),
      listed: shows((list) => each(at(list, 'channels', 0, 'operators'), 'user_id').length > 0),
    },
  },
  {
    reading: 'operatorIdsOnUpdate',
    makes: [['PUT /open_channels/@hall', { operator_ids: ['@bob'] }]],
    asks: ['GET /open_channels/@hall/operators'],
    hypotheses: {
      add: shows((list) => each(at(list, 'operators'), 'user_id').toSorted().join() === '@ann,@bob'),
      replace: shows((list) => each(at(list, 'operators'), 'user_id').join() === '@bob'),
    },
  },
  {
    reading: 'operatorsInGroupViews',
    asks: ['GET /group_channels/@side'],
    hypotheses: {
      absent: shows((view) => at(view, 'operators') === undefined),
      listed: shows((view) => isList(at(view, 'operators'))),
    },
  },
  {
    reading: 'distinctUpdate',
    asks: [['PUT /group_channels/@side', { is_distinct: true }]],
    hypotheses: {
      refused: answeredWith(400111, 400920),
      changes: shows((update) => at(update, 'is_distinct') === true),
      ignored: shows((update) => at(update, 'is_distinct') === false),
    },
  },
  {
    reading: 'multipartLists',
    asks: [form('@form-commas', '@ann,@bob'), form('@form-json', '["@ann","@bob"]')],
    hypotheses: {
      any: (replies) => hasOperators(replies, 0) && hasOperators(replies, 1),
      commas: (replies) => hasOperators(replies, 0) && lacksOperators(replies, 1),
      json: (replies) => lacksOperators(replies, 0) && hasOperators(replies, 1),
      repeated: (replies) => lacksOperators(replies, 0) && lacksOperators(replies, 1),
    },
  },
  {
    reading: 'unknownRouteStatus',
    asks: ['GET /chatform_calibrate'],
    hypotheses: {
      400: ({ answers: [unknown] }) => unknown?.code !== 0 && unknown?.status === 400,
      404: ({ answers: [unknown] }) => unknown?.code !== 0 && unknown?.status === 404,
    },
  },
  {
    reading: 'memberOrder',
    asks: [inviteOfBob],
    hypotheses: {
      newest_first: shows((invite) => each(at(invite, 'members'), 'user_id').indexOf('@bob') === 0),
      oldest_first: shows((invite) => each(at(invite, 'members'), 'user_id').indexOf('@bob') === 2),
    },
  },
  coded('inviteOfMember', { ignored: 0, refused: 400202 }, inviteOfBob),
  coded('leaveOfNonMember', { ignored: 0, refused: 400201 }, [
    'PUT /group_channels/@room/leave',
    { user_ids: ['@cat'] },
  ]),
  {
    reading: 'leaveOfInvitee',
    makes: [
      ['POST /group_channels/@side/invite', { user_ids: ['@cat'], invitation_status: { '@cat': 'invited_by_friend' } }],
    ],
    asks: [['PUT /group_channels/@side/leave', { user_ids: ['@cat'] }], 'GET /group_channels/@side/members/@cat'],
    hypotheses: {
      withdraws: leftWith(0, 'none'),
      not_found: leftWith(400201, 'invited'),
      invalid: leftWith(400111, 'invited'),
    },
  },
  coded(
    'memberActiveModeAll',
    { allowed: 0, refused: 400111 },
    'GET /group_channels/@room/members?member_active_mode_filter=all',
  ),
  {
    reading: 'operatorOutsidePrivateChannel',
    // The same code would refuse a feature that the application lacks.
    makes: [['POST /group_channels/@log/operators', { operator_ids: ['@cat'] }]],
    asks: [['POST /group_channels/@cold/operators', { operator_ids: ['@bob'] }]],
    hypotheses: predictedCodes({ allowed: 0, refused: 400108 }),
  },
  {
    reading: 'deactivatedUserRead',
    makes: [['PUT /users/@dan', { is_active: false, leave_all_when_deactivated: false }]],
    asks: ['GET /users/@dan'],
    hypotheses: predictedCodes({ visible: 0, refused: 400300 }),
  },
  coded('deactivatedMember', { allowed: 0, refused: 400300 }, [
    'POST /group_channels/@side/invite',
    { user_ids: ['@dan'] },
  ]),
  {
    reading: 'banOfBanned',
    makes: [ban('@bob', '@side')],
    asks: [ban('@bob', '@side')],
    hypotheses: predictedCodes({ overwrites: 0, refused: 400202 }),
  },
  {
    reading: 'banUpdate',
    makes: [ban('@cat', '@side')],
    waitMs: clearMs,
    asks: [['PUT /group_channels/@side/ban/@cat', { seconds: 2 * dayS }]],
    hypotheses: {
      from_now: (replies) => laterMs(replies) >= clearMs / 2,
      from_start: (replies) => Math.abs(laterMs(replies)) < clearMs / 2,
    },
  },
  {
    reading: 'permanentBanEnd',
    asks: [['POST /group_channels/@cold/ban', { user_id: '@cat', seconds: -1 }]],
    hypotheses: {
      minus_one: shows((permanent) => at(permanent, 'end_at') === -1),
      ten_years: shows((permanent) => {
        const [start, end] = [at(permanent, 'start_at'), at(permanent, 'end_at')];
        if (typeof start !== 'number' || typeof end !== 'number') return false;
        return Math.abs((end - start) / (365 * dayS * 1000) - 10) < 0.1;
      }),
    },
  },
  {
    reading: 'muteOfMuted',
    makes: [muteOfBob],
    asks: [muteOfBob],
    hypotheses: predictedCodes({ overwrites: 0, refused: 400202 }),
  },
  coded('liftOfNothing', { ignored: 0, refused: 400201 }, 'DELETE /group_channels/@log/ban/@ann'),
  // Reads the list of data requests alone. A test of the erasure would leave a request behind.
  coded('dataRequests', { on: 0, off: 400404 }, 'GET /privacy/gdpr'),
  coded('moderationOfNewType', { created: 0, refused: 400201 }, filterOff),
  {
    reading: 'moderationKeywords',
    // The settings exist already if the update above has created them.
    asks: [[`POST ${settingsOfType}`, { custom_type: '@' }], filterOn],
    hypotheses: {
      text: ({ answers: [, update] }) => typeof keywordsIn(update?.body) === 'string',
      list: ({ answers: [, update] }) => isList(keywordsIn(update?.body)),
    },
  },
  {
    reading: 'moderationUpdate',
    needs: needsSettings,
    asks: [filterOff],
    hypotheses: {
      replaces: shows((update) => keywordsIn(update) === '' || isEmptyList(keywordsIn(update))),
      merges: shows((update) => String(keywordsIn(update) ?? '').includes('chatformcalibrate')),
    },
  },
  {
    reading: 'settingsDeletion',
    needs: needsSettings,
    asks: [`DELETE ${settingsOfType}/@`, `GET ${settingsOfType}/@`],
    hypotheses: {
      refused: ({ answers: [removal] }) => [400404, 400930].includes(removal?.code ?? 0),
      deletes: ({ answers: [removal, view] }) => removal?.code === 0 && view?.code === 400201,
    },
  },
];

/** Asked last, because other questions need the user to be deactivated and the channel to be open. */
export const closingQuestions: readonly Question[] = [
  coded('freezeWithoutValue', { freezes: 0, refused: 400105 }, ['PUT /group_channels/@cold/freeze', {}]),
  {
    reading: 'deactivatedMembership',
    makes: [['PUT /users/@dan', { is_active: true }]],
    asks: ['GET /group_channels/@room/members/@dan'],
    hypotheses: {
      kept: shows((member) => at(member, 'is_member') === true),
      ended: shows((member) => at(member, 'is_member') === false),
    },
  },
];
