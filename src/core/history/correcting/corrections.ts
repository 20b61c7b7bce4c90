// Drafts calls for sent lines of a history file that changed, and for new lines before sent ones, called late (semantics §7).

import type { StepDraft } from '../../kinds/definition/kind.ts';
import { platformCode } from '../../model/platform-codes.ts';
import { defaultMessagesPolicy, type MessagesPolicy } from '../../model/policy.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { Search } from '../../model/request.ts';
import {
  endsQuietly,
  type HistoryFile,
  identitiesFrom,
  type LineBlock,
  marksFrom,
  writerOf,
} from '../lines/history-file.ts';
import { unknownMark, withUnknownPart } from '../lines/line-mark.ts';
import type { PlannedLines } from '../lines/range.ts';
import { LineBlocks } from '../sending/line-blocks.ts';
import { searchForTarget, type Target, targetOf } from '../sending/message-search.ts';
import { messagesRoute, migrationCall, searchOf } from '../sending/requests.ts';
import { CallEdits } from '../sent/call-edits.ts';
import type { Differences, PendingReply, SentLine } from '../sent/differences.ts';
import { editsByWord } from '../sent/edited-lines.ts';
import { arraysSent, pathOfCall, printCall, type RecordedCall, type SentHistoryFile } from '../sent/recorded-calls.ts';

export interface Correcting {
  readonly channel: string;
  readonly params: Readonly<Record<string, string>>;
  readonly sent: SentHistoryFile;
  readonly differences: Differences;
  readonly policy: MessagesPolicy | undefined;
}

export interface Corrections {
  readonly drafts: StepDraft[];
  readonly calls: number;
  /** Whether the platform has or had messages that are in no line of the history file. */
  readonly isChanged: boolean;
  /** The replies to send. */
  readonly replies: readonly PendingReply[];
  /** For the further edits of the recorded calls. */
  readonly edits: CallEdits;
  /** The senders of inserted lines and of replies, as indexes into the file's `senders`. */
  readonly lateSenders: ReadonlySet<number>;
}

export function correctionDrafts(historyFile: HistoryFile, correcting: Correcting): Corrections {
  const { differences, policy = defaultMessagesPolicy, sent } = correcting;
  const { edited, gone, late, replies, unsure } = differences;
  const corrector = new Corrector(historyFile, correcting);
  const { update: updated } = editsByWord(edited, policy);
  for (const { line, was } of updated) corrector.update(line, was);
  if (policy.deleted === 'delete') corrector.eraseAll(gone);
  const again = [...unsure, ...updated.filter(({ was }) => was.isUnsure)];
  corrector.insert([
    ...again.filter(({ line }) => !corrector.isReply(line)),
    ...(policy.late === 'insert' ? late.map((line) => ({ line })) : []),
  ]);
  const pending = [...replies.map((line) => ({ line })), ...again.filter(({ line }) => corrector.isReply(line))];
  for (const { line } of pending) corrector.noteSender(line);
  return {
    drafts: corrector.drafts,
    calls: sent.calls.length + corrector.inserted,
    isChanged: corrector.isChanged,
    replies: pending,
    edits: corrector.edits,
    lateSenders: corrector.lateSenders,
  };
}

class Corrector {
  readonly drafts: StepDraft[] = [];
  readonly lateSenders = new Set<number>();
  inserted = 0;
  readonly isChanged: boolean;
  readonly #lines: LineBlocks;
  readonly #correcting: Correcting;
  readonly edits: CallEdits;
  /** By identity, the lines not yet sent, those whose outcome is unknown, and those whose edits are not drafted yet. */
  readonly #late = new Map<string, number[]>();
  readonly #unsure = new Map<string, number[]>();
  readonly #edited = new Map<string, number[]>();
  /** By identity, the sent lines that are edited or gone, until the first call for one of them. */
  readonly #changing = new Map<string, ChangingLine[]>();
  /** By identity, the number of messages without a line that are not deleted yet. */
  readonly #gone = new Map<string, number>();

