// Decides how the files of messages are declared, and lists all files of a series of exports.

import type { FileFigures, FileHost } from '../../core/model/conversion.ts';
import type { HistoryFileNames } from '../../core/model/migration/history-names.ts';
import { digestText } from '../../lib/digest.ts';
import { compareText, type JsonObject, parsedObject } from '../../lib/json.ts';
import type { NewFiles } from '../../lib/new-files.ts';
import type { Turns } from '../../lib/turns.ts';
import { NameTable } from '../../lib/typed-arrays.ts';
import { type EarlierConversion, historyFileLinesOf } from './earlier-conversion.ts';
import type { SourceFile, SourceMessage } from './export/items.ts';
import { linesOfFile } from './export/lines.ts';
import type { ReasonCode } from './export/reasons.ts';
import { expiryOf, needsLogin, safeId, safePlace, scrub } from './export/urls.ts';
import { type Bytes, placeIn, relativePlace, TreePaths } from './file-bytes.ts';
import type { FileCopies } from './file-copies.ts';
import type { LedgerEntry } from './ledger.ts';

/** Relative to the manifest folder. */
export const fileListFile = 'conversion/files.ndjson';

/**
 * How to get a file: from the export, from a URL with a login, from a URL that was signed or had a token, from a URL that seems
 * to be public, or not at all.
 */
type Access = 'export' | 'login' | 'signed' | 'open' | 'none';

/** A file of a message. */
export interface MessageFile {
  readonly file: SourceFile;
  /** The URL without its query, and a digest in its place if it tells files apart, or the place in the export as the source writes it. */
  readonly from: string | undefined;
  /** The path in the tree, if the export contains the file. */
  readonly path: string | undefined;
  /** Without its query. */
  readonly url: string | undefined;
  /** Whether its query was removed. */
  readonly isCut: boolean;
  readonly access: Access;
  /** Unix milliseconds. */
  readonly expires: number | undefined;
  /** The URL of the copy. */
  readonly copy: string | undefined;
}

interface MessageFilesInput {
  /** Files that the source does not read, by path in the tree. */
  readonly bytes: ReadonlyMap<string, Bytes>;
  readonly copies: FileCopies;
  readonly files: NewFiles;
  readonly historyFileNames: HistoryFileNames;
  readonly earlier: EarlierConversion;
  /** The name of the export, which tells its files from those of other exports. */
  readonly exportName: string;
}

/** The outcome of the message of a file in the export. */
type Use = { readonly to: string; readonly line: number; readonly isCopied: boolean } | 'left_out';

type HostCounts = { -readonly [Name in keyof Omit<FileHost, 'host' | 'last_end'>]: number } & {
  /** Unix milliseconds. */
  lastEnd: number | undefined;
};

const none: readonly MessageFile[] = [];

export class MessageFiles {
  readonly #input: MessageFilesInput;
  readonly #paths: TreePaths;
  /** The first kept message with the file, by path in the tree. */
  readonly #uses = new Map<string, Use>();
  #rows = 0;
  /** The rows of this export by `keyOf`. */
  readonly #keys = new NameTable();
  /** The dedup_ids in complete history files, by file. */
  readonly #messages = new Map<string, NameTable>();
  readonly #counts: Record<Access | 'copied', number> = { export: 0, login: 0, signed: 0, open: 0, none: 0, copied: 0 };
  readonly #hosts = new Map<string, HostCounts>();
  #lastEnd: number | undefined;

  constructor(input: MessageFilesInput) {
    this.#input = input;
    this.#paths = new TreePaths(input.bytes.keys());
  }

