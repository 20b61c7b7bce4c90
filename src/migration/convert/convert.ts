// Converts an export: reads the items of a source once, in their order, and writes history files, objects and the ledger.

import type { AssumedLater, NoLongerThere, UserKinds } from '../../core/model/conversion.ts';
import { HistoryFileNames } from '../../core/model/migration/history-names.ts';
import type { FileTree } from '../../lib/file-tree.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Collect } from '../../lib/series.ts';
import type { StagedFiles } from '../../lib/staging/staged-files.ts';
import { Turns } from '../../lib/turns.ts';
import { NameTable } from '../../lib/typed-arrays.ts';
import { Channels, type DeclaredChannel } from './channels.ts';
import { Continuation } from './continuation.ts';
import { Converter, type WrittenConversion } from './converter.ts';
import { coverageFile, coverageText, printedTime } from './coverage-file.ts';
import type { WrongDecision } from './decision-checks.ts';
import type { Decisions, Proposals, RenameProposal } from './decisions.ts';
import type { EarlierConversion } from './earlier-conversion.ts';
import { Coverage, type TimeRange } from './export/coverage.ts';
import type { SourceItem } from './export/items.ts';
import type { DroppedField, ExportFields } from './export/look-at-fields.ts';
import { isClutter } from './export/parts.ts';
import { decidedReasons, type ReasonCode, reasons } from './export/reasons.ts';
import { safeItem, safeRoster } from './export/safe-ids.ts';
import type { OpenExport } from './export/source.ts';
import { bytesOfFiles, looseFiles } from './file-bytes.ts';
import type { FileCopies } from './file-copies.ts';
import type { Identities } from './identities.ts';
import { MessageFiles } from './message-files.ts';
import { SourceRenames } from './renames.ts';
import { Users } from './users.ts';

export interface ConversionInput {
  /** `slack`, as in decisions. */
  readonly source: string;
  /** The name of the export: of its folder or file, or of several. */
  readonly name: string;
  /** Whether ids at the source change with names. */
  readonly idsAreNames: boolean;
  /** Whether ids of people at the source are names or addresses. */
  readonly idsArePersonal: boolean;
  /** Whether an id of the source says nothing about its user. */
  readonly isOpaqueId: (sourceId: string) => boolean;
  /** Whether exports of the source list all users, channels and members. */
  readonly listsEverybody: boolean;
  /** All files of the export, including those that the source does not read. */
  readonly tree: Pick<FileTree, 'files' | 'unread' | 'stream'>;
  readonly opened: OpenExport;
  /** What the source says about the fields of rows. */
  readonly fields: ExportFields;
  readonly decisions: Decisions;
  readonly files: StagedFiles;
  readonly earlier: EarlierConversion;
  readonly identities: Identities | undefined;
  /** The times that the export covers, as stated on the command line. */
  readonly covers: TimeRange | undefined;
  /** When the export was taken, as stated on the command line, in Unix milliseconds. */
  readonly takenAt: number | undefined;
  /** The longest text that the application accepts, in Unicode code points. */
  readonly messageLength: number;
  readonly collect: Collect;
  /** URLs of copied files. */
  readonly copies: FileCopies;
  /** Called after every batch. */
  onProgress?(bytes: number, items: number): void;
}

/** Times of the first and last message of the export, and the times stated for it. */
interface Covered {
  readonly first: number;
  readonly last: number;
  readonly declared: TimeRange | undefined;
}

/** Nothing was converted because renames have to be confirmed first. */
export interface Undecided {
  readonly renamed: readonly RenameProposal[];
  readonly wrong?: undefined;
}

/** Nothing was converted because decisions name users whom no export lists. */
export interface Misdecided {
  readonly wrong: readonly WrongDecision[];
  readonly renamed?: undefined;
}

export interface Conversion extends WrittenConversion {
  readonly renamed?: undefined;
  readonly wrong?: undefined;
  readonly kinds: UserKinds;
  readonly users: Iterable<readonly [string, JsonObject]>;
  readonly channels: readonly DeclaredChannel[];
  readonly covered: Covered | undefined;
  readonly identities: Identities['figures'] | undefined;
  /** Set if a more recent export was already converted: the number of messages that it changed or no longer has. */
  readonly older: { readonly newest: number; readonly superseded: number } | undefined;
  readonly assumedLater: AssumedLater | undefined;
  readonly noLongerThere: NoLongerThere;
  readonly proposals: Proposals;
  readonly notes: readonly string[];
  /** Reasons for omissions that nobody has decided on. */
  readonly undecided: readonly ReasonCode[];
  /** Fields that the source declares as needless. */
  readonly droppedFields: readonly DroppedField[];
}

/** Part of the export cannot be read, so messages may be missing. */
const brokenReasons: ReadonlySet<ReasonCode> = new Set(['file.broken-json', 'object.broken']);