  constructor(historyFile: HistoryFile, correcting: Correcting) {
    this.#lines = new LineBlocks(historyFile);
    this.#correcting = correcting;
    const { sent, differences } = correcting;
    this.edits = new CallEdits(sent.calls);
    this.isChanged = sent.isChanged || differences.edited.length + differences.gone.length > 0;
    for (const unsent of [...differences.late, ...differences.replies]) this.#note(this.#late, unsent);
    for (const { line: unsure } of differences.unsure) this.#note(this.#unsure, unsure);
    for (const { line: edited, was } of differences.edited) {
      this.#note(was.isUnsure ? this.#unsure : this.#edited, edited);
    }
    const { update: updated, keep, refuse } = editsByWord(differences.edited, correcting.policy);
    const changing = [...updated.map(({ was }) => was), ...differences.gone].map((was) => ({ was, mark: unknownMark }));
    // Lines that stay as they were sent differ in the same part afterwards, so the policy says the same of them.
    const staying = [...keep, ...refuse].map(({ was, part }) => ({
      was,
      mark: withUnknownPart(was.mark, part),
    }));
    for (const line of [...changing, ...staying]) {
      const { identity } = line.was;
      this.#changing.set(identity, [...(this.#changing.get(identity) ?? []), line]);
    }
    for (const { identity } of differences.gone) this.#gone.set(identity, (this.#gone.get(identity) ?? 0) + 1);
  }

