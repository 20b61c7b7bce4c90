// The words of the notes of changes and of drift. Names and addresses in them are not made safe to print.

import { printUtc, withMore } from '../../../lib/words.ts';
import type { ChangedOutcome, ChangeNote, DepartedOutcome, DriftNote } from '../../model/reasons.ts';
import type { NoteWords } from '../../model/statements/problems.ts';

export const noteWords: NoteWords = { note: noteInWords, driftNotes: driftNotesInWords };

/** A phrase without a full stop. */
function noteInWords(note: ChangeNote): string {
  switch (note.code) {
    case 'attribute_released':
      return `${note.attribute} is no longer managed and stays as it is`;
    case 'attribute_left_out':
      return `${note.attribute} is no longer managed; the request leaves it out, and the platform may remove it`;
    case 'already_disabled':
      return `${note.attribute} already, so nothing is sent`;
    case 'reopened':
      return `is ${note.attribute}: reopened for this work and disabled again afterwards`;
    case 'users_deleted':
      return `${note.users.join(', ')} ${note.users.length === 1 ? 'is' : 'are'} deleted and will no longer be in it`;
    case 'history_returns':
      return 'was retired; what was sent is known, and only the difference is sent';
    case 'members_return':
      return 'was retired; its memberships were read, and missing members are invited again';
    case 'memberships_unknown':
      return 'was retired; memberships may have changed meanwhile';
    case 'value_unknown':
      return `an interrupted run began to change ${note.attribute}, and no read shows its value, so it is sent`;
    case 'entries_taken_over':
      return `${withMore(note.ids, note.more)} already in ${note.attribute}, and managed from now on: removing a line removes the entry on the platform`;
    case 'entry_ended':
      return endedEntry(note);
    case 'taken_into_state':
      return 'exists already and is taken into state as it is';
    case 'token_ends':
      return 'any earlier access token of the user stops working';
    case 'renamed_to':
      return `looks like a rename to ${note.address}${note.effect === undefined ? '' : `: ${note.effect}`}`;
    case 'renamed_from':
      return `looks like a rename of ${note.address}${note.effect === undefined ? '' : `: ${note.effect}`}`;
    case 'partly_pending':
      return `partly waiting before this request: ${withMore(note.attributes, note.more)}`;
    case 'needed_by':
      return `not named by --target, but ${note.address} needs it`;
    case 'of_kind':
      return note.text;
  }
}

/** Two sentences about a ban or mute that has ended. */
export function endedEntry({
  attribute,
  key,
  until,
}: Pick<ChangeNote & { code: 'entry_ended' }, 'attribute' | 'key' | 'until'>): string {
  return `${attribute}.${key} ended at ${until}, so chatform ignores it. Remove the line, or set a later end.`;
}

/** The apply that does something about drift: without --refresh, most policies let it read nothing. */
export function applyInWords(appliesRead: boolean): string {
  return appliesRead ? 'an apply' : 'an apply with --refresh';
}

/** What an apply does about the drift of one object. */
function driftNotesInWords(notes: readonly DriftNote[], appliesRead: boolean): string {
  const apply = applyInWords(appliesRead);
  return notes.map((note) => driftNoteInWords(note, apply)).join('; ');
}

const changedOutcomes: Readonly<Record<ChangedOutcome, (apply: string) => string>> = {
  set_back: (apply) => `${apply} makes it as declared`,
  declared_alike: (apply) => `the manifest now declares the same: ${apply} takes it into state`,
  released: () => 'it was removed from the manifest, and stays as it is',
  left_to_platform: () => 'it stays: the platform also changes it by itself, and an apply does not set it back',
  not_changeable: () => 'it stays: the platform has no call that changes it back',
};

const departedOutcomes: Readonly<Record<DepartedOutcome, (apply: string) => string>> = {
  left_alone: () => 'left, and not invited again (policy: {departed: leave_alone})',
  invited_again: (apply) => `no longer there, and invited again by ${apply}`,
  left_undeclared: () => 'left, and removed from the manifest',
};

const notRepaired: Readonly<Record<(DriftNote & { code: 'not_repaired' })['why'], string>> = {
  not_set_back: 'an apply does not set it back',
  deleted: 'it was deleted, and a repair creates nothing',
  made_anew: 'it was made anew, and a repair takes nothing into state',
  members_left: 'members left, and a repair invites nobody',
  access: 'it changes what people can do, who can call the API, or where data is sent',
  lossy: 'it cannot be taken back without a loss',
  other_changes: 'the object has other changes that are not applied yet',
};

const gone = 'it is gone from the platform';

/** `apply` is the apply that does it. */
function driftNoteInWords(note: DriftNote, apply: string): string {
  switch (note.code) {
    case 'gone_forgotten':
      return note.parents === undefined
        ? `${gone} and removed from the manifest: ${apply} forgets it`
        : `${gone} with ${note.parents.join(', ')}: ${apply} forgets it`;
    case 'gone_created_again':
      return `${gone}: ${apply} creates it again; messages that no history file has do not come back`;
    case 'made_anew':
      return `somebody deleted it and made it anew at ${printUtc(note.at)}: its earlier messages, receipts, statuses and tokens are gone, and ${apply} takes it into state and sends none of them again`;
    case 'gone_sent_again':
      return `${gone} with ${note.parents.join(', ')}: ${apply} sends it again`;
    case 'retired_disabled_again':
      return `it was retired: ${apply} disables it again`;
    case 'undeclared':
      return 'it was removed from the manifest: a plan shows what happens to it';
    case 'expected':
      return `any member can change ${note.attributes.join(' and ')} from a client, so expect this: lifecycle: {ignore_changes: [${note.ignorable.join(', ')}]} leaves it to them`;
    case 'not_repaired':
      return `not repaired: ${notRepaired[note.why]}`;
    case 'only_invited':
      return `${withMore(note.ids, note.more)}: only invited, and the invitation is theirs to accept`;
    case 'left_alone':
    case 'invited_again':
    case 'left_undeclared':
      return `${withMore(note.ids, note.more)}: ${departedOutcomes[note.code](apply)}`;
    default:
      return `${note.attributes.join(', ')}: ${changedOutcomes[note.code](apply)}`;
  }
}