  /** `reader` is the file of the export that contains the message. */
  of({ files }: SourceMessage, reader: string): readonly MessageFile[] {
    return files.length === 0 ? none : files.map((file) => this.#found(file, reader));
  }

  /**
   * Adds the files of a message to the list. `entry` is the ledger entry of the message, and `sent` are files that are messages. Of a
   * copy of another message, only files that the other one does not have.
   */
  list(
    { facts, time }: SourceMessage,
    channel: string | undefined,
    found: readonly MessageFile[],
    entry: LedgerEntry,
    sent: ReadonlySet<SourceFile>,
    isCopy: boolean,
  ): void {
    const { to, line } = entry;
    const isCarried = to !== undefined && line !== undefined;
    for (const foundFile of found) {
      const { path, copy, access } = foundFile;
      const of = {
        channel: channel ?? null,
        message: facts.id,
        id: foundFile.file.id,
        from: foundFile.from ?? path ?? null,
      };
      if (isCopy && this.#keys.find(keyOf(of)) !== undefined) continue;
      const isCopied = isCarried && copy !== undefined;
      if (isCarried) this.#counts[isCopied ? 'copied' : access] += 1;
      if (isCarried && access === 'signed' && !isCopied) this.#lastEnd = later(this.#lastEnd, foundFile.expires);
      if (isCarried) this.#countHost(foundFile, isCopied);
      const isKnown = path !== undefined && typeof this.#uses.get(path) === 'object';
      if (path !== undefined && !isKnown) this.#uses.set(path, isCarried ? { to, line, isCopied } : 'left_out');
      const as = !isCarried ? 'left_out' : sent.has(foundFile.file) ? 'file' : 'text';
      this.#append({
        ...(foundFile.from === undefined ? {} : { from: foundFile.from }),
        ...(channel === undefined ? {} : { channel }),
        message: facts.id,
        ...(Number.isNaN(time) ? {} : { time }),
        ...described(foundFile),
        ...this.#bytesOf(path),
        export: this.#input.exportName,
        access,
        ...(foundFile.expires === undefined ? {} : { expires_at: isoOf(foundFile.expires) }),
        as,
        ...(isCopied ? { to: copy } : {}),
      });
    }
  }

  /** The ledger line of a file in the export; undefined if no message refers to the file. */
  entryOf(path: string): Pick<LedgerEntry, 'reasons' | 'to' | 'line'> | undefined {
    const use = this.#uses.get(path);
    if (use === undefined) return undefined;
    if (use === 'left_out') return { reasons: ['file.left-out'] };
    const { to, line, isCopied } = use;
    if (isCopied) return { reasons: ['file.copied'], to, line };
    const bytes = this.#input.bytes.get(path);
    const reason: ReasonCode = bytes !== undefined && 'problem' in bytes ? 'file.broken-bytes' : 'file.not-copied';
    return { reasons: [reason] };
  }