  #note(lines: Map<string, number[]>, line: number): void {
    const identity = this.#lines.identityOf(line);
    const alike = lines.get(identity);
    if (alike === undefined) lines.set(identity, [line]);
    else alike.push(line);
  }

  isReply(line: number): boolean {
    const number = this.#lines.blockOf(line);
    const { replies = {} } = this.#lines.block(number);
    return Object.hasOwn(replies, String(line - this.#lines.startOf(number)));
  }

  noteSender(line: number): void {
    const number = this.#lines.blockOf(line);
    const sender = writerOf(this.#lines.block(number), line - this.#lines.startOf(number));
    if (sender !== undefined) this.lateSenders.add(sender);
  }

  update(line: number, was: SentLine): void {
    const { channel, params } = this.#correcting;
    const number = this.#lines.blockOf(line);
    const block = this.#lines.block(number);
    const place = line - this.#lines.startOf(number);
    const [from, to] = this.#lines.sharingTime(number);
    const only = line - this.#lines.startOf(from);
    if (!was.isUnsure) removeFrom(this.#edited.get(was.identity), line);
    const search = this.#search(block, was, [from, to], { only: [only] }, was.isUnsure, this.#gone.get(was.identity));
    const hasArrays = block.arrays?.includes(place) === true;
    const changesArrays = this.#lines.haveArrays || this.#correcting.sent.hasArrays;
    const unsettled = this.#unsettle(was, changesArrays ? 1 : 2);
    if (changesArrays) this.#changeArrays(search, unsettled, hasArrays);
    this.edits.mark(was, marksFrom(block.marks, place, place + 1));
    const noted = changesArrays ? [was.call] : [was.call, ...unsettled];
    this.drafts.push({
      action: 'update',
      phase: 'messages',
      request: { method: 'PUT', route: `${messagesRoute(channel)}/{message_id}`, params },
      edits: [...this.edits.edits(noted), changed],
      begin: true,
      search,
    });
  }

  /**
   * The first call for an identity may change the message of any of its lines that are edited or gone. So none of them counts as
   * sent until its own call. Returns the recorded calls of these lines, or none if there are fewer than `least`.
   */
  #unsettle({ identity }: SentLine, least: number): readonly number[] {
    const lines = this.#changing.get(identity) ?? [];
    this.#changing.delete(identity);
    if (lines.length < least) return [];
    for (const { was, mark } of lines) this.edits.mark(was, mark);
    return lines.map(({ was }) => was.call);
  }

  /** State does not know which sent lines had meta arrays, so they are looked for if any line has or had some. */
  #changeArrays(search: Search, unsettled: readonly number[], hasArrays: boolean): void {
    const target = targetOf(search);
    if (target === undefined) return;
    const { channel, params } = this.#correcting;
    const route = `${messagesRoute(channel)}/{message_id}/sorted_metaarray`;
    const draft = (method: 'DELETE' | 'POST', metaArrays: 'remove' | 'add', edits: RecordEdit[]): StepDraft => ({
      action: 'update',
      phase: 'messages',
      request: { method, route, params },
      edits,
      begin: true,
      search: searchForTarget(search, { ...target, metaArrays }),
    });
    this.drafts.push({
      ...draft('DELETE', 'remove', [...this.edits.edits(unsettled), changed]),
      doneOn: [platformCode.notFound],
    });
    if (hasArrays) this.drafts.push(draft('POST', 'add', [changed, arraysSent]));
  }

  eraseAll(gone: readonly SentLine[]): void {
    for (const was of gone) {
      const most = this.#gone.get(was.identity) ?? 1;
      this.#gone.set(was.identity, most - 1);
      this.#erase(was, most);
    }
  }

  #erase(was: SentLine, most: number): void {
    const { channel, params } = this.#correcting;
    const unsettled = this.#unsettle(was, 2);
    const call = this.edits.call(was.call);
    const mark = marksFrom(call.marks, was.place, was.place + 1);
    const [from, to] = this.#lines.within(call);
    this.edits.lose(was);
    this.drafts.push({
      action: 'erase',
      phase: 'messages',
      request: { method: 'DELETE', route: `${messagesRoute(channel)}/{message_id}`, params },
      edits: [...this.edits.edits([was.call, ...unsettled]), changed],
      begin: true,
      doneOn: [platformCode.notFound],
      search: this.#search(call, { ...was, mark }, [from, to], {}, true, most),
    });
  }

  /**
   * Drafts one call for each block, which checks which of the lines have arrived and sends the others. A line that may have
   * been sent before is recorded with this call from then on.
   */
  insert(lines: readonly { readonly line: number; readonly was?: SentLine }[]): void {
    const { params } = this.#correcting;
    const byBlock = new Map<number, (typeof lines)[number][]>();
    for (const planned of [...lines].sort((planned, right) => planned.line - right.line)) {
      const number = this.#lines.blockOf(planned.line);
      const ofBlock = byBlock.get(number);
      if (ofBlock === undefined) byBlock.set(number, [planned]);
      else ofBlock.push(planned);
    }
    for (const [number, ofBlock] of byBlock) {
      const block = this.#lines.block(number);
      const places = ofBlock.map(({ line }) => line - this.#lines.startOf(number));
      const [from, to] = this.#lines.sharingTime(number);
      const only = ofBlock.map(({ line }) => line - this.#lines.startOf(from));
      const before = ofBlock.flatMap(({ was }) => was ?? []);
      const lines = this.#lines.lines(this.#key, [from, to], this.#correcting.differences.known);
      const later = this.#lateBehind(number, from, lines.count);
      const isDistinguished = this.isChanged || this.#hasRepeat(ofBlock, from, lines);
      const search = searchOf(block, this.#correcting.channel, params, this.isChanged);
      for (const was of before) this.edits.lose(was);
      for (const { line } of ofBlock) this.noteSender(line);
      this.drafts.push({
        action: 'migrate',
        phase: 'messages',
        request: migrationCall(params, {}, { ...lines, only, ...(isDistinguished ? { call: this.#nextCall } : {}) }),
        edits: [
          this.#inserted(block, places),
          ...(places.some((place) => block.arrays?.includes(place)) ? [arraysSent] : []),
          ...this.edits.edits(before.map(({ call }) => call)),
        ],
        begin: true,
        search: { ...search, unsure: true, isApart: true, ...(later.length === 0 ? {} : { content: { later } }) },
      });
      this.inserted += 1;
    }
  }

  /**
   * Whether any of these lines may be a repeat of another line, or its first one. With another order, a late line of one likeness
   * would have the dedup_id of a message that is there. A likeness includes the identity.
   */
  #hasRepeat(planned: readonly { readonly line: number }[], from: number, { repeats = {} }: PlannedLines): boolean {
    const start = this.#lines.startOf(from);
    const repeated = new Set(Object.keys(repeats).map((place) => this.#lines.identityOf(start + Number(place))));
    return planned.some(({ line }) => repeated.has(this.#lines.identityOf(line)));
  }

  /**
   * Returns late lines in the blocks after `number`, and replies that are sent afterwards, as indexes from the first line of the
   * block `from`.
   */
  #lateBehind(number: number, from: number, count: number): number[] {
    const start = this.#lines.startOf(from);
    const end = Math.min(this.#lines.startOf(number + 1), start + count);
    const { late, replies } = this.#correcting.differences;
    const between = (lines: readonly number[], first: number): readonly number[] =>
      lines.filter((line) => line >= first && line < start + count);
    return [...between(late, end), ...between(replies, start)].map((line) => line - start);
  }

  #inserted(block: LineBlock, places: readonly number[]): RecordEdit {
    const { first, last, marks, identities } = block;
    const joined = (text: string, cut: typeof marksFrom): string =>
      places.map((place) => cut(text, place, place + 1)).join('');
    const call: RecordedCall = {
      marks: joined(marks, marksFrom),
      identities: joined(identities, identitiesFrom),
      first,
      last,
      isUnsure: false,
      isQuiet: endsQuietly(block, places.at(-1) ?? -1),
    };
    return { op: 'set', path: pathOfCall(this.#nextCall), value: printCall(call) };
  }

  get #key(): string {
    return this.#correcting.params.channel_url ?? '';
  }

  get #nextCall(): number {
    return this.#correcting.sent.calls.length + this.inserted;
  }

  #search(
    { first, last }: Pick<LineBlock, 'first' | 'last'>,
    { identity, mark }: SentLine,
    [from, to]: readonly [from: number, to: number],
    ofBlock: Pick<PlannedLines, 'only'>,
    mayBeAbsent: boolean,
    most?: number,
  ): Search {
    const start = this.#lines.startOf(from);
    // Lines after the known ones were not sent yet.
    const lines = { ...this.#lines.lines(this.#key, [from, to], this.#correcting.differences.known), ...ofBlock };
    const places = (among: ReadonlyMap<string, readonly number[]>): number[] =>
      (among.get(identity) ?? [])
        .map((line) => line - start)
        .filter((place) => place >= 0 && place < lines.count && ofBlock.only?.includes(place) !== true);
    const [late, unsure, edited] = [places(this.#late), places(this.#unsure), places(this.#edited)];
    const { channel, params } = this.#correcting;
    const target: Target = {
      identity,
      mark,
      lines,
      ...(late.length === 0 ? {} : { late }),
      ...(unsure.length === 0 ? {} : { unsure }),
      ...(edited.length === 0 ? {} : { edited }),
      ...(most === undefined ? {} : { most }),
      ...(mayBeAbsent ? { mayBeAbsent } : {}),
    };
    return searchForTarget(searchOf({ first, last }, channel, params), target);
  }
}

function removeFrom(lines: number[] | undefined, line: number): void {
  const at = lines?.indexOf(line) ?? -1;
  if (at >= 0) lines?.splice(at, 1);
}

/** A sent line, and its fingerprint while a call for another line of its identity may have changed its message. */
interface ChangingLine {
  readonly was: SentLine;
  readonly mark: string;
}

/** Notes in state that the platform has or had a message that is not in the history file. */
const changed: RecordEdit = { op: 'set', path: ['changed'], value: true };
