// Converts the objects and messages of an export, one by one, and writes history files and the ledger.

import type { FileFigures, Losses, ThreadFigures } from '../../core/model/conversion.ts';
import type { HistoryFileNames } from '../../core/model/migration/history-names.ts';
import { isMessageTime } from '../../core/model/migration/message-times.ts';
import { isObject, isUnusableText, type JsonObject, type JsonValue, usableText } from '../../lib/json.ts';
import type { NewFiles } from '../../lib/new-files.ts';
import type { Collect } from '../../lib/series.ts';
import type { Turns } from '../../lib/turns.ts';
import type { NameTable } from '../../lib/typed-arrays.ts';
import type { Channels, ConvertedChannel } from './channels.ts';
import type { Continuation } from './continuation.ts';
import type { Decisions } from './decisions.ts';
import type { EarlierConversion } from './earlier-conversion.ts';
import { editTimeOf } from './edits.ts';
import type { Coverage } from './export/coverage.ts';
import type { SourceFile, SourceItem, SourceMessage } from './export/items.ts';
import type { UnknownField } from './export/look-at-fields.ts';
import type { ReasonCode } from './export/reasons.ts';
import { scrub } from './export/urls.ts';
import { HistoryFiles } from './history-files.ts';
import { historyFileLines } from './history-lines.ts';
import { Ledger, type LedgerEntry, type LedgerTally } from './ledger.ts';
import type { MessageFile, MessageFiles } from './message-files.ts';
import { withUserIds } from './personal-ids.ts';
import { MessagePlaces } from './places.ts';
import type { SourceRenames } from './renames.ts';
import { splitText } from './split-text.ts';
import type { ThreadRules } from './threads.ts';
import type { Users } from './users.ts';

interface ConverterInput {
  /** `slack`, as in decisions. */
  readonly source: string;
  readonly users: Users;
  readonly channels: Channels;
  readonly decisions: Decisions;
  readonly coverage: Coverage;
  readonly files: NewFiles;
  readonly historyFileNames: HistoryFileNames;
  readonly messageFiles: MessageFiles;
  /** The longest text of a message in code points. */
  readonly messageLength: number;
  readonly renames: SourceRenames | undefined;
  readonly collect: Collect;
  /** Gets the ids of messages that are left out. Undefined unless the export is partial. */
  readonly removed: NameTable | undefined;
}

export interface WrittenConversion {
  readonly historyFiles: number;
  /** The patterns under `sources` that match the history files. */
  readonly historyFilePatterns: readonly string[];
  /** Lines in all history files. */
  readonly messages: number;
  /** By channel_url. */
  readonly messagesOf: ReadonlyMap<string, number>;
  /** The user_ids of senders by channel_url. Without history files that have reactions or lines of earlier conversions. */
  readonly sendersOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tally: LedgerTally;
  readonly losses: Losses;
  /** Undefined unless replies are sent as such. */
  readonly threads?: ThreadFigures;
  /** Messages whose place among others of their millisecond only the file says. */
  readonly unordered: number;
  readonly fileFigures: FileFigures;
}

/** Characters of a reaction's key (platform §6.2). */
const maxReactionKey = 192;

