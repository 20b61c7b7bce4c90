// Finds and reads the history files that blocks of channels or patterns declare (semantics §7).
import { dirname, join, resolve } from 'node:path';
import { compareText, isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { isInside } from '../../../lib/paths.ts';
import type { Collect, Series } from '../../../lib/series.ts';
import type { Suggestions } from '../../../lib/suggestions.ts';
import { type HistoryFileWithMarks, historyFileValue } from '../../history/lines/history-file.ts';
import { markAttributes, reactorsOf } from '../../history/lines/marked-lines.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { MetaArrayLimits } from '../../model/limits.ts';
import type { Resource } from '../../model/resource.ts';
import type { Declarations } from '../checks/declarations.ts';
import { checkRestrictedEffect, type PolicyRestrictions } from '../checks/restrictions.ts';
import type { ChildDeclaration } from '../document/block.ts';
import { spotOfPath } from '../document/block-spots.ts';
import { fileIn } from '../document/declared-block.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { findNamedFile, leavesFolder } from '../files/named-file.ts';
import { reasonOf } from '../files/read-failure.ts';
import type { Problems, Spot } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import { type ChannelWithHistory, faultsOf, firstIds } from './history-faults.ts';
import { readHistoryFile } from './history-file.ts';

/** `messages:` in the block of a channel, or one file that a pattern under `sources` matches. */
export interface DeclaredHistoryFile {
  readonly channel: ChannelWithHistory;
  /** As written, relative to the manifest. */
  readonly file: string;
  readonly manifest: ManifestFile;
  readonly mark_as_read?: JsonValue;
  /** `send` or `flat`, the default. */
  readonly threads?: JsonValue;
  /** Whether a pattern matches the file. Then it may be empty, if all messages of an earlier export were removed. */
  readonly isOfPattern?: boolean;
  readonly spot: Spot;
}

/** One reading of one file. */
export interface HistoryFileReading {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** Differs after every change of the file. */
  readonly version: string;
  /** The time of the last change in Unix milliseconds. */
  readonly changedAt: number;
  readonly linesOfBlock: number;
  /** Whether lines with a parent are sent as replies. */
  readonly threads: boolean;
  /** The most characters of a text that the reading accepts. */
  readonly messageLength: number;
  readonly metaArrays?: MetaArrayLimits | undefined;
}

/** A cache of history files that earlier loads read from files that have not changed since. */
export interface KnownHistoryFiles {
  /** Returns the cached history file, if there is one. */
  recall(reading: HistoryFileReading): HistoryFileWithMarks | undefined;
  /** Called for history files without problems, which the cache may keep or ignore. */
  keep(reading: HistoryFileReading, historyFile: HistoryFileWithMarks): void;
}

export interface HistoryFileContext {
  readonly cwd: string;
  readonly files: FileAccess;
  readonly problems: Problems;
  readonly suggestions: Suggestions;
  /** The application's limit of messages in one call. */
  readonly messagesPerCall: number;
  /** The application's limit of characters in a text. */
  readonly messageLength: number;
  /** The application's limits of meta arrays, if they are declared. */
  readonly metaArrays?: MetaArrayLimits | undefined;
  /** Whether the user is declared, external by the policy, or possibly in a part that could not be read. */
  isUser(id: string): boolean;
  /** Where `removed` lists the user, as it is printed. */
  removedAt?(id: string): string | undefined;
  /** Results of earlier loads. */
  readonly known?: KnownHistoryFiles;
  /** Stores the history files. A million messages take a few megabytes. */
  readonly collect: Collect;
}

/** Messages in one migration call, unless support raised it (base, Other limits). */
export const maxMessagesPerCall = 100;

const historyFilesKind = 'messages';

/** The number of history files read in parallel: one is read from the disk while the other is checked. */
const historyFilesAtOnce = 2;

/** Returns the history file that a channel's block names. */
export function historyFileIn({ block, value, attributes, name }: ChildDeclaration): DeclaredHistoryFile[] {
  if (!isObject(value) || typeof value.file !== 'string') return [];
  const { kind, key } = block;
  return [
    {
      channel: { kind: kind.name, key, attributes },
      file: value.file,
      manifest: fileIn(block, name),
      ...sendingOf(value),
      spot: spotOfPath(block, [name], 'key'),
    },
  ];
}

/** Returns what a declaration says about how the messages are sent. */
function sendingOf({ mark_as_read, threads }: JsonObject): Pick<DeclaredHistoryFile, 'mark_as_read' | 'threads'> {
  return { ...(mark_as_read === undefined ? {} : { mark_as_read }), ...(threads === undefined ? {} : { threads }) };
}

/** Returns resources sorted by address. History files with errors are reported and left out. */
export async function readHistoryFiles(
  declared: readonly DeclaredHistoryFile[],
  context: HistoryFileContext,
): Promise<Series<Resource>> {
  const byAddress = new Map<Address, DeclaredHistoryFile>();
  for (const historyFile of declared) {
    const address = addressOf(historyFilesKind, historyFile.channel.key);
    if (byAddress.has(address)) {
      const detail = `The channel ${historyFile.channel.key} already has a history file. Put all messages of the channel into one file, sorted by time.`;
      context.problems.add('manifest.history-twice', detail, historyFile.spot);
    } else byAddress.set(address, historyFile);
  }
  const resources = context.collect<Resource>();
  const take = (resource: Resource | undefined): void => {
    if (resource !== undefined) resources.push(resource);
  };
  const pending: Promise<Resource | undefined>[] = [];
  for (const [address, historyFile] of [...byAddress].sort(([left], [right]) => compareText(left, right))) {
    if (pending.length === historyFilesAtOnce) take(await pending.shift());
    pending.push(readOne(address, historyFile, context));
  }
  for (const resource of await Promise.all(pending)) take(resource);
  return resources.end();
}

async function readOne(
  address: Address,
  { channel, file, manifest, mark_as_read, threads, isOfPattern, spot }: DeclaredHistoryFile,
  context: HistoryFileContext,
): Promise<Resource | undefined> {
  const { problems } = context;
  if (channel.attributes.is_ephemeral === true) {
    const detail = `${channel.kind}.${channel.key} is declared with is_ephemeral: true. The platform stores no messages in an ephemeral channel, so there is nothing to migrate. Remove the history file, or declare a channel that is not ephemeral.`;
    problems.add('manifest.history-ephemeral', detail, spot);
    return undefined;
  }
  const hasReaders = checkReaders(channel, mark_as_read, spot, context);
  const namedFile = await findNamedFile(file, manifest, context.cwd, context.files);
  if (namedFile.type === 'problem') {
    problems.add(namedFile.code, namedFile.detail, spot);
    return undefined;
  }
  const content = await contentOf(namedFile.path, namedFile.name, threads === 'send', context);
  if (content === undefined) return undefined;
  const { marks = {}, ...historyFile } = content;
  const faults = faultsOf(channel, historyFile, marks);
  for (const { code, detail } of faults) problems.add(code, `${namedFile.name} ${detail}`, spot);
  if (faults.length > 0 || !hasReaders) return undefined;
  if (historyFile.messages === 0 && isOfPattern !== true) {
    const detail = `${namedFile.name} is empty. Remove the history file if the channel has no history.`;
    problems.add('manifest.history-empty', detail, spot, 'warning');
  }
  return {
    address,
    attributes: {
      channel: channel.kind,
      history: historyFileValue(historyFile),
      ...markAttributes(marks),
      ...(mark_as_read === undefined
        ? {}
        : { mark_as_read: isList(mark_as_read) ? sorted(mark_as_read) : mark_as_read }),
    },
    lifecycle: {},
    source: spot.source.position(spot.offset),
  };
}

/** Returns the cached history file, or reads the file. The cache is not used if senders are undeclared, so that their lines are reported. */
async function contentOf(
  path: string,
  shown: string,
  threads: boolean,
  context: HistoryFileContext,
): Promise<HistoryFileWithMarks | undefined> {
  const { files, known: behaviours, messagesPerCall, problems, isUser } = context;
  const before = behaviours === undefined ? undefined : await readingOf(path, threads, context);
  const recalled = before === undefined ? undefined : behaviours?.recall(before);
  const people = recalled === undefined ? [] : [...recalled.senders, ...reactorsOf(recalled.marks ?? {})];
  if (recalled !== undefined && people.every((id) => isUser(id))) return { ...recalled, file: shown };
  const chunks = files.readChunks(path);
  const { historyFile, hasRemarks } = await readHistoryFile(
    { file: shown, chunks, threads },
    messagesPerCall,
    context,
    problems,
  );
  const isSame = before !== undefined && (await readingOf(path, threads, context))?.version === before.version;
  if (historyFile !== undefined && !hasRemarks && isSame) behaviours?.keep(before, historyFile);
  return historyFile;
}

async function readingOf(
  path: string,
  threads: boolean,
  { files, messagesPerCall, messageLength, metaArrays }: HistoryFileContext,
): Promise<HistoryFileReading | undefined> {
  // Errors are reported when the content is read.
  const { version, changedAt } = (await files.stat(path).catch(() => undefined)) ?? {};
  if (version === undefined || changedAt === undefined) return undefined;
  return { path, version, changedAt, linesOfBlock: messagesPerCall, threads, messageLength, metaArrays };
}

function sorted(ids: readonly JsonValue[]): string[] {
  return ids.filter((id): id is string => typeof id === 'string').sort();
}

/** Only members have read receipts, so open channels have none (platform §6.1). */
function checkReaders(
  channel: ChannelWithHistory,
  readers: JsonValue | undefined,
  spot: Spot,
  { problems, isUser }: HistoryFileContext,
): boolean {
  if (readers === undefined) return true;
  const refuse = (detail: string): false => {
    problems.add('manifest.history-readers', detail, spot);
    return false;
  };
  if (channel.kind !== 'group_channel') {
    return refuse('mark_as_read applies only to group channels, because open channels have no members. Remove it.');
  }
  if (!isList(readers)) return true;
  const members = mapOf(channel.attributes, 'members');
  const others = sorted(readers).filter((id) => !Object.hasOwn(members, id) || !isUser(id));
  if (others.length === 0) return true;
  return refuse(
    `mark_as_read names ${firstIds(others)}, who ${others.length === 1 ? 'is' : 'are'} not declared as a member of ${channel.kind}.${channel.key}. List members only.`,
  );
}

/** Returns the history files that patterns under `sources` match, each with its channel. */
export async function historyFilesOfSources(
  documents: readonly ManifestDocument[],
  declarations: Declarations,
  {
    problems,
    files,
    cwd,
    restrictions,
  }: Pick<HistoryFileContext, 'problems' | 'files' | 'cwd'> & { readonly restrictions: PolicyRestrictions | undefined },
): Promise<DeclaredHistoryFile[]> {
  const historyFiles: DeclaredHistoryFile[] = [];
  for (const document of documents) {
    const { sources } = document.outline;
    for (const [index, item] of (isList(sources) ? sources : []).entries()) {
      if (!isObject(item) || typeof item.file !== 'string') continue;
      if (item.kind !== 'messages') {
        for (const name of Object.keys(sendingOf(item))) {
          const spot = spotIn(document, ['sources', String(index), name], 'key');
          problems.add('manifest.unknown-key', `${name} applies only to kind: messages. Remove it.`, spot);
        }
        continue;
      }
      const spot = spotIn(document, ['sources', String(index), 'file']);
      const { file: pattern } = item;
      const matches = await filesOfPattern(pattern, document.file, files).catch((error: unknown) => {
        const detail = `The folder of ${quoted(pattern)} cannot be read: ${reasonOf(error)}. Paths are relative to the manifest.`;
        problems.add('manifest.file-missing', detail, spot);
      });
      if (matches === 'outside') {
        problems.add('manifest.leaves-folder', leavesFolder(pattern, document.file, cwd), spot);
        continue;
      }
      const orphans: string[] = [];
      for (const { file, channelUrl } of matches ?? []) {
        const channel = channelNamed(channelUrl, declarations);
        if (channel === undefined) orphans.push(file);
        else {
          historyFiles.push({ channel, file, manifest: document.file, ...sendingOf(item), isOfPattern: true, spot });
          if (restrictions === undefined) continue;
          const effect = {
            file: document.file.name,
            address: addressOf(channel.kind, channelUrl),
            fields: ['messages'],
          };
          checkRestrictedEffect(effect, restrictions, problems, spot);
        }
      }
      reportOrphans(orphans, problems, spot);
      if (matches?.length === 0) {
        const detail = `No file matches ${quoted(pattern)}. Paths are relative to the manifest.`;
        problems.add('manifest.file-missing', detail, spot);
      }
    }
  }
  return historyFiles;
}

function channelNamed(url: string, declarations: Declarations): ChannelWithHistory | undefined {
  for (const kind of ['group_channel', 'open_channel']) {
    const resource = declarations.find(kind, url);
    if (resource !== undefined) return { kind, key: url, attributes: resource.attributes };
  }
  return undefined;
}

function reportOrphans(files: readonly string[], problems: Problems, spot: Spot): void {
  if (files.length === 0) return;
  const detail = `No manifest declares the channels of ${firstIds(files)}. Declare a channel with that channel_url, or move the file away.`;
  problems.add('manifest.history-channel', detail, spot);
}

const channelPlaceholder = '{channel_url}';

/** Returns the files that a pattern such as `history/{channel_url}.ndjson` matches, with the channel_url of each. */
async function filesOfPattern(
  pattern: string,
  manifest: ManifestFile,
  files: FileAccess,
): Promise<readonly { readonly file: string; readonly channelUrl: string }[] | 'outside'> {
  const folder = dirname(pattern);
  const path = resolve(dirname(manifest.path), folder);
  if (!isInside(manifest.root, path) || !isInside(manifest.root, await files.realPath(path))) return 'outside';
  const [before = '', after = ''] = pattern.slice(folder === '.' ? 0 : folder.length + 1).split(channelPlaceholder);
  const entries = await files.listFolder(path);
  return entries
    .filter(({ name, type }) => type !== 'folder' && name.startsWith(before) && name.endsWith(after))
    .map(({ name }) => ({
      file: join(folder, name),
      channelUrl: name.slice(before.length, name.length - after.length),
    }))
    .filter(({ channelUrl }) => channelUrl !== '')
    .sort((left, right) => compareText(left.file, right.file));
}