  /**
   * Completes the list with the files of earlier exports. Called when the history files are complete. `dropped` are the channel_urls of
   * channels that are left out after all. `hasSuperseded`: a more recent export lacks some messages of this one.
   */
  async end(dropped: ReadonlySet<string>, hasSuperseded: boolean, turns: Turns): Promise<FileFigures> {
    this.#keepEarlier((row) => row.message !== undefined);
    const { exportName } = this.#input;
    for (const [path, { bytes }] of this.#input.bytes) {
      if (this.#uses.has(path)) continue;
      const name = path.split('/').at(-1) ?? path;
      const place = { id: path, name, size: bytes, path, ...this.#bytesOf(path), export: exportName };
      if (this.#keys.find(bytesKeyOf(place)) === undefined) this.#append({ ...place, access: 'export', as: 'unused' });
    }
    this.#keepEarlier((row) => row.message === undefined);
    if (this.#rows > 0 && (dropped.size > 0 || hasSuperseded)) {
      const { files } = this.#input;
      const isOut = (row: JsonObject): boolean =>
        (typeof row.channel === 'string' && dropped.has(row.channel)) || (hasSuperseded && this.#isGone(row));
      await files.rewrite(fileListFile, leftOut(files.pathOf(fileListFile), isOut), turns);
    }
    const { copied, export: exported, login, signed, open, none: missing } = this.#counts;
    const files = copied + exported + login + signed + open + missing;
    const last = this.#lastEnd === undefined ? {} : { lastEnd: isoOf(this.#lastEnd) };
    const hosts = Array.from(this.#hosts, ([host, { lastEnd, ...counts }]): FileHost => {
      return { host, ...counts, ...(lastEnd === undefined ? {} : { last_end: isoOf(lastEnd) }) };
    });
    hosts.sort((left, right) => right.files - left.files || compareText(left.host, right.host));
    return { files, copied, exported, login, signed, open, missing, ...last, hosts };
  }

  #found(exported: SourceFile, reader: string): MessageFile {
    const { url, path: written = url, id } = exported;
    // Sources may write a URL in any field.
    const file = { ...exported, id: safeId(id), name: scrub(exported.name) };
    const safe = url === undefined ? undefined : safePlace(url);
    const place = safe === undefined && written !== undefined ? relativePlace(written) : undefined;
    const path = place === undefined ? undefined : placeIn(this.#paths, place, reader);
    const from = safe?.key ?? place;
    const bytes = path === undefined ? undefined : this.#input.bytes.get(path);
    const copy = from === undefined ? undefined : this.#input.copies.get(from);
    // Two exports may have different files at the same place.
    const isOther = bytes !== undefined && 'sha256' in bytes && (copy?.sha256 ?? bytes.sha256) !== bytes.sha256;
    const expires = url === undefined ? undefined : expiryOf(url);
    const isCut = safe?.isCut === true;
    return {
      file,
      from,
      path,
      url: safe?.url,
      isCut,
      access: accessOf({ path, url: safe?.url, isSigned: isCut || expires !== undefined }),
      expires,
      copy: isOther ? undefined : copy?.to,
    };
  }

  #bytesOf(path: string | undefined): JsonObject {
    const bytes = path === undefined ? undefined : this.#input.bytes.get(path);
    if (bytes === undefined) return {};
    return 'sha256' in bytes ? { sha256: bytes.sha256 } : { problem: bytes.problem };
  }

  #countHost({ url, file, path, access, expires }: MessageFile, isCopied: boolean): void {
    if (url === undefined || !URL.canParse(url)) return;
    const { host } = new URL(url);
    const counts = this.#hosts.get(host) ?? { files: 0, bytes: 0, copied: 0, login: 0, signed: 0, lastEnd: undefined };
    this.#hosts.set(host, counts);
    counts.files += 1;
    counts.bytes += file.size ?? (path === undefined ? 0 : (this.#input.bytes.get(path)?.bytes ?? 0));
    if (isCopied) counts.copied += 1;
    else if (access === 'login' || access === 'signed') counts[access] += 1;
    if (!isCopied && access === 'signed') counts.lastEnd = later(counts.lastEnd, expires);
  }

  /** Keeps rows that this export does not have. The files of a message that was deleted are not to be copied. */
  #keepEarlier(isMeant: (row: JsonObject) => boolean): void {
    for (const row of this.#input.earlier.rows(fileListFile)) {
      if (isMeant(row) && this.#keys.find(keyOf(row)) === undefined)
        this.#append(this.#isGone(row) ? asLeftOut(row) : row);
    }
  }

  /** Whether the file was to be sent with a message that no history file has. */
  #isGone({ channel, message, as }: JsonObject): boolean {
    if (as !== 'file' && as !== 'text') return false;
    const file = this.#input.historyFileNames.find(String(channel));
    if (file === undefined) return true;
    const messages = this.#messages.get(file) ?? messagesIn(this.#input.files.pathOf(file));
    this.#messages.set(file, messages);
    return messages.find(String(message)) === undefined;
  }

  #append(row: JsonObject): void {
    this.#rows += 1;
    this.#keys.add(keyOf(row));
    if (row.path !== undefined) this.#keys.add(bytesKeyOf(row));
    this.#input.files.append(fileListFile, `${JSON.stringify(row)}\n`);
  }
}

/** Either may be undefined. */
function later(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.max(left, right);
}

function accessOf({
  path,
  url,
  isSigned,
}: {
  readonly path: string | undefined;
  readonly url: string | undefined;
  readonly isSigned: boolean;
}): Access {
  if (path !== undefined) return 'export';
  if (url === undefined) return 'none';
  if (needsLogin(url)) return 'login';
  return isSigned ? 'signed' : 'open';
}

function described(found: MessageFile): JsonObject {
  const { file, path, url: safe } = found;
  const { name, url, size, type } = file;
  return {
    id: file.id,
    name,
    ...(size === undefined ? {} : { size }),
    ...(type === undefined ? {} : { type }),
    ...(path === undefined ? {} : { path }),
    ...(safe === undefined || url === undefined ? {} : { url: safe, url_sha256: digestText(url) }),
  };
}

function isoOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

/** Equal for two rows of one file, in whatever exports. A file without a message is identified by its bytes. */
function keyOf(row: JsonObject): string {
  const { channel, message, id, from, path } = row;
  return message === undefined ? bytesKeyOf(row) : JSON.stringify([channel, message, id, from ?? path]);
}

function bytesKeyOf({ path, sha256 }: JsonObject): string {
  return JSON.stringify([path, sha256]);
}

/** The dedup_ids in a history file. */
function messagesIn(historyFile: string): NameTable {
  const messages = new NameTable();
  for (const { text } of historyFileLinesOf(historyFile)) {
    const { dedup_id: id } = parsedObject(text) ?? {};
    if (typeof id === 'string') messages.add(id);
  }
  return messages;
}

function asLeftOut({ to: _copy, ...row }: JsonObject): JsonObject {
  return { ...row, as: 'left_out' };
}

/** Rewrites the list with the outcome of files whose message is left out after all. */
function* leftOut(file: string, isOut: (row: JsonObject) => boolean): Generator<string> {
  for (const { text = '' } of linesOfFile(file)) {
    const row = JSON.parse(text) as JsonObject;
    yield isOut(row) ? `${JSON.stringify(asLeftOut(row))}\n` : `${text}\n`;
  }
}
