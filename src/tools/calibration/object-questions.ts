// The questions about users, channels, members, bans and settings, in the order in which they are asked.
import { isList, type JsonObject } from '../../lib/json.ts';
import type { ReadingName } from '../../model/readings.ts';
import { at, each, type ScratchCall } from './calls.ts';
import { byBody, byCode, coded, type Question } from './question.ts';

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

export const objectQuestions: readonly Question[] = [
  coded('profileImage', { 0: 'optional', 400105: 'required' }, user('@bare', {})),
  coded(
    'metadataValues',
    { 0: 'coerced', 400100: 'strings' },
    user('@odd', { profile_url: '', metadata: { a: true } }),
  ),
  coded('metadataPostOfExistingKey', { 0: 'overwrites', 400202: 'refused' }, [
    'POST /users/@ann/metadata',
    { metadata: { known: 'b' } },
  ]),
  {
    reading: 'metadataUpdateOfUnknownKey',
    asks: [['PUT /users/@ann/metadata', { metadata: { unknown: 'a' } }], 'GET /users/@ann'],
    decide: ([update, view]) => {
      if (update?.code === 400201) return 'refused';
      return update?.code === 0 && at(view?.body, 'metadata', 'unknown') === undefined ? 'ignored' : undefined;
    },
  },
  {
    reading: 'channelMetadataInView',
    makes: [['POST /group_channels/@side/metadata', { metadata: { known: 'a' } }]],
    asks: ['GET /group_channels/@side?show_metadata=true'],
    decide: byBody((view) => (at(view, 'metadata', 'known') === 'a' ? 'when_asked' : 'never')),
  },
  {
    reading: 'operatorsInOpenLists',
    asks: ['GET /open_channels?channel_urls=@hall&include_operators=true&limit=1'],
    decide: byBody((list) => {
      const operators = at(list, 'channels', 0, 'operators');
      if (at(list, 'channels', 0) === undefined) return undefined;
      return operators === undefined ? 'absent' : each(operators, 'user_id').length > 0 ? 'listed' : 'empty';
    }),
  },
  {
    reading: 'operatorIdsOnUpdate',
    makes: [['PUT /open_channels/@hall', { operator_ids: ['@bob'] }]],
    asks: ['GET /open_channels/@hall/operators'],
    decide: byBody((list) => {
      const ids = each(at(list, 'operators'), 'user_id');
      return ids.includes('@bob') ? (ids.includes('@ann') ? 'add' : 'replace') : undefined;
    }),
  },
  {
    reading: 'operatorsInGroupViews',
    asks: ['GET /group_channels/@side'],
    decide: byBody((view) => (at(view, 'operators') === undefined ? 'absent' : 'listed')),
  },
  {
    reading: 'distinctUpdate',
    asks: [['PUT /group_channels/@side', { is_distinct: true }]],
    decide: ([update]) => {
      if (update?.code !== 0) return 'refused';
      return at(update.body, 'is_distinct') === true ? 'changes' : 'ignored';
    },
  },
  {
    reading: 'multipartLists',
    asks: [form('@form-commas', '@ann,@bob'), form('@form-json', '["@ann","@bob"]')],
    decide: (answers) => {
      const [commas, json] = answers.map(({ body }) => each(at(body, 'operators'), 'user_id').join() === '@ann,@bob');
      return commas === true ? (json === true ? 'any' : 'commas') : json === true ? 'json' : 'repeated';
    },
  },
  {
    reading: 'unknownRouteStatus',
    asks: ['GET /chatform_calibrate'],
    decide: ([unknown]) => (unknown?.code === 0 ? undefined : unknown?.status),
  },
  {
    reading: 'memberOrder',
    asks: [inviteOfBob],
    decide: byBody((invite) => {
      const place = each(at(invite, 'members'), 'user_id').indexOf('@bob');
      return place === 0 ? 'newest_first' : place === 2 ? 'oldest_first' : undefined;
    }),
  },
  coded('inviteOfMember', { 0: 'ignored', 400202: 'refused' }, inviteOfBob),
  coded('leaveOfNonMember', { 0: 'ignored', 400201: 'refused' }, [
    'PUT /group_channels/@room/leave',
    { user_ids: ['@cat'] },
  ]),
  coded(
    'memberActiveModeAll',
    { 0: 'allowed', 400111: 'refused' },
    'GET /group_channels/@room/members?member_active_mode_filter=all',
  ),
  coded('operatorOutsidePrivateChannel', { 0: 'allowed', 400108: 'refused' }, [
    'POST /group_channels/@cold/operators',
    { operator_ids: ['@bob'] },
  ]),
  {
    reading: 'deactivatedUserRead',
    makes: [['PUT /users/@dan', { is_active: false, leave_all_when_deactivated: false }]],
    asks: ['GET /users/@dan'],
    decide: byCode({ 0: 'visible', 400300: 'refused' }),
  },
  coded('deactivatedMember', { 0: 'allowed', 400300: 'refused' }, [
    'POST /group_channels/@side/invite',
    { user_ids: ['@dan'] },
  ]),
  {
    reading: 'banOfBanned',
    makes: [ban('@bob', '@side')],
    asks: [ban('@bob', '@side')],
    decide: byCode({ 0: 'overwrites', 400202: 'refused' }),
  },
  {
    reading: 'banUpdate',
    makes: [ban('@cat', '@side')],
    waitMs: clearMs,
    asks: [['PUT /group_channels/@side/ban/@cat', { seconds: 2 * dayS }]],
    decide: ([update], [first]) => {
      const [before, after] = [at(first?.body, 'end_at'), at(update?.body, 'end_at')];
      if (typeof before !== 'number' || typeof after !== 'number') return undefined;
      const laterMs = after - before - dayS * 1000;
      return laterMs >= clearMs / 2 ? 'from_now' : Math.abs(laterMs) < clearMs / 2 ? 'from_start' : undefined;
    },
  },
  {
    reading: 'permanentBanEnd',
    asks: [['POST /group_channels/@cold/ban', { user_id: '@cat', seconds: -1 }]],
    decide: byBody((permanent) => {
      const [start, end] = [at(permanent, 'start_at'), at(permanent, 'end_at')];
      if (end === -1) return 'minus_one';
      if (typeof start !== 'number' || typeof end !== 'number') return undefined;
      return Math.abs((end - start) / (365 * dayS * 1000) - 10) < 0.1 ? 'ten_years' : undefined;
    }),
  },
  {
    reading: 'muteOfMuted',
    makes: [muteOfBob],
    asks: [muteOfBob],
    decide: byCode({ 0: 'overwrites', 400202: 'refused' }),
  },
  coded('liftOfNothing', { 0: 'ignored', 400201: 'refused' }, 'DELETE /group_channels/@log/ban/@ann'),
  coded('moderationOfNewType', { 0: 'created', 400201: 'refused' }, filterOff),
  {
    reading: 'moderationKeywords',
    // The settings exist already if the update above has created them.
    asks: [[`POST ${settingsOfType}`, { custom_type: '@' }], filterOn],
    decide: ([, update]) => {
      const keywords = at(update?.body, 'profanity_filter', 'keywords');
      return typeof keywords === 'string' ? 'text' : isList(keywords) ? 'list' : undefined;
    },
  },
  {
    reading: 'moderationUpdate',
    needs: needsSettings,
    asks: [filterOff],
    decide: byBody((update) => {
      const keywords = at(update, 'profanity_filter', 'keywords');
      if (keywords === undefined) return undefined;
      return keywords === '' || (isList(keywords) && keywords.length === 0) ? 'replaces' : 'merges';
    }),
  },
  {
    reading: 'settingsDeletion',
    needs: needsSettings,
    asks: [`DELETE ${settingsOfType}/@`, `GET ${settingsOfType}/@`],
    decide: ([removal, view]) => (removal?.code !== 0 ? 'refused' : view?.code === 400201 ? 'deletes' : undefined),
  },
];