export class Converter {
  readonly #input: ConverterInput;
  readonly #users: Users;
  readonly #channels: Channels;
  readonly #historyFiles: HistoryFiles;
  readonly #ledger: Ledger;
  readonly #losses: { -readonly [Name in keyof Losses]: number } = {
    threads: 0,
    reactions: 0,
    edits: 0,
    files: 0,
    fileBytes: 0,
  };
  /** Channels that can be recorded only after all messages have been read. */
  readonly #open: { readonly number: number; readonly entry: LedgerEntry; readonly id: string }[] = [];
  /** Whether the last message is a copy of the one before. */
  #isCopy = false;
  /** Positions of messages that later rows of the source refer to. */
  readonly #places = new MessagePlaces();

  constructor(input: ConverterInput) {
    this.#input = input;
    this.#users = input.users;
    this.#channels = input.channels;
    this.#historyFiles = new HistoryFiles(input.files, input.historyFileNames, input.collect);
    this.#ledger = new Ledger(input.files);
  }

  /** `file` is the file of the export that contains the item. */
  take(item: SourceItem, file: string): void {
    switch (item.type) {
      case 'message':
        this.#takeMessage(item.at, item.message, file);
        return;
      case 'user':
        this.#ledger.add(withReasons(this.#users.entry(item.at, this.#id(item.id), item.id, item.name), item.reasons));
        return;
      case 'channel':
        this.#channel(item);
        return;
      case 'part':
        this.#ledger.add(this.#part(item));
        return;
      case 'left_out':
        this.#input.removed?.add(this.#id(item.id));
        this.#ledger.add({
          at: item.at,
          id: this.#id(item.id),
          reasons: [item.reason],
          ...(item.rows === undefined ? {} : { rows: item.rows }),
        });
        return;
    }
  }

  /** Records a field that the source does not declare. */
  takeField({ kind, name, rows, decision, isPrivate }: UnknownField): void {
    const at = `${kind}.${name}`;
    this.#ledger.add({
      at,
      id: this.#id(at),
      reasons: [
        decision === 'undecided' ? 'field.unknown' : 'field.decided',
        ...(isPrivate ? (['field.private'] as const) : []),
      ],
      rows,
    });
  }

  /** Records a file that the source does not read. Returns false if no message refers to the file. */
  takeFile(path: string): boolean {
    const entry = this.#input.messageFiles.entryOf(path);
    if (entry !== undefined) this.#ledger.add({ at: path, id: this.#id(path), ...entry });
    return entry !== undefined;
  }

  /** `continuation` has the parts of the previous conversion that this one keeps. */
  async end(earlier: EarlierConversion, continuation: Continuation, turns: Turns): Promise<WrittenConversion> {
    await continuation.scan(this.#input.files, turns);
    for (const { number, entry, id } of this.#open) {
      const final = this.#channels.entry(entry.at, entry.id, id);
      this.#ledger.correct(number, entry, final);
    }
    const dropped = [...this.#channels.dropped()];
    for (const url of continuation.historyFiles) if (!dropped.includes(url)) this.#historyFiles.keep(url);
    const ids = new Map([...this.#channels.urls()].map(([id, url]) => [url, id]));
    const moved = await this.#historyFiles.end(
      dropped,
      earlier,
      (url) => continuation.rulesOf(url),
      (url, origin, time) => this.#input.coverage.hasLater(ids.get(url) ?? '', origin, time),
      turns,
    );
    const isSent = this.#input.decisions.messages.threads === 'send';
    const threads = isSent ? await this.#historyFiles.placeReplies(this.#threadRules(ids), turns) : undefined;
    await this.#ledger.end(moved, new Set(dropped.map((url) => `messages.${url}`)), turns);
    return {
      fileFigures: await this.#input.messageFiles.end(new Set(dropped), continuation.superseded > 0, turns),
      historyFiles: this.#historyFiles.count,
      historyFilePatterns: this.#historyFiles.patterns,
      messages: this.#historyFiles.messages,
      messagesOf: this.#historyFiles.lines,
      sendersOf: this.#historyFiles.senders,
      tally: this.#ledger.tally,
      losses: this.#losses,
      ...(threads === undefined ? {} : { threads }),
      unordered: this.#historyFiles.undecided,
    };
  }

  /** `ids`: the ids of the source by channel_url. */
  #threadRules(ids: ReadonlyMap<string, string>): (channelUrl: string) => ThreadRules {
    const declared = new Map([...this.#channels.declared()].map((channel) => [channel.url, channel]));
    return (channelUrl) => {
      const { kind, attributes = {} } = declared.get(channelUrl) ?? {};
      const { members, muted, banned } = attributes;
      const isListed = (people: JsonValue | undefined, id: string): boolean =>
        isObject(people) && Object.hasOwn(people, id);
      const isJoined = (id: string): boolean => {
        const member = isObject(members) ? members[id] : undefined;
        return isObject(member) && member.invitation_status === undefined;
      };
      return {
        prefix: this.#id(`${ids.get(channelUrl) ?? ''}:`),
        canSend: (id) => !isListed(muted, id) && !isListed(banned, id) && (kind === 'open_channel' || isJoined(id)),
      };
    };
  }

  #id(id: string): string {
    return `${this.#input.source}:${id}`;
  }

  #channel({ at, id: sourceId, name, reasons }: Extract<SourceItem, { type: 'user' | 'channel' }>): void {
    const id = this.#id(sourceId);
    const channel = this.#channels.get(sourceId);
    if (channel?.senders === undefined || channel.leftOut !== undefined) {
      this.#ledger.add(withReasons(this.#channels.entry(at, id, sourceId, name), reasons));
      return;
    }
    const to = `group_channel.${channel.url}`;
    const entry: LedgerEntry = { at, id, reasons: ['channel.members-from-senders'], to };
    this.#open.push({ number: this.#ledger.add(entry), entry, id: sourceId });
  }

  #part({ at, id, of, reason, reasons = [] }: Extract<SourceItem, { type: 'part' }>): LedgerEntry {
    const name = this.#id(id);
    const allReasons = reason === undefined ? reasons : [reason, ...reasons];
    if (of.type === 'message') {
      const place = this.#places.get(of.id);
      return place === undefined
        ? { at, id: name, reasons: [this.#input.removed === undefined ? 'part.orphan' : 'part.not-read'] }
        : { at, id: name, reasons: allReasons, ...place };
    }
    const userId = of.type === 'user' ? this.#users.mentioned(of.id) : undefined;
    const channel = of.type === 'channel' ? this.#channels.get(of.id) : undefined;
    if (userId !== undefined) return { at, id: name, reasons: allReasons, to: `user.${userId}` };
    if (channel === undefined || channel.leftOut !== undefined) return { at, id: name, reasons: ['part.orphan'] };
    return { at, id: name, reasons: allReasons, to: this.#channels.addressOf(channel) };
  }

  #takeMessage(at: string, message: SourceMessage, file: string): void {
    const { messageFiles } = this.#input;
    const found = messageFiles.of(message, file);
    const sent = found.length === 0 ? noneSent : new Set<SourceFile>();
    this.#isCopy = false;
    const entry = this.#message(at, message, found, sent);
    if (entry.to === undefined) this.#input.removed?.add(entry.id);
    this.#ledger.add(entry);
    if (found.length === 0) return;
    const url = this.#channels.get(message.channel)?.url;
    messageFiles.list(message, url, found, entry, sent, this.#isCopy);
  }

  /** Adds files that become separate messages to `sent`. */
  #message(at: string, message: SourceMessage, found: readonly MessageFile[], sent: Set<SourceFile>): LedgerEntry {
    const { id } = message.facts;
    const leaveOut = (reason: ReasonCode): LedgerEntry => ({ at, id, reasons: [reason] });
    const { decisions, coverage } = this.#input;
    const { kind, facts } = message;
    const isTimeMissing = facts.time === null && decisions.missingTime !== undefined;
    const time = isTimeMissing ? (decisions.missingTime ?? 0) : message.time;
    const hasTime = isMessageTime(time);
    if (hasTime && !isTimeMissing) coverage.note(message.channel, time, editTimeOf(facts.edited));
    const channel = this.#channels.get(message.channel);
    if (channel === undefined) return leaveOut('message.unknown-channel');
    if (channel.leftOut !== undefined) return leaveOut('message.channel-left-out');
    if (channel.source.native?.is_ephemeral === true) return leaveOut('message.not-stored');
    if (!hasTime) return leaveOut(Number.isFinite(time) ? 'message.time-out-of-range' : 'message.no-time');
    if (kind === 'join' && decisions.messages.joins === 'leave_out') return leaveOut('message.join-left-out');
    if (message.isRestricted === true && decisions.messages.restricted === 'leave_out')
      return leaveOut('message.restricted');
    for (const person of message.people ?? []) this.#users.meet(person);
    const codes: ReasonCode[] = message.isRestricted === true ? ['message.restriction-lost'] : [];
    const sender =
      facts.sender === undefined ? undefined : this.#users.sender(facts.sender, message.stranger ?? person);
    if (sender?.type === 'left_out') return leaveOut('message.sender-left-out');
    if (isTimeMissing) codes.push('message.time-given');
    if (kind !== 'message') codes.push(kind === 'join' ? 'message.join' : 'message.system');
    else if (sender === undefined) codes.push('sender.none');
    else if (sender.type === 'admin') codes.push('sender.bot');
    else codes.push(...sender.reasons);
    const userId = sender?.type === 'user' && kind === 'message' ? sender.userId : undefined;
    const { postedAs } = message;
    if (userId !== undefined && postedAs !== undefined && postedAs !== this.#users.nameOf(facts.sender ?? ''))
      codes.push('sender.other-name');
    if (sender?.type === 'user') channel.senders?.add(sender.userId);

    const { kept, texts } = this.#filesOf(found, userId !== undefined, codes, sent);
    let text = texts.length === 0 ? message.text : [message.text, ...texts].filter((part) => part !== '').join('\n');
    if (text === '' && kept.length === 0) {
      text = `[${scrub(facts.type ?? 'no text')}]`;
      codes.push('text.empty');
    } else if (message.text !== facts.text) codes.push('text.markup');
    const shown = usableText(text);
    if (shown !== text) codes.push('text.characters');
    const parts = shown === '' ? [] : splitText(shown, this.#input.messageLength);
    if (parts.length > 1) {
      if (decisions.messages.long_texts === 'leave_out') return leaveOut('message.too-long');
      codes.push('text.split');
    }
    const reactions = this.#reactions(channel, message, codes);
    this.#noteFacts(message, codes);
    const mentions =
      message.mentions.length === 0
        ? message.mentions
        : [...new Set(message.mentions.flatMap((id) => this.#users.mentioned(id) ?? []))];
    const decided = { time, userId, parts, files: kept, mentions, reactions };
    const { lines, isCut, isScrubbed } = historyFileLines(withUserIds(message, this.#users), decided);
    if (isCut) codes.push('envelope.cut');
    if (isScrubbed) codes.push('token.removed');
    const place = this.#historyFiles.add(channel.url, id, decided, lines, coverage.origin);
    if (isAnswer(message)) this.#historyFiles.noteReply(channel.url);
    const line = Math.abs(place);
    if (place < 0) this.#isCopy = true;
    this.#input.renames?.note(facts.sender, message.channel, lines[0] ?? '');
    const to = channel.historyFile;
    if (message.rowId !== undefined) this.#places.set(message.rowId, { to, line });
    return { at, id, reasons: unique(codes), to, line, lines: lines.length };
  }

  #noteFacts({ facts, reasons: sourceReasons }: SourceMessage, codes: ReasonCode[]): void {
    if (isAnswer({ facts })) {
      codes.push(this.#input.decisions.messages.threads === 'send' ? 'thread.sent' : 'thread.enveloped');
      this.#losses.threads += 1;
    }
    if (facts.reactions !== undefined) {
      if (this.#input.decisions.messages.reactions === 'envelope') codes.push('reactions.enveloped');
      for (const { users } of facts.reactions) this.#losses.reactions += users.length;
    }
    if (facts.edited !== undefined) {
      codes.push('edit.enveloped');
      this.#losses.edits += 1;
    }
    codes.push(...sourceReasons);
  }

  /** By key, the user_ids of those who can react. The first line of a message has them. */
  #reactions(channel: ConvertedChannel, { facts }: SourceMessage, codes: ReasonCode[]): JsonObject | undefined {
    if (this.#input.decisions.messages.reactions !== 'send' || facts.reactions === undefined) return undefined;
    const byKey = new Map<string, Set<string>>();
    let isWhole = true;
    for (const { name, users, count } of facts.reactions) {
      const ids = users.flatMap((user) => this.#users.mentioned(user) ?? []);
      const able = ids.filter((id) => this.#channels.hasReactor(channel, id));
      const isFit = name !== '' && [...name].length <= maxReactionKey && !isUnusableText(name);
      const all = typeof count === 'number' ? Math.max(count, users.length) : users.length;
      if (able.length < all || !isFit) isWhole = false;
      if (isFit && able.length > 0) byKey.set(name, new Set([...(byKey.get(name) ?? []), ...able]));
    }
    if (!isWhole) codes.push('reactions.some-enveloped');
    if (byKey.size === 0) return undefined;
    codes.push('reactions.sent');
    return Object.fromEntries([...byKey].map(([key, ids]) => [key, [...ids].sort()]));
  }

  /** Splits files into those that become separate messages and those that become lines of text. */
  #filesOf(
    found: readonly MessageFile[],
    canSend: boolean,
    codes: ReasonCode[],
    sent: Set<SourceFile>,
  ): { readonly kept: readonly SourceFile[]; readonly texts: readonly string[] } {
    if (found.length === 0) return nothing;
    const { urls } = this.#input.decisions.files;
    const kept: SourceFile[] = [];
    const texts: string[] = [];
    for (const { file, path, url: ownUrl, isCut, copy } of found) {
      this.#losses.files += 1;
      this.#losses.fileBytes += file.size ?? 0;
      const isCopied = copy !== undefined && urls === 'keep';
      const url = isCopied ? copy : ownUrl;
      if (isCopied) codes.push('file.copied');
      else if (isCut) codes.push('token.removed');
      if (url === undefined) codes.push(path === undefined ? 'file.no-url' : 'file.in-export');
      else if (urls === 'keep' && canSend) {
        const { name, type = '' } = file;
        if ([name, type, url].some(isUnusableText)) codes.push('text.characters');
        kept.push({ ...file, name: usableText(name), type: usableText(type), url: usableText(url) });
        sent.add(file);
        continue;
      } else if (urls === 'omit') codes.push('file.omitted');
      else if (!isCopied) codes.push('file.listed');
      texts.push(isCopied ? `[File: ${file.name}] ${copy}` : `[File: ${file.name}]`);
    }
    return { kept, texts };
  }
}

function isAnswer({ facts: { thread, reply_to: answered } }: Pick<SourceMessage, 'facts'>): boolean {
  return thread !== undefined || answered !== undefined;
}

/** Does not repeat reasons, and adds none to an entry that is left out. */
function withReasons(entry: LedgerEntry, more: readonly ReasonCode[] = []): LedgerEntry {
  return more.length === 0 || entry.to === undefined
    ? entry
    : { ...entry, reasons: unique([...entry.reasons, ...more]) };
}

// Only messages with files repeat a code, so allocate a set for those alone.
function unique(codes: readonly ReasonCode[]): readonly ReasonCode[] {
  return codes.every((code, place) => codes.indexOf(code) === place) ? codes : [...new Set(codes)];
}

const person = { isBot: false } as const;
const nothing = { kept: [], texts: [] } as const;
const noneSent = new Set<SourceFile>();
