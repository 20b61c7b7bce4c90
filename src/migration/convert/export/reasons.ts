// The reason codes of the ledger: why an object or message was changed or left out.

export interface Reason {
  readonly outcome: 'changed' | 'left_out';
  /** The outcome, as a sentence. */
  readonly summary: string;
  /** The choices that people have, and where. */
  readonly advice: string;
}

const inEnvelope = 'Clients can read the message data, which chatform convert --decode prints.';
const byHand = 'Look at the places listed here. Correct the export, or accept the loss.';

export const reasons = {
  'user.new-id': {
    outcome: 'changed',
    summary:
      'The id at the source would reveal who the user is, or the platform does not allow it. The user got another user_id.',
    advice: 'The new ids are under user_ids in decisions.yaml. Edit them before the first apply.',
  },
  'user.profile-fields': {
    outcome: 'changed',
    summary:
      'Address, telephone, title and other fields of a profile or membership were left out, or a picture that the platform does not accept.',
    advice: 'Declare the fields that you need in a manifest of your own. Metadata must not contain personal data.',
  },
  'user.name-cut': {
    outcome: 'changed',
    summary:
      'The name was empty, was too long for a nickname and was shortened, or contained characters that the platform cannot store.',
    advice: 'Nothing to do, unless the exact name matters.',
  },
  'user.banned': {
    outcome: 'changed',
    summary: 'The user was banned at the source, and was declared as a deactivated user.',
    advice: 'Write users.banned: declare in decisions.yaml to declare such users as active.',
  },
  'user.ban-lifted': {
    outcome: 'changed',
    summary: 'The user was banned at the source, and was declared as an active user, as decisions.yaml says.',
    advice: 'Write users.banned: deactivate in decisions.yaml to deactivate such users.',
  },
  'user.merged': {
    outcome: 'changed',
    summary:
      'The account belongs to the person of another account, as decisions.yaml says, and became part of that user.',
    advice: 'To keep both accounts, remove the line under merged in decisions.yaml.',
  },
  'user.left-out': {
    outcome: 'left_out',
    summary: 'The user was left out, as decisions.yaml says.',
    advice: 'To keep the user, change users or left_out in decisions.yaml.',
  },
  'channel.name-cut': {
    outcome: 'changed',
    summary: 'The name was too long and was shortened, or contained characters that the platform cannot store.',
    advice: 'Nothing to do, unless the exact name matters.',
  },
  'channel.members-left-out': {
    outcome: 'changed',
    summary: 'Some members were left out with their users.',
    advice: 'To keep these members, change users in decisions.yaml.',
  },
  'channel.members-from-senders': {
    outcome: 'changed',
    summary: 'The export lists no members, so everyone who wrote in the channel became a member.',
    advice: 'Add missing members in a manifest of your own, or in the application.',
  },
  'channel.members-kept': {
    outcome: 'changed',
    summary: 'The export does not list everybody, so members of earlier exports who are missing in it stay.',
    advice: 'Nothing to do. If every export of your tables lists everybody, write complete: true in the mapping.',
  },
  'channel.not-public': {
    outcome: 'changed',
    summary: 'The channel was open to the whole workspace. Now only its members can read it.',
    advice: 'Write channels.public: everybody in decisions.yaml to open such channels to all users, guests too.',
  },
  'channel.fields': {
    outcome: 'changed',
    summary: 'The creation time, the message retention, or metadata in another form were left out.',
    advice: 'Set the ones that you need in the application.',
  },
  'channel.broadcast': {
    outcome: 'changed',
    summary: 'Only operators could write in the channel. It was declared as frozen, which means the same.',
    advice: 'Remove the freeze if you switch the channel to broadcast in the dashboard.',
  },
  'channel.parent': {
    outcome: 'changed',
    summary: 'A thread became a separate channel. The channel data names its parent.',
    advice: 'Clients can read category and categoryId from the channel data.',
  },
  'channel.partner': {
    outcome: 'changed',
    summary: 'The export names the other person in a direct channel without an id. The channel data has the name.',
    advice: 'If that person never wrote, they are not a member. Add them in a manifest of your own.',
  },
  'channel.open': {
    outcome: 'changed',
    summary: 'The channel has more members than a group channel can hold and became an open channel without members.',
    advice: 'Members enter the channel from the client. To leave it out instead, list it under left_out.channels.',
  },
  'channel.same-members': {
    outcome: 'changed',
    summary: 'Another distinct channel has the same members, so this one is not distinct.',
    advice: 'Clients that look up a conversation by its members find the other channel.',
  },
  'channel.one-sided': {
    outcome: 'changed',
    summary:
      'Only one person of a direct channel is known, so it is not distinct. It would otherwise hold their notes to themselves.',
    advice: 'Add the other person in a manifest of your own, if they are to read it.',
  },
  'channel.too-many-members': {
    outcome: 'left_out',
    summary: 'A private channel has more members than a supergroup allows. An open channel would show it to all.',
    advice: 'Raise the limit with support, split the channel at the source, or accept that it is left out.',
  },
  'channel.nobody': {
    outcome: 'left_out',
    summary: 'The channel has no declared member, and a group channel needs at least one.',
    advice: 'If you need the channel, declare it in a manifest of your own.',
  },
  'channel.deleted': {
    outcome: 'left_out',
    summary: 'The channel was deleted or disabled at the source, so nobody could open it.',
    advice: 'Write channels.deleted: freeze in decisions.yaml to declare such channels as frozen, with their messages.',
  },
  'channel.was-deleted': {
    outcome: 'changed',
    summary: 'The channel was deleted or disabled at the source, and was declared as frozen, as decisions.yaml says.',
    advice: 'Write channels.deleted: leave_out in decisions.yaml to leave such channels out.',
  },
  'channel.left-out': {
    outcome: 'left_out',
    summary: 'The channel was left out, as decisions.yaml says.',
    advice: 'To keep the channel, remove it from left_out.channels in decisions.yaml.',
  },
  'text.markup': {
    outcome: 'changed',
    summary: 'Markup was turned into plain text. The original text is kept in the message data.',
    advice: inEnvelope,
  },
  'text.characters': {
    outcome: 'changed',
    summary:
      'NUL characters and unpaired surrogates, which the platform cannot store, became U+FFFD. The originals are kept in the message data.',
    advice: inEnvelope,
  },
  'text.split': {
    outcome: 'changed',
    summary: 'The text is too long for one message and became several messages with the same time, in order.',
    advice: 'Write messages.long_texts: leave_out in decisions.yaml to leave such messages out.',
  },
  'text.empty': {
    outcome: 'changed',
    summary: 'The message has no text to show, so it shows a note in brackets. The message data has the content.',
    advice: inEnvelope,
  },
  'thread.enveloped': {
    outcome: 'changed',
    summary:
      'The message belongs to a thread. It is sent as a message of the channel, and its data names the first message.',
    advice: 'Write messages.threads: send in decisions.yaml to send replies into their threads.',
  },
  'thread.sent': {
    outcome: 'changed',
    summary: 'The message answers another one. It is sent as a reply in a thread where the platform allows that.',
    advice: 'The section Threads of the report counts the messages that stay outside of threads.',
  },
  'reactions.enveloped': {
    outcome: 'changed',
    summary: 'Reactions cannot be migrated. They are kept in the message data.',
    advice: 'Write messages.reactions: send in decisions.yaml to send them after the messages as well.',
  },
  'reactions.sent': {
    outcome: 'changed',
    summary: 'Reactions are kept in the message data and sent after the messages.',
    advice: 'Nothing to do.',
  },
  'reactions.some-enveloped': {
    outcome: 'changed',
    summary:
      'Some reactions are kept only in the message data: the person is not in the channel or unknown, or the key is too long.',
    advice: inEnvelope,
  },
  'edit.enveloped': {
    outcome: 'changed',
    summary: 'The message was edited at the source. The editor and the time are kept in the message data.',
    advice: inEnvelope,
  },
  'blocks.enveloped': {
    outcome: 'changed',
    summary: 'Blocks, attachments or embeds are kept in the message data.',
    advice: inEnvelope,
  },
  'envelope.cut': {
    outcome: 'changed',
    summary: 'There was too much to keep in the message data. The parts that it lists as dropped were left out.',
    advice: byHand,
  },
  'token.removed': {
    outcome: 'changed',
    summary: 'The query of a URL was removed, since it may give access to the file behind the URL.',
    advice: 'The URL works only for people who are signed in at the source. Copy the files while they exist.',
  },
  'file.listed': {
    outcome: 'changed',
    summary: 'A file became a line of text because decisions.yaml says so, or because its sender cannot send files.',
    advice: 'To change this, set files.urls in decisions.yaml.',
  },
  'file.omitted': {
    outcome: 'changed',
    summary: 'A file became a line of text without its URL.',
    advice: 'To change this, set files.urls in decisions.yaml.',
  },
  'file.no-url': {
    outcome: 'changed',
    summary: 'The export has no URL for a file, which became a line of text.',
    advice: 'The file was deleted, or the subscription at the source hides it.',
  },
  'file.in-export': {
    outcome: 'changed',
    summary: 'The content of a file is only in the export, so the message shows its name.',
    advice: 'Run chatform convert-files to copy them, then convert again.',
  },
  'file.copied': {
    outcome: 'changed',
    summary: 'The message points to a copy of the file, from conversion/file-urls.ndjson.',
    advice: 'Nothing to do.',
  },
  'file.not-copied': {
    outcome: 'left_out',
    summary: 'The content of the file is only in the export and was not copied.',
    advice: 'Run chatform convert-files and convert again, or accept the loss.',
  },
  'file.broken-bytes': {
    outcome: 'left_out',
    summary: 'The content of the file cannot be read, or does not match its checksum.',
    advice: byHand,
  },
  'file.left-out': {
    outcome: 'left_out',
    summary: 'The file was left out together with its message.',
    advice: 'Find the message in conversion/files.ndjson, and the reason in the ledger.',
  },
  'sender.unknown': {
    outcome: 'changed',
    summary: 'The export does not list the sender. The sender was declared as a deactivated user.',
    advice: 'Write users.unknown: leave_out in decisions.yaml to leave such messages out.',
  },
  'sender.none': {
    outcome: 'changed',
    summary: 'The message has no sender and became an admin message.',
    advice: 'Nothing to do.',
  },
  'sender.bot': {
    outcome: 'changed',
    summary: 'A bot message became an admin message, as decisions.yaml says.',
    advice: 'Write users.bots: declare in decisions.yaml to keep bots as users.',
  },
  'sender.other-name': {
    outcome: 'changed',
    summary:
      'The sender posted the message under another name than it has in users.yaml. The message data has that name.',
    advice: 'Nothing to do, unless clients should show that name.',
  },
  'message.system': {
    outcome: 'changed',
    summary: 'A system message about the channel became an admin message.',
    advice: 'Nothing to do.',
  },
  'message.join': {
    outcome: 'changed',
    summary: 'A join or leave became a silent admin message.',
    advice: 'Write messages.joins: leave_out in decisions.yaml to leave such messages out.',
  },
  'message.join-left-out': {
    outcome: 'left_out',
    summary: 'A join or leave was left out, as decisions.yaml says.',
    advice: 'Write messages.joins: admin_message in decisions.yaml to keep such messages.',
  },
  'message.sender-left-out': {
    outcome: 'left_out',
    summary: 'The message was left out together with its sender.',
    advice: 'To keep the message, change users or left_out.users in decisions.yaml.',
  },
  'message.channel-left-out': {
    outcome: 'left_out',
    summary: 'The message was left out together with its channel.',
    advice: 'The ledger says why the channel was left out.',
  },
  'message.unknown-channel': {
    outcome: 'left_out',
    summary: 'The export does not list the channel of the message, or two channels share its folder.',
    advice:
      'Add the channel to the export or to its table. In decisions.yaml, folders: {NAME: CHANNEL_ID} says which channel a folder of Slack belongs to.',
  },
  'message.canvas': {
    outcome: 'left_out',
    summary: 'The message is a comment on a canvas, which does not belong to a channel.',
    advice: 'The platform has no canvases. The comment remains in the export.',
  },
  'message.too-long': {
    outcome: 'left_out',
    summary: 'The text is too long for a message and was left out, as decisions.yaml says.',
    advice: 'Write messages.long_texts: split in decisions.yaml to keep the text as several messages.',
  },
  'message.time-given': {
    outcome: 'changed',
    summary: 'The message has no time and got the time in decisions.yaml.',
    advice: 'Nothing to do.',
  },
  'message.no-time': {
    outcome: 'left_out',
    summary: 'The message has no time, or a time that cannot be read.',
    advice: 'Write missing_time: 2024-01-01T00:00:00Z in decisions.yaml to give such messages that time.',
  },
  'message.time-out-of-range': {
    outcome: 'left_out',
    summary:
      'The time is before 1973-03-03T09:46:40Z or after 2286-11-20T17:46:39.999Z. These are the bounds of a history file (chatform schema history-file), which tell milliseconds from seconds and microseconds.',
    advice: 'Correct the time in the export, or its unit in the mapping, or accept that such messages are left out.',
  },
  'message.event': {
    outcome: 'left_out',
    summary: 'The line records a change to another message and is not a message itself.',
    advice: 'Nothing to do. The export contains the other message in its final form.',
  },
  'message.restricted': {
    outcome: 'left_out',
    summary: 'Only some members could see the message. In the channel, all of them would.',
    advice: 'Write messages.restricted: show in decisions.yaml to show such messages to all members.',
  },
  'message.restriction-lost': {
    outcome: 'changed',
    summary: 'Only some members could see the message. Now all members of the channel can, as decisions.yaml says.',
    advice: 'Write messages.restricted: leave_out in decisions.yaml to leave such messages out.',
  },
  'message.not-stored': {
    outcome: 'left_out',
    summary: 'The channel is ephemeral: the platform stores none of its messages, so none can be sent to it.',
    advice: 'Declare the channel without is_ephemeral in a manifest of your own if it is to keep its history.',
  },
  'message.deleted': {
    outcome: 'left_out',
    summary: 'The message was deleted at the source.',
    advice: 'Accept this if what was deleted stays out. chatform cannot send such messages.',
  },
  'message.repeated': {
    outcome: 'left_out',
    summary:
      'The export contains the message more than once. chatform kept the copy with the latest edit, then from the latest export.',
    advice: 'Accept this, unless another one of the copies is to count.',
  },
  'message.conflict': {
    outcome: 'left_out',
    summary: 'Another message of the export has the same id, but another time, sender or text, and was kept.',
    advice: byHand,
  },
  'message.superseded': {
    outcome: 'left_out',
    summary: 'A more recent export covers this time and does not contain the message.',
    advice: 'Nothing to do. If this export is the more recent one, convert it again with --taken TIME.',
  },
  'member.not-in-force': {
    outcome: 'left_out',
    summary: 'The person was banned from the channel, or declined the invitation, and did not become a member.',
    advice: 'To add the person, declare the member in a manifest of your own.',
  },
  'object.maybe-restricted': {
    outcome: 'changed',
    summary:
      'A field was not read whose name, such as hidden or muted, says that not everybody may see or use the object.',
    advice:
      'Look at the places listed here. To leave an object out, use left_out in decisions.yaml, or correct the export.',
  },
  'object.restricted': {
    outcome: 'changed',
    summary:
      'The object was restricted at the source: private, archived, muted, invited or deactivated. It was declared with the same restriction.',
    advice: 'Nothing to do.',
  },
  'field.unknown': {
    outcome: 'left_out',
    summary:
      'These rows have a field that chatform does not know, or that the mapping neither reads nor omits. It may say who can see or use them. It was left out.',
    advice:
      'Write for each of them under fields in decisions.yaml: leave_out, accepted to put it into the data of messages and channels, or restricts.',
  },
  'field.decided': {
    outcome: 'left_out',
    summary:
      'These rows have a field that chatform or the mapping does not know. decisions.yaml says what becomes of it.',
    advice: 'To change this, edit fields in decisions.yaml.',
  },
  'field.private': {
    outcome: 'left_out',
    summary: 'Values of an unknown field look like secrets, addresses, phone numbers or tokens of devices.',
    advice:
      'Write leave_out for the field under fields in decisions.yaml, since all members can read the data of messages.',
  },
  'part.orphan': {
    outcome: 'left_out',
    summary: 'The line belongs to an object that was left out, or that the export does not contain.',
    advice: byHand,
  },
  'part.not-read': {
    outcome: 'left_out',
    summary:
      'The row belongs to a message that is not new or changed, or that was left out, so it was not read with its message.',
    advice: 'A conversion with --full reads all messages with their reactions and files.',
  },
  'table.since': {
    outcome: 'left_out',
    summary:
      'Only rows that are new or changed since the last conversion were read, as the mapping says. Rows that were deleted since then are not seen.',
    advice: 'Nothing to do. A conversion with --full reads all rows and notices deleted ones.',
  },
  'object.not-carried': {
    outcome: 'left_out',
    summary: 'The platform cannot import such objects: integration logs, devices, polls, emoji and bans.',
    advice: 'Set up the ones that you need again in the new application.',
  },
  'object.repeated': {
    outcome: 'left_out',
    summary: 'The export has two names for one id. chatform kept the name in the latest export, or else the first one.',
    advice: 'Nothing to do. If the other name is right, correct the export.',
  },
  'object.broken': {
    outcome: 'left_out',
    summary: 'The line does not have the form that the source writes.',
    advice: byHand,
  },
  'row.required': {
    outcome: 'left_out',
    summary: 'A column that the mapping needs for an id, a channel or a user is empty, missing or of another type.',
    advice: 'Correct the mapping or the row, or accept that it is left out.',
  },
  'row.unreadable': {
    outcome: 'left_out',
    summary: 'A flag of the row cannot be read, so it is unknown whether the row counts.',
    advice:
      'Correct the row, or the mapping: null names the strings for a missing value, and cel computes a value from others.',
  },
  'time.unreadable': {
    outcome: 'left_out',
    summary: 'The time of the message cannot be read as the mapping says. The report has an example.',
    advice: 'Correct the row, or compute the time in the mapping from its several forms: { of: { cel: … } }.',
  },
  'time.ambiguous': {
    outcome: 'changed',
    summary:
      'The zone has this local time, of the message or of its edit, twice, when clocks go back. The first of the two was taken.',
    advice: 'Export times in UTC or with their offsets if the hour matters.',
  },
  'time.skipped': {
    outcome: 'changed',
    summary:
      'The zone does not have this local time, of the message or of its edit, since clocks went forward. It was taken as an hour later.',
    advice: 'Check the zone in the mapping: a time that a zone skips was written in another zone.',
  },
  'row.repeated': {
    outcome: 'left_out',
    summary: 'An earlier row has the same id and was kept.',
    advice: 'Write repeats: true in the mapping where several rows describe one object.',
  },
  'row.unmapped': {
    outcome: 'left_out',
    summary: 'No entry of the mapping applies to the row.',
    advice: 'Check the conditions under where, or accept that such rows are left out.',
  },
  'table.unmapped': {
    outcome: 'left_out',
    summary:
      'The mapping does not name a table of a dump, or a list in a JSON file. The ledger has the number of its rows.',
    advice: 'Add the table to the mapping, or accept that all such tables are left out.',
  },
  'table.looked-up': {
    outcome: 'left_out',
    summary:
      'A table is only looked up, and its rows have values that the mapping does not read. The report names their columns.',
    advice: 'Read these columns, list them under omit in the mapping, or accept that they are left out.',
  },
  'row.lookup': {
    outcome: 'left_out',
    summary: 'The row belongs to a lookup table and does not become an object of its own.',
    advice: 'Nothing to do.',
  },
  'row.repeated-key': {
    outcome: 'left_out',
    summary: 'An earlier row of the table has the same key and other values. Look-ups and joins use the earlier row.',
    advice:
      'Choose a unique key for each row in the mapping, name their number under latest if the rows are revisions, or accept it.',
  },
  'row.earlier': {
    outcome: 'left_out',
    summary:
      'Another row of the table has the same key and a larger value of latest, as of a later revision. That one counts.',
    advice: 'Nothing to do. To convert each row, remove latest from the table in the mapping.',
  },
  'row.condition': {
    outcome: 'left_out',
    summary:
      'A condition (where) of the mapping cannot be evaluated for the row. The report has its types and an example.',
    advice: 'Correct the condition: compare values of one type, and test with has(row.x) whether the row has a column.',
  },
  'row.costly': {
    outcome: 'left_out',
    summary: 'An expression of the mapping needs too much work for the row.',
    advice: 'Nest fewer macros in the expression, build shorter strings and lists, or accept that the row is left out.',
  },
  'row.value-dropped': {
    outcome: 'changed',
    summary: 'A value of the row was left out: it cannot be computed, or has the wrong type for its field.',
    advice: 'Correct this field in the mapping. chatform convert table --sample shows the result for a few rows.',
  },
  'file.broken-json': {
    outcome: 'left_out',
    summary: 'A file of the export is not valid JSON in UTF-8, so its content is unknown.',
    advice: 'Export that day again, or accept that its messages are missing.',
  },
  'file.unknown': {
    outcome: 'left_out',
    summary: 'A file of the export has an unknown format.',
    advice: byHand,
  },
  'file.empty': {
    outcome: 'left_out',
    summary: 'The file contains no objects and no messages.',
    advice: 'Nothing to do.',
  },
  'file.clutter': {
    outcome: 'left_out',
    summary: 'The file was added by an operating system and does not belong to the export.',
    advice: 'Nothing to do.',
  },
  'file.link': {
    outcome: 'left_out',
    summary: 'A symbolic link or a device was not read, since it may lead out of the export.',
    advice: 'Put the file itself in its place, or accept that it is left out.',
  },
} as const satisfies Readonly<Record<string, Reason>>;

export type ReasonCode = keyof typeof reasons;

export const reasonCodes = Object.keys(reasons) as readonly ReasonCode[];

/** Reasons for omissions that people decided on, or that lose nothing. */
export const decidedReasons: ReadonlySet<ReasonCode> = new Set([
  'user.left-out',
  'channel.left-out',
  'message.join-left-out',
  'message.sender-left-out',
  'message.too-long',
  'file.left-out',
  'message.superseded',
  'object.repeated',
  'field.decided',
  'field.private',
  // These lose nothing.
  'message.event',
  'row.lookup',
  'row.earlier',
  'part.not-read',
  'table.since',
  'file.empty',
  'file.clutter',
]);
