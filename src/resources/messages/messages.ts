// The kind `messages`: how a channel's message archive is declared, checked and migrated (semantics §7; platform §6.1).

import { InternalError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { channelKeySchema } from '../channel.ts';
import {
  type AttributeDefinition,
  type KindChange,
  type KindDefinition,
  neverDisabled,
  type Problem,
  type Reference,
} from '../define.ts';
import { userReference } from '../people.ts';
import { flagOf, idsOf, textOf } from '../values.ts';
import { archiveOf, batchesAfter, countMarks, firstDifference, rememberArchive, sentOf } from './archive.ts';
import { migrationSteps } from './migration.ts';

const attributes = {
  channel: {
    schema: { enum: ['open_channel', 'group_channel'], description: 'The kind of the channel that it goes into.' },
    change: 'create_only',
    removed: { how: 'release' },
    sentBy: 'steps',
  },
  archive: {
    schema: { type: 'object', description: 'The archive: where its lines stand, and a mark of each.' },
    change: 'mutable',
    removed: { how: 'release' },
    sentBy: 'steps',
    remember: rememberArchive,
    isLabel: true,
  },
  mark_as_read: {
    schema: { description: 'Who has read what was migrated: true for all members, or a list of them.' },
    change: 'noted',
    removed: { how: 'release' },
  },
} as const satisfies Record<string, AttributeDefinition>;

export const messages: KindDefinition = {
  kind: 'messages',
  section: 'messages',
  title: 'message archive',
  description: 'Message history of a channel, migrated exactly once.',
  keyName: 'channel_url',
  keySchema: channelKeySchema,
  attributes,
  deprecated: {},
  required: [],
  rules: [],
  removals: ['forget'],
  disabledState: neverDisabled,
  deletePhase: 'record',
  isChild: true,
  onRename: 'what was sent stays in the old channel, and the whole archive is sent again to the new one',
  onForget: 'the messages stay, and state forgets what was sent: declared again, all of it would be sent again',
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
    ...archiveOf(block).senders.map((key) => userReference(key, 'sender', ['archive'])),
    ...idsOf(block, 'mark_as_read').map((key) => userReference(key, 'reader', ['mark_as_read'])),
  ];
}

/** Sent messages cannot be taken back: the archive may only grow (semantics §7). */
function checks(change: KindChange): Problem[] {
  const { before, after, key } = change;
  if (flagOf(change.parent?.() ?? {}, 'is_ephemeral') === true) return [ephemeral(key, textOf(after, 'channel'))];
  const archive = archiveOf(after);
  const sent = sentOf(before);
  const line = firstDifference(archive, sent);
  if (line === undefined) return [];
  const count = countMarks(sent.marks);
  const what =
    line > archive.messages
      ? `${archive.file} ends after line ${archive.messages}, and ${count} of its lines were sent already`
      : `Line ${line} of ${archive.file} is not the one that was sent; ${count} lines were sent already`;
  return [
    {
      severity: 'error',
      code: 'messages.sent-part-changed',
      summary: 'A part of an archive that was sent has changed',
      detail: `${what}. Messages on the platform are never changed or deleted: bring the sent lines back as they were, and add new ones at the end.`,
      path: ['archive'],
    },
  ];
}

/** Even when the manifest no longer says is_ephemeral, the channel remains as it was created. */
function ephemeral(key: string, channel = 'group_channel'): Problem {
  return {
    severity: 'error',
    code: 'messages.ephemeral',
    summary: 'The channel stores no messages',
    detail: `${channel}.${key} was created with is_ephemeral: true, which cannot be changed: the platform keeps no message of it, and there is nothing to migrate into. Remove the archive, or declare another channel that is not ephemeral.`,
    path: ['archive'],
  };
}

function notes({ before, after }: KindChange): string[] {
  const archive = archiveOf(after);
  const { marks, unsureTo } = sentOf(before);
  let [calls, count] = [0, 0];
  let first: number | undefined;
  let last = 0;
  for (const batch of batchesAfter(archive, marks)) {
    calls++;
    count += batch.count;
    // When a part of the block was sent already, the time of its first new line is not known.
    if (calls === 1) first = batch.skip === 0 ? batch.block.first : undefined;
    last = batch.block.last;
  }
  if (calls === 0) {
    const isNew = after.mark_as_read === true && before.mark_as_read !== true && marks !== '';
    return isNew
      ? ['mark_as_read: true goes with messages that are sent from now on; name members to mark them now']
      : [];
  }
  const unsure = unsureTo - countMarks(marks);
  return [
    ...(unsure > 0 ? [`some of the next ${figure(unsure)} may be there already: they are looked for first`] : []),
    `${figure(count)} ${count === 1 ? 'message' : 'messages'} in ${figure(calls)} ${calls === 1 ? 'call' : 'calls'}${first === undefined ? '' : `, first ${at(first)}`}, last ${at(last)}`,
  ];
}

function figure(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/gu, ',');
}

/** ISO 8601 in UTC, to the second. */
function at(timestamp: number): string {
  return new Date(timestamp).toISOString().replace(/\.\d+Z$/u, 'Z');
}