export async function convert(input: ConversionInput): Promise<Conversion | Undecided | Misdecided> {
  const { source, tree, opened, decisions, earlier, files: staged, collect, onProgress } = input;
  const isWhole = input.listsEverybody && opened.lacksPeople !== true;
  const kept = isWhole ? undefined : earlier;
  const roster = safeRoster(opened.roster);
  const users = new Users(roster.users, decisions, input, input.identities, kept);
  const channels = new Channels(roster.channels, users, decisions, kept);
  const { covers: declared, takenAt } = input;
  const coverage = new Coverage({
    declared,
    takenAt,
    isWhole,
    isPartial: opened.isPartial === true,
    windows: opened.windows ?? new Map(),
  });
  const historyFileNames = new HistoryFileNames(earlier.historyFileFiles);
  const removed = opened.isPartial === true ? new NameTable() : undefined;
  const continuation = new Continuation({
    historyFileNames,
    earlier,
    coverage,
    users,
    channels,
    decisions,
    isWhole,
    removed,
  });
  const renames = input.idsAreNames ? new SourceRenames(roster, decisions, earlier) : undefined;
  const bytes = await bytesOfFiles(tree, looseFiles(tree, opened.files), (size) => onProgress?.(size, 0));
  const messageFiles = new MessageFiles({
    bytes,
    copies: input.copies,
    files: staged,
    historyFileNames,
    earlier,
    exportName: input.name,
  });
  const converter = new Converter({
    source,
    users,
    channels,
    decisions,
    coverage,
    collect,
    renames,
    messageFiles,
    messageLength: input.messageLength,
    files: staged,
    historyFileNames,
    removed,
  });
  const accounted = new Set<string>();
  input.fields.restart();
  for await (const { items, bytes, file, window = '' } of opened.read()) {
    let count = 0;
    coverage.enter(window);
    for (const item of items) {
      converter.take(safeItem(item), file);
      if (item.type === 'left_out' && brokenReasons.has(item.reason)) coverage.noteBroken();
      count++;
    }
    if (count > 0) accounted.add(file);
    onProgress?.(bytes, count);
  }
  const others = filesWithoutLine(tree, opened.files, accounted, (path) => converter.takeFile(path));
  for (const item of others) converter.take(item, item.at);
  const unknownFields = input.fields.unknown();
  for (const field of unknownFields) converter.takeField(field);
  const renamed = renames?.proposals(coverage.extent) ?? [];
  if (renamed.length > 0) return { renamed };
  const wrong = [...users.wrongOwners(earlier)];
  if (wrong.length > 0) return { wrong };
  const written = await converter.end(earlier, continuation, new Turns(() => onProgress?.(0, 0)));
  const keptChannels = [...continuation.channels()];
  const keptUsers = [...continuation.users(keptChannels)];
  const urls = new Map(channels.urls());
  staged.append(coverageFile, coverageText(earlier, coverage, urls, users.unlistedBots()));
  const missing = written.tally.reasons.map(({ code }) => code).filter((code) => reasons[code].outcome === 'left_out');
  const undecided = missing.filter((code) => !decidedReasons.has(code));
  const allUsers = [...continuation.declaredUsers(), ...keptUsers];
  const allChannels = [...continuation.declaredChannels(), ...keptChannels];
  const assumed = continuation.assumedLater(allUsers, allChannels);
  const { newest } = coverage.takenOf(undefined);
  return {
    ...written,
    kinds: { ...users.kinds, kept: keptUsers.length },
    users: allUsers,
    channels: allChannels,
    covered: coverage.extent === undefined ? undefined : { ...coverage.extent, declared: input.covers },
    identities: input.identities?.figures,
    older: continuation.isOlder ? { newest, superseded: continuation.superseded } : undefined,
    assumedLater: assumed && { ...assumed, newest: printedTime(newest) },
    noLongerThere: continuation.noLongerThere(keptUsers.length, keptChannels.length),
    proposals: {
      userIds: users.ids(),
      channelUrls: channels.urls(),
      undecided: undecided.filter((code) => code !== 'field.unknown'),
      unknownFields,
      renamed,
    },
    notes: [...users.notes(), ...(opened.notes?.() ?? [])],
    undecided: undecided.filter((code) => !decisions.accepted.has(code)),
    droppedFields: input.fields.dropped(),
  };
}

// Ensures that each file of an export has a line in the ledger, including files that the source does not read.

/**
 * Records each file without a line. `read` are the paths of the files that the source reads, `accounted` those that have lines, and
 * `isTaken` records files of messages.
 */
function* filesWithoutLine(
  tree: Pick<FileTree, 'files' | 'unread'>,
  read: readonly string[],
  accounted: ReadonlySet<string>,
  isTaken: (path: string) => boolean,
): Generator<SourceItem> {
  const readPaths = new Set(read);
  const reasonOf = (path: string): ReasonCode =>
    isClutter(path) ? 'file.clutter' : readPaths.has(path) ? 'file.empty' : 'file.unknown';
  for (const { path } of tree.files) {
    if (!accounted.has(path) && !isTaken(path)) yield leftOut(path, reasonOf(path));
  }
  for (const path of tree.unread) yield leftOut(path, 'file.link');
}

function leftOut(path: string, reason: ReasonCode): SourceItem {
  return { type: 'left_out', at: path, id: path, reason };
}