/** Asked last, because other questions need the user to be deactivated and the channel to be open. */
export const closingQuestions: readonly Question[] = [
  coded('freezeWithoutValue', { 0: 'freezes', 400105: 'refused' }, ['PUT /group_channels/@cold/freeze', {}]),
  {
    reading: 'deactivatedMembership',
    makes: [['PUT /users/@dan', { is_active: true }]],
    asks: ['GET /group_channels/@room/members/@dan'],
    decide: byBody((member) => (at(member, 'is_member') === true ? 'kept' : 'ended')),
  },
];

/** Readings that cannot be found without changing objects of others, or that do not affect chatform. */
export const undecidable: Partial<Readonly<Record<ReadingName, string>>> = {
  eventMessageBody: 'a test would change the event messages of the whole application',
  allowlistDeletion: 'a test would change the addresses that may call the application',
  reactionOfNonMember: 'chatform sends only reactions of members',
  pinOfPinned: 'chatform accepts both answers to a second pin',
  pinsInChannelView: 'chatform reads the pins of a channel only if the platform shows them',
  pastMessagesDefault: 'chatform reads the setting itself before it sends messages',
  historyLine: 'a test would change a setting of the whole application',
  firstReceipt: 'chatform depends on no value of a new receipt',
  updateReadTs: 'chatform says what each value means before it sends update_read_ts',
  migrationRetention: 'an answer takes days',
  joinLimit: 'a test would make 2,001 channels',
  botAi: 'a test would make an AI chatbot, of which an application may have few',
  unknownWebhookEvent: 'a test would change the webhook of the whole application',
  webhookRetry: 'a test would change the webhook of the whole application',
  joinEvents: 'a test would change the webhook of the whole application',
  migrationEvents: 'a test would change the webhook of the whole application',
  adminMessageEvents: 'a test would change the webhook of the whole application',
  botSignature: 'the platform cannot call the doctor',
};
