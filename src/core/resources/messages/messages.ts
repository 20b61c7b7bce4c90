// The kind `messages`, the history file of a channel (semantics §7; platform §6.1).

import { InternalError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { listOf, plural, printNumber } from '../../../lib/words.ts';
import { callsInDoubt } from '../../history/calls-in-doubt.ts';
import {
  batchesAfter,
  countOf,
  type HistoryFile,
  historyFileOf,
  rememberHistoryFile,
} from '../../history/lines/history-file.ts';
import { declaredMarks, reactorsOf, rememberMarks } from '../../history/lines/marked-lines.ts';
import { markNotes } from '../../history/marks/mark-steps.ts';
import { isLookedFor, migrationSteps } from '../../history/migration.ts';
import { LineBlocks } from '../../history/sending/line-blocks.ts';
import { type Differences, differencesOf } from '../../history/sent/differences.ts';
import { editsByWord } from '../../history/sent/edited-lines.ts';
import { type SentHistoryFile, sentOf } from '../../history/sent/recorded-calls.ts';
import { replyNotes } from '../../history/threads/reply-steps.ts';
import {
  type AttributeDefinition,
  type BlockProblem,
  type KindChange,
  type KindDefinition,
  neverDisabled,
  type Reference,
} from '../../kinds/definition/kind.ts';
import { flagOf, idsOf, mapOf, textOf } from '../../kinds/definition/values.ts';
import { channelKeySchema } from '../../kinds/parts/channel.ts';
import { userReference } from '../../kinds/parts/people.ts';
import { defaultMessagesPolicy, type MessagesPolicy } from '../../model/policy.ts';

const marks = {
  change: 'noted',
  removed: { how: 'release' },
  shown: { as: 'not', why: 'history' },
  people: ['notice'],
  sentBy: 'steps',
  remember: rememberMarks,
  personal: false,
} as const;

const attributes = {
  channel: {
    schema: { enum: ['open_channel', 'group_channel'], description: 'The kind of the channel that it goes into.' },
    change: 'create_only',
    removed: { how: 'release' },
    // It is a part of the address.
    shown: { as: 'not', why: 'rule' },
    people: [],
    sentBy: 'steps',
  },
  history: {
    schema: { type: 'object', description: 'The history file: where its lines stand, and a mark of each.' },
    // With `keep` in the policy, an edit is recorded without a call.
    change: 'noted',
    removed: { how: 'release' },
    shown: { as: 'not', why: 'history', noted: 'last_message' },
    people: ['read', 'history'],
    sentBy: 'steps',
    remember: rememberHistoryFile,
    isLabel: true,
  },
  reactions: {
    schema: { type: 'object', description: 'How many reactions its lines declare, and a digest of them.' },
    ...marks,
  },
  pinned: {
    schema: { type: 'object', description: 'How many messages its lines pin, and a digest of them.' },
    ...marks,
  },
  mark_as_read: {
    schema: { description: 'Who has read the migrated messages: true for all members, or a list of them.' },
    change: 'noted',
    removed: { how: 'release' },
    shown: { as: 'not', why: 'history', noted: 'receipts' },
    people: ['notice'],
  },
} as const satisfies Record<string, AttributeDefinition>;

export const messages: KindDefinition = {
  callsInDoubt,
  name: 'messages',
  section: 'messages',
  title: 'history file',
  description: 'Message history of a channel, migrated exactly once.',
  keyName: 'channel_url',
  keySchema: channelKeySchema,
  attributes,
  required: [],
  rules: [],
  removals: ['retire', 'forget'],
  disabledState: neverDisabled,
  deletePhase: 'record',
  isChild: true,
  contents: (remembered) => countOf(mapOf(remembered, 'history')),
  onRename: 'what was sent stays in the old channel, and the whole history file is sent again to the new one',
  onRetire: 'the messages stay, and state keeps what was sent: if declared again, only the difference is sent',
  onForget:
    'the messages stay, but state forgets that they were sent: if declared again, the history file is a conflict',
  normalise: (_key, declared) => ({ attributes: declared, problems: [] }),
  references,
  checks,
  steps: migrationSteps,
  notes,
  view: neverRead,
  remove: neverRead,
  observe: () => ({}),
};

function neverRead(key: string): never {
  throw new InternalError(`messages.${key} is not an object of the platform: it is neither viewed nor removed`);
}

function references(block: JsonObject): Reference[] {
  return [
    ...historyFileOf(block).senders.map((key) => userReference(key, 'sender', ['history'])),
    ...reactorsOf(declaredMarks(block)).map((key) => userReference(key, 'reactor', ['reactions'])),
    ...idsOf(block, 'mark_as_read').map((key) => userReference(key, 'reader', ['mark_as_read'])),
  ];
}

/** Refuses corrections of sent messages that the policy does not allow (semantics §7). */
function checks(change: KindChange): BlockProblem[] {
  const { before, after, key, policy = defaultMessagesPolicy } = change;
  if (flagOf(change.parent?.() ?? {}, 'is_ephemeral') === true) return [ephemeral(key, textOf(after, 'channel'))];
  const historyFile = historyFileOf(after);
  const sent = sentOf(before);
  const differences = differencesOf(historyFile, sent);
  const refused = correctionsOf(differences, policy).filter(({ count, word }) => count > 0 && word === 'refuse');
  if (refused.length === 0) return [];
  const refusedEdits = listOf(refused.map(countedLines));
  const advice = refused.map(({ name, means, settingWith }) => `${name}: ${settingWith(means)}`).join(', ');
  const keeps = refused.filter(({ name }) => name !== 'late');
  const kept = keeps.map(({ name, settingWith }) => `${name}: ${settingWith('keep')}`).join(', ');
  const alternative = keeps.length === 0 ? '' : `; ${kept} leaves the messages as they were sent`;
  return [
    {
      severity: 'error',
      code: 'messages.sent-part-changed',
      summary: 'The sent part of a history file has changed',
      detail: `${historyFile.file} has ${refusedEdits}${placeOf(differences, policy)}. chatform changes sent messages only if the reviewed diff allows it with policy: {messages: {${advice}}}${alternative}.`,
      path: ['history'],
    },
  ];
}

interface Correction {
  readonly name: keyof MessagesPolicy;
  /** What the policy says of these lines. */
  readonly word: string;
  readonly count: number;
  /** How many of them differ only in what programs read. */
  readonly dataAlone?: number;
  /** Singular and plural. */
  readonly what: readonly [string, string];
  /** The policy value that allows it. */
  readonly means: string;
  /** The setting as it is, or with another word for these lines. */
  settingWith(word?: string): string;
}

function correctionsOf({ edited, gone, late }: Differences, policy: MessagesPolicy): readonly Correction[] {
  return [
    ...Object.entries(editsByWord(edited, policy)).map(([word, lines]): Correction => {
      const dataAlone = lines.filter(({ part }) => part === 'data').length;
      return {
        name: 'edited',
        word,
        count: lines.length,
        dataAlone,
        what: ['sent line that was edited', 'sent lines that were edited'],
        means: 'update',
        settingWith: (other) => editedSetting(policy, dataAlone < lines.length, dataAlone > 0, other),
      };
    }),
    {
      name: 'deleted',
      word: policy.deleted,
      count: gone.length,
      what: ['sent line that is gone', 'sent lines that are gone'],
      means: 'delete',
      settingWith: (other = policy.deleted) => other,
    },
    {
      name: 'late',
      word: policy.late,
      count: late.length,
      what: ['new line before lines that were sent', 'new lines before lines that were sent'],
      means: 'insert',
      settingWith: (other = policy.late) => other,
    },
  ];
}

/** The value of `edited` that gives edited lines of these parts another word. */
function editedSetting({ edited }: MessagesPolicy, isText: boolean, isData: boolean, word?: string): string {
  if (typeof edited === 'string' && (word === undefined || isText)) return word ?? edited;
  const words = {
    ...(typeof edited === 'string' ? {} : edited),
    ...(isText && word !== undefined ? { text: word } : {}),
    ...(isData && word !== undefined ? { data: word } : {}),
  };
  const pairs = Object.entries(words).map(([part, ofPart]) => `${part}: ${ofPart}`);
  return `{${pairs.join(', ')}}`;
}

function countedLines({ count, dataAlone = 0, what: [one, many] }: Correction): string {
  return `${plural(count, one, many)}${inDataAlone(count, dataAlone)}`;
}

/** What people do not see of edited lines. */
function inDataAlone(count: number, dataAlone: number): string {
  if (dataAlone === 0) return '';
  return dataAlone === count ? ' in data alone' : `, ${printNumber(dataAlone)} of them in data alone`;
}

/** Returns ` (line 17)` for the first edited or late line. A removed line has no position. */
function placeOf({ edited, late }: Differences, policy: MessagesPolicy): string {
  const lines = [
    ...editsByWord(edited, policy).refuse.map(({ line }) => line),
    ...(policy.late === 'refuse' ? late : []),
  ];
  const [only] = lines;
  if (only === undefined) return '';
  const first = lines.reduce((least, line) => Math.min(least, line), only);
  return lines.length === 1 ? ` (line ${first + 1})` : ` (the first is line ${first + 1})`;
}

/** The channel stays ephemeral even if the manifest no longer declares is_ephemeral. */
function ephemeral(key: string, channel = 'group_channel'): BlockProblem {
  return {
    severity: 'error',
    code: 'messages.ephemeral',
    summary: 'The channel stores no messages',
    detail: `${channel}.${key} was created with is_ephemeral: true, which cannot be changed. The platform stores no messages in it, so nothing can be migrated. Remove the history file, or declare another channel that is not ephemeral.`,
    path: ['history'],
  };
}

function notes(change: KindChange): string[] {
  return [...notesOfLines(change), ...replyNotes(change), ...markNotes(change)];
}

function notesOfLines(change: KindChange): string[] {
  const { before, after, policy = defaultMessagesPolicy } = change;
  const historyFile = historyFileOf(after);
  const sent = sentOf(before);
  const differences = differencesOf(historyFile, sent);
  const { known, unsure } = differences;
  let [calls, count] = [0, 0];
  let first: number | undefined;
  let last = 0;
  for (const batch of batchesAfter(historyFile, known)) {
    calls++;
    count += batch.only?.length ?? batch.count;
    // If a part of the block was already sent, the time of its first new line is unknown.
    if (calls === 1) first = batch.skip === 0 ? batch.block.first : undefined;
    last = batch.block.last;
  }
  const isNew = after.mark_as_read === true && before.mark_as_read !== true && sent.calls.length > 0;
  const doubtful = sent.unsureTo - known;
  return [
    ...correctionsOf(differences, policy).flatMap((correction) => [
      ...notedCorrection(correction),
      ...(correction.name === 'edited' && correction.word === 'update'
        ? notedFixed(historyFile, editsByWord(differences.edited, policy).update)
        : []),
    ]),
    ...(unsure.length > 0
      ? [`${plural(unsure.length, 'message')} may have arrived already; chatform checks before it sends anything`]
      : []),
    ...(doubtful > 0
      ? [`some of the next ${printNumber(doubtful)} may have arrived already; chatform checks first`]
      : []),
    ...(calls > 0
      ? [
          `${plural(count, 'message')} in ${plural(calls, 'call')}${first === undefined ? '' : `, first ${at(first)}`}, last ${at(last)}`,
          ...(after.mark_as_read === true ? [movedReceipts] : []),
          ...(isLookedFor(change, sent) ? [whyLookedFor(change, sent)] : []),
        ]
      : isNew
        ? ['mark_as_read: true applies only to messages sent from now on; list members to mark earlier ones']
        : []),
  ];
}

const movedReceipts =
  'mark_as_read: true sends update_read_ts: by the vendor’s page, receipts of all members that are later than the newest message of a call move back to it, so that later messages become unread; a list of members marks the whole channel as read instead';

function whyLookedFor({ type }: KindChange, { isRestored }: SentHistoryFile): string {
  const why =
    type === 'create'
      ? 'state does not know what the channel contains'
      : isRestored
        ? 'state was put back from a copy'
        : 'this plan reads the platform';
  return `before it sends them, chatform looks for them in the channel, because ${why}`;
}

function notedCorrection({ name, word, count, dataAlone = 0, what, settingWith }: Correction): string[] {
  if (count === 0) return [];
  switch (word) {
    case 'keep':
      return [
        `${plural(count, what[0], what[1])}${inDataAlone(count, dataAlone)}: nothing changes on the platform (${name}: ${settingWith()})`,
      ];
    case 'update':
      return [`${plural(count, 'message is', 'messages are')} edited${inDataAlone(count, dataAlone)}`];
    case 'delete':
      return [`${plural(count, 'message is', 'messages are')} permanently deleted`];
    case 'insert':
      return [`${plural(count, 'message is', 'messages are')} inserted at ${count === 1 ? 'its' : 'their'} time`];
    default:
      return [];
  }
}

/** State keeps only a fingerprint of a line, so the note cannot say what differs. */
function notedFixed(historyFile: HistoryFile, edited: Differences['edited']): string[] {
  if (edited.length === 0) return [];
  const lines = new LineBlocks(historyFile);
  const fixed = edited.filter(({ line }) => {
    const number = lines.blockOf(line);
    return lines.block(number).fixed?.includes(line - lines.startOf(number)) === true;
  });
  if (fixed.length === 0) return [];
  return [
    `${plural(fixed.length, 'edited message has', 'edited messages have')} is_silent, or the name, size, type or pictures of a file, which the platform cannot change; chatform verify compares them`,
  ];
}

/** Returns ISO 8601 in UTC with seconds. */
function at(timestamp: number): string {
  return new Date(timestamp).toISOString().replace(/\.\d+Z$/u, 'Z');
}
