// Why something of the source is changed or left out: every reason code of the ledger, with what it means.

export interface Reason {
  readonly outcome: 'changed' | 'left_out';
  /** What became of it, as a sentence. */
  readonly summary: string;
  /** What people may decide, and where. */
  readonly advice: string;
}

const inEnvelope = 'Clients can read it from the envelope; chatform convert --decode shows it.';
const byHand = 'Look at the places named here, and correct the export or accept the loss.';

export const reasons = {
  'user.new-id': {
    outcome: 'changed',
    summary: 'The id of the source would tell who the user is, or is not allowed, so another user_id was given.',
    advice: 'The ids are kept under user_ids in decisions.yaml. Edit them there before the first apply.',
  },
  'user.profile-fields': {
    outcome: 'changed',
    summary:
      'Address, telephone, title and other fields of the profile, or a picture that the platform cannot hold, were not carried.',
    advice: 'Declare what is needed in a manifest of your own; metadata must hold no personal data.',
  },
  'user.name-cut': {
    outcome: 'changed',
    summary:
      'The name is longer than a nickname may be and was cut, was empty, or held what the platform cannot store.',
    advice: 'Nothing to do, unless the name matters.',
  },
  'user.left-out': {
    outcome: 'left_out',
    summary: 'The user was left out, as decisions.yaml says.',
    advice: 'Change users or left_out in decisions.yaml to carry them.',
  },
  'channel.name-cut': {
    outcome: 'changed',
    summary: 'The name is longer than a channel name may be and was cut, or held what the platform cannot store.',
    advice: 'Nothing to do, unless the name matters.',
  },
  'channel.members-left-out': {
    outcome: 'changed',
    summary: 'Some members were left out with their users.',
    advice: 'Change users in decisions.yaml to carry them.',
  },
  'channel.members-from-senders': {
    outcome: 'changed',
    summary: 'The export lists no members, so those who wrote in the channel became its members.',
    advice: 'Add missing members in a manifest of your own, or in the application.',
  },
  'channel.not-public': {
    outcome: 'changed',
    summary: 'The channel was open to the whole workspace and is now for its members.',
    advice: 'Write channels.public: everybody in decisions.yaml to open such channels to all users, guests too.',
  },
  'channel.fields': {
    outcome: 'changed',
    summary: 'The time of its creation, how long its messages survive, or metadata of another form were not carried.',
    advice: 'Set what is needed in the application.',
  },
  'channel.parent': {
    outcome: 'changed',
    summary: 'A thread became a channel of its own; its parent is named in the data of the channel.',
    advice: 'Clients can read category and categoryId from the data of the channel.',
  },
  'channel.partner': {
    outcome: 'changed',
    summary: 'The export names the partner of a direct channel without an id; the name is in the data of the channel.',
    advice: 'A partner who never wrote is not a member: add them in a manifest of your own.',
  },
  'channel.open': {
    outcome: 'changed',
    summary: 'The channel has more members than a group channel can hold and became an open channel without members.',
    advice: 'Its members enter it in the client. Name it under left_out.channels to leave it out instead.',
  },
  'channel.same-members': {
    outcome: 'changed',
    summary: 'Another distinct channel has the same members, so this one is not distinct.',
    advice: 'Clients that look for a conversation by its members find the other one.',
  },
  'channel.too-many-members': {
    outcome: 'left_out',
    summary: 'A private channel has more members than a supergroup can hold; opening it would show it to everybody.',
    advice: 'Raise the limit with support, split the channel at the source, or accept that it is left out.',
  },
  'channel.nobody': {
    outcome: 'left_out',
    summary: 'Nobody who is declared is in the channel, and a group channel needs a member.',
    advice: 'Declare it in a manifest of your own when it is needed.',
  },
  'channel.left-out': {
    outcome: 'left_out',
    summary: 'The channel was left out, as decisions.yaml says.',
    advice: 'Remove it from left_out.channels in decisions.yaml to carry it.',
  },
  'text.markup': {
    outcome: 'changed',
    summary: 'Markup was made readable; the text as it was stands in the envelope.',
    advice: inEnvelope,
  },
  'text.characters': {
    outcome: 'changed',
    summary:
      'NUL and halves of characters, which the platform cannot store, became U+FFFD; what they were stands in the envelope.',
    advice: inEnvelope,
  },
  'text.split': {
    outcome: 'changed',
    summary: 'The text is longer than a message may be and became several messages of one time, in order.',
    advice: 'Write messages.long_texts: leave_out in decisions.yaml to leave such messages out.',
  },
  'text.empty': {
    outcome: 'changed',
    summary: 'The message has no text that can be shown; a text in brackets stands in its place.',
    advice: inEnvelope,
  },
  'thread.enveloped': {
    outcome: 'changed',
    summary: 'The message belongs to a thread; the platform takes no threads, so its root is named in the envelope.',
    advice: inEnvelope,
  },
  'reactions.enveloped': {
    outcome: 'changed',
    summary: 'Reactions stand in the envelope, since a migration takes none.',
    advice: 'Write messages.reactions: send in decisions.yaml to send them after the messages as well.',
  },
  'reactions.sent': {
    outcome: 'changed',
    summary: 'Reactions stand in the envelope and are sent after the messages.',
    advice: 'Nothing to do.',
  },
  'reactions.some-enveloped': {
    outcome: 'changed',
    summary:
      'Reactions of people who are not in the channel, without people or with a key that is too long stand in the envelope alone.',
    advice: inEnvelope,
  },
  'edit.enveloped': {
    outcome: 'changed',
    summary: 'The message was edited at the source; who and when stands in the envelope.',
    advice: inEnvelope,
  },
  'blocks.enveloped': {
    outcome: 'changed',
    summary: 'Blocks, attachments or embeds stand in the envelope.',
    advice: inEnvelope,
  },
  'envelope.cut': {
    outcome: 'changed',
    summary: 'The envelope would be too long; the parts that it names as dropped are not carried.',
    advice: byHand,
  },
  'token.removed': {
    outcome: 'changed',
    summary: 'A URL carried a token, which was removed.',
    advice:
      'The URL alone opens nothing to somebody who is not signed in at the source. Move the files before that ends.',
  },
  'file.listed': {
    outcome: 'changed',
    summary: 'A file became a line of text, because decisions.yaml says so or its sender cannot send files.',
    advice: 'Set files.urls in decisions.yaml.',
  },
  'file.omitted': {
    outcome: 'changed',
    summary: 'A file became a line of text, and its URL was not carried.',
    advice: 'Set files.urls in decisions.yaml.',
  },
  'file.no-url': {
    outcome: 'changed',
    summary: 'The export has no URL for a file, which became a line of text.',
    advice: 'The file was deleted, or the plan of the source hides it.',
  },
  'file.in-export': {
    outcome: 'changed',
    summary: 'The bytes of a file are only in the export, so the message shows its name.',
    advice: 'Run chatform files to copy them, then convert again.',
  },
  'file.copied': {
    outcome: 'changed',
    summary: 'The message has the URL of a copy of the file, from conversion/file-urls.ndjson.',
    advice: 'Nothing to do.',
  },
  'file.not-copied': {
    outcome: 'left_out',
    summary: 'The bytes of the file are only in the export, and no copy of them exists.',
    advice: 'Run chatform files, then convert again, or accept that they stay behind.',
  },
  'file.broken-bytes': {
    outcome: 'left_out',
    summary: 'The bytes of the file cannot be read, or they are not the ones that were packed.',
    advice: byHand,
  },
  'file.left-out': {
    outcome: 'left_out',
    summary: 'The message of the file was left out, and the file with it.',
    advice: 'See the message in conversion/files.ndjson and in the ledger.',
  },
  'sender.unknown': {
    outcome: 'changed',
    summary: 'The export does not list the sender, who was declared as a deactivated user.',
    advice: 'Write users.unknown: leave_out in decisions.yaml to leave such messages out.',
  },
  'sender.none': {
    outcome: 'changed',
    summary: 'The message has no sender and became an admin message.',
    advice: 'Nothing to do.',
  },
  'sender.bot': {
    outcome: 'changed',
    summary: 'A message of a bot became an admin message, as decisions.yaml says.',
    advice: 'Write users.bots: declare in decisions.yaml to keep bots as users.',
  },
  'message.system': {
    outcome: 'changed',
    summary: 'A message of the source about the channel became an admin message.',
    advice: 'Nothing to do.',
  },
  'message.join': {
    outcome: 'changed',
    summary: 'A join or leave became a silent admin message.',
    advice: 'Write messages.joins: leave_out in decisions.yaml to leave them out.',
  },
  'message.join-left-out': {
    outcome: 'left_out',
    summary: 'A join or leave was left out, as decisions.yaml says.',
    advice: 'Write messages.joins: admin_message to carry them.',
  },
  'message.sender-left-out': {
    outcome: 'left_out',
    summary: 'The sender was left out, and the message with them.',
    advice: 'Change users or left_out.users in decisions.yaml to carry it.',
  },
  'message.channel-left-out': {
    outcome: 'left_out',
    summary: 'The channel was left out, and the message with it.',
    advice: 'See the channel in the ledger.',
  },
  'message.unknown-channel': {
    outcome: 'left_out',
    summary: 'The export does not list the channel of the message, or two channels share the folder it lies in.',
    advice: 'Write folders: {NAME: CHANNEL_ID} in decisions.yaml to say whose folder it is.',
  },
  'message.canvas': {
    outcome: 'left_out',
    summary: 'A comment on a canvas, which belongs to no channel.',
    advice: 'The platform has no canvases. The comment is in the export.',
  },
  'message.too-long': {
    outcome: 'left_out',
    summary: 'The text is longer than a message may be, and was left out as decisions.yaml says.',
    advice: 'Write messages.long_texts: split in decisions.yaml to carry it.',
  },
  'message.time-given': {
    outcome: 'changed',
    summary: 'The message has no time and was given that of decisions.yaml.',
    advice: 'Nothing to do.',
  },
  'message.no-time': {
    outcome: 'left_out',
    summary: 'The message has no time, or one that the platform cannot hold.',
    advice: 'Write missing_time: 2024-01-01T00:00:00Z in decisions.yaml to give those without one that time.',
  },
  'message.event': {
    outcome: 'left_out',
    summary: 'The line tells of a change to another message and is no message itself.',
    advice: 'The other message stands in the export as it was last.',
  },
  'message.deleted': {
    outcome: 'left_out',
    summary: 'The message was deleted at the source.',
    advice: 'Nothing to do.',
  },
  'message.repeated': {
    outcome: 'left_out',
    summary: 'The same message stands in the export more than once; the first is carried.',
    advice: 'Nothing to do.',
  },
  'message.superseded': {
    outcome: 'left_out',
    summary: 'An export that was taken later and converted earlier covers the time and does not have the message.',
    advice: 'Nothing to do, unless this export is the later one: then convert it again with --taken TIME.',
  },
  'part.orphan': {
    outcome: 'left_out',
    summary: 'It belongs to an object that the export does not hold, or that was left out.',
    advice: byHand,
  },
  'object.not-carried': {
    outcome: 'left_out',
    summary: 'The platform has nothing of this kind: logs of integrations, devices, polls, emoji, bans.',
    advice: 'Set them up again in the new application where they are needed.',
  },
  'object.repeated': {
    outcome: 'left_out',
    summary: 'The export has another name for the same id; that of the latest export, or the first, is carried.',
    advice: 'Nothing to do, unless the other name is right: then correct the export.',
  },
  'object.broken': {
    outcome: 'left_out',
    summary: 'It does not have the form that the source writes.',
    advice: byHand,
  },
  'row.required': {
    outcome: 'left_out',
    summary: 'A column that the mapping needs for an id, a channel or a user is empty, missing or of another type.',
    advice: 'Correct the mapping or the row, or accept that it is left out.',
  },
  'row.repeated': {
    outcome: 'left_out',
    summary: 'A row before it has the same id; the first is carried.',
    advice: 'Write repeats: true in the mapping where several rows describe one object.',
  },
  'row.unmapped': {
    outcome: 'left_out',
    summary: 'No entry of the mapping takes the row.',
    advice: 'Look at the conditions under where, or accept that such rows are left out.',
  },
  'row.lookup': {
    outcome: 'left_out',
    summary: 'The row is of a table in which other rows are looked up, and becomes nothing by itself.',
    advice: 'Nothing to do.',
  },
  'row.value-dropped': {
    outcome: 'changed',
    summary: 'A value of the row has another type than its field takes, or cannot be computed, and was not carried.',
    advice:
      'Correct the value under this field in the mapping: chatform convert table --sample shows what rows become.',
  },
  'file.broken-json': {
    outcome: 'left_out',
    summary: 'A file of the export is not valid JSON in UTF-8; what it holds is not known.',
    advice: 'Export that day again, or accept that its messages are missing.',
  },
  'file.unknown': {
    outcome: 'left_out',
    summary: 'A file of the export is of no known kind.',
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

/** Reasons by which something is missing that people decided to leave out, or that says nothing. */
export const decidedReasons: ReadonlySet<ReasonCode> = new Set([
  'user.left-out',
  'channel.left-out',
  'message.join-left-out',
  'message.sender-left-out',
  'message.too-long',
  'file.left-out',
  'message.superseded',
  'object.repeated',
  // Nothing is missing with these.
  'row.lookup',
  'file.empty',
  'file.clutter',
]);
