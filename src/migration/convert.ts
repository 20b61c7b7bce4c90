// Converts an export of another system into manifests, history files, a ledger and a report in a folder.

import { basename, join } from 'node:path';
import { asUnwritable, unwritable } from '../core/app/context/output-files.ts';
import { underOutputLock } from '../core/app/context/output-lock.ts';
import { temporarySpool } from '../core/app/context/this-process.ts';
import { manifestText, objectsNode, settingsNode } from '../core/manifest/write/block-text.ts';
import type { ConversionReport, ConvertResult } from '../core/model/conversion.ts';
import { usage } from '../core/model/errors.ts';
import {
  type CommonOptions,
  type ConversionSource,
  conversionSources,
  type ConvertOptions as LibraryOptions,
} from '../core/model/library/options.ts';
import { messageLengths } from '../core/model/limits.ts';
import type { Clock } from '../core/model/ports.ts';
import { registry } from '../core/resources/index.ts';
import { conversionAsHtml, conversionAsMarkdown } from '../core/view/reports/conversion.ts';
import { writeWhole } from '../lib/durable-files.ts';
import { errorCode } from '../lib/errors.ts';
import type { FileTree } from '../lib/file-tree.ts';
import { LeadsOutsideError } from '../lib/own-files.ts';
import { readPath } from '../lib/path-streams.ts';
import { isInside, realPath } from '../lib/paths.ts';
import type { Collect } from '../lib/series.ts';
import type { FolderLock } from '../lib/staging/folder-lock.ts';
import { BrokenIndexError, StagedFiles } from '../lib/staging/staged-files.ts';
import { type DatabaseExport, openDatabaseExport } from './conversion/database-export.ts';
import { costOf, type EstatePorts, messageLengthOf } from './conversion/estate.ts';
import { readMapping } from './conversion/read-mapping.ts';
import { startApplication, writeInside } from './conversion/starting-files.ts';
import { convert } from './convert/convert.ts';
import { type Decisions, readDecisions } from './convert/decisions.ts';
import { EarlierConversion } from './convert/earlier-conversion.ts';
import { parseTime, parseTimeRange, type TimeRange } from './convert/export/coverage.ts';
import { ExportFields } from './convert/export/look-at-fields.ts';
import { openExportTree, openExportTrees } from './convert/export/parts.ts';
import {
  asRefusal,
  brokenIndex,
  editedFiles,
  exportInOutput,
  ownFolder,
  undecidedRenames,
  unreadableDecisions,
  unreadableIdentities,
  wrongDecisions,
  wrongExport,
} from './convert/export/refusals.ts';
import type { ExportSource, OpenExport } from './convert/export/source.ts';
import { looseFiles } from './convert/file-bytes.ts';
import { fileUrlsFile, readFileCopies } from './convert/file-copies.ts';
import { Identities } from './convert/identities.ts';
import { sources } from './convert/sources/index.ts';
import type { DatabaseTables } from './convert/sources/table/database-tables.ts';
import type { Mapping } from './convert/sources/table/mapping.ts';
import { tableSource } from './convert/sources/table/table.ts';
import { type ManifestPrinter, writeConversion } from './convert/write.ts';
import { changedLines } from './cutover/changed-lines.ts';
import { beginRun, ledgerFile } from './cutover/series.ts';

/** Paths are absolute. `onProgress` may throw, which ends the conversion and leaves the folder as it was. */
export interface ConversionOptions extends Omit<LibraryOptions, keyof CommonOptions | 'source'> {
  /** One of `conversionSources`, such as `slack`. */
  readonly source: string;
  /** With a clock, the conversion adds a line to conversion/series.ndjson, which `chatform cutover` uses for its estimate. */
  readonly clock?: Clock;
  /** With these, texts are split at the length that the declared application accepts, and the report states the cost of sending. */
  readonly ports?: EstatePorts;
  /** Told before anything is read if a conversion into the folder was killed while it wrote new files, or replaced the earlier ones. */
  readonly onInterrupted?: (during: 'staging' | 'replacing') => void;
}

/** Makes the source. `database` has the tables if they are not in files. */
export type MakeSource = (database?: DatabaseTables) => ExportSource;

/** The name of the source that needs a mapping. */
export const tableSourceName = 'table' satisfies ConversionSource;

const home = 'conversion';
export const decisionsFile = `${home}/decisions.yaml`;

/** Refused (64, 65), (5) when a generated file was edited, and (1) when one cannot be written. The folder is then unchanged. */
export async function convertExport(options: ConversionOptions): Promise<ConvertResult> {
  const decisions = join(options.out, decisionsFile);
  if (options.source.toLowerCase() !== tableSourceName) {
    const source = sourceNamed(options.source);
    return convertFrom(() => source, undefined, options, decisions);
  }
  if (options.mapping === undefined)
    throw usage('--mapping is required.', 'A mapping says which columns become which objects.');
  const mapping = await readMapping(options.mapping);
  return convertFrom((database) => tableSource(mapping, undefined, database), mapping, options, decisions);
}

function sourceNamed(name: string): ExportSource {
  const source = sources.find((known) => known.name === name.toLowerCase());
  if (source === undefined) {
    throw usage(`"${name}" is not a supported source.`, `Choose one of ${conversionSources.join(', ')}.`);
  }
  return source;
}

/** `decisions` is the path of the file, which need not exist. `sample` is the number of rows of each table to read. */
export async function convertFrom(
  make: MakeSource,
  mapping: Mapping | undefined,
  options: ConversionOptions & { readonly sample?: number },
  decisions: string,
): Promise<ConvertResult> {
  const paths = [options.exported ?? []].flat();
  const { fromEnv } = options;
  demandOneExport(paths, options);
  for (const path of paths) await demandApart(path, options.out);
  try {
    if (fromEnv !== undefined && mapping !== undefined)
      return await underOutputLock('convert', options.out, home, (lock) =>
        convertDatabase(make, mapping, fromEnv, { ...options, lock }, decisions),
      );
    const source = make();
    const tree = await openExportTrees(paths, source);
    try {
      if (options.mapping === undefined && !(await source.recognises(tree)))
        throw wrongExport(source.title, source.form, await likelySource(paths, source));
      return await underOutputLock('convert', options.out, home, (lock) =>
        convertTree(source, tree, { ...options, lock }, decisions),
      );
    } finally {
      tree.close();
    }
  } catch (error) {
    throw asUnwritable(asRefusal(error), options.out);
  }
}

/** Opened under the lock, so that the snapshot is later than what an earlier conversion read. */
async function convertDatabase(
  make: MakeSource,
  mapping: Mapping,
  variable: string,
  options: LockedOptions & { readonly sample?: number },
  decisions: string,
): Promise<ConvertResult> {
  const database = await openDatabaseExport(mapping, {
    variable,
    mappingFile: options.mapping ?? '',
    out: options.out,
    env: options.ports?.env ?? {},
    isFull: options.full === true,
    sample: options.sample,
  });
  try {
    if (options.covers !== undefined && database.tables.partial.length > 0)
      throw usage(
        '--covers needs all rows of the database, and since in the mapping reads only some.',
        'Add --full, or remove --covers.',
      );
    return await convertTree(make(database.tables), database.tree, { ...options, database }, decisions);
  } finally {
    database.tree.close();
  }
}

function demandOneExport(paths: readonly string[], { source, fromEnv, full }: ConversionOptions): void {
  const example = 'For example: chatform convert table --from-env DATABASE_URL --mapping mapping.yaml --out-dir chat';
  if (fromEnv === undefined) {
    if (paths.length === 0) throw usage('At least one file or folder is required.', example);
    if (full === true) throw usage('--full is for a database, which --from-env names.', example);
  } else if (source.toLowerCase() !== tableSourceName) throw usage('--from-env is for tables.', example);
  else if (paths.length > 0) throw usage('Tables are in files or in a database: pass files or --from-env.', example);
}

/** The name of the source system that an export probably comes from. */
async function likelySource([exported = '']: readonly string[], besides: ExportSource): Promise<string | undefined> {
  for (const source of sources) {
    if (source === besides) continue;
    const tree = await openExportTree(exported, source).catch(() => undefined);
    if (tree === undefined) continue;
    const isLikely = await Promise.resolve(source.recognises(tree)).catch(() => false);
    tree.close();
    if (isLikely) return source.title;
  }
  return undefined;
}

/** Refuses an output folder inside the export, and an export where files are generated. Follows links. */
async function demandApart(exported: string, out: string): Promise<void> {
  const [from, to] = [await realPath(exported), await realPath(out)];
  if (isInside(from, to)) throw ownFolder(out);
  const generated = [home, 'history', 'data'].find((name) => isInside(join(to, name), from));
  if (generated !== undefined) throw exportInOutput(exported, join(out, generated));
}

async function convertTree(
  source: ExportSource,
  tree: FileTree,
  options: LockedOptions,
  decisions: string,
): Promise<ConvertResult> {
  const { covers, taken } = options;
  const range = covers === undefined ? undefined : parseTimeRange(covers);
  if (covers !== undefined && range === undefined) {
    throw usage(
      `"${covers}" is not a range of times.`,
      'For example: --covers 2024-01-01..2024-03-31, or --covers all',
    );
  }
  const takenAt = taken === undefined ? undefined : parseTime(taken);
  if (taken !== undefined && takenAt === undefined) {
    throw usage(`"${taken}" is not a time.`, 'For example: --taken 2024-04-01, or --taken 2024-04-01T10:00Z');
  }
  const decided = await readPath(decisions).then(String, (cause: unknown) => {
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR') return undefined;
    throw unreadableDecisions(cause);
  });
  const file = readDecisions(decided, source);
  if (file.problems.length > 0) throw wrongDecisions(file.problems);
  const spool = temporarySpool();
  try {
    const fields = new ExportFields(source.fields, file.decisions.fields);
    const opened = await source.open(tree, {
      folders: file.decisions.folders,
      renamed: renamedIn(file.decisions),
      fields,
      collect: spool.collect,
      name: options.database?.name ?? basename([options.exported ?? []].flat()[0] ?? ''),
    });
    return await convertOpened(source, opened, {
      ...options,
      tree,
      range,
      takenAt,
      decided,
      file,
      fields,
      collect: spool.collect,
    });
  } finally {
    spool.close();
  }
}

/** The decisions are read under the lock, too, since a conversion adds to them. */
interface LockedOptions extends ConversionOptions {
  readonly lock: FolderLock;
  /** The database that is read instead of files. */
  readonly database?: DatabaseExport;
}

interface Opened extends LockedOptions {
  readonly tree: FileTree;
  readonly range: TimeRange | undefined;
  readonly takenAt: number | undefined;
  /** The text of the decisions file. Undefined if there is none yet. */
  readonly decided: string | undefined;
  readonly file: ReturnType<typeof readDecisions>;
  readonly fields: ExportFields;
  readonly collect: Collect;
}

async function convertOpened(source: ExportSource, opened: OpenExport, options: Opened): Promise<ConvertResult> {
  const { out, clock, ports, tree, decided, file, fields, collect, onProgress } = options;
  const exported = [options.exported ?? []].flat();
  const inputs = { exported, mapping: options.mapping, identities: options.identities };
  const endRun = clock === undefined ? undefined : await beginRun(inputs, out, clock);
  const files = await StagedFiles.open(options.lock).catch((cause: unknown) => {
    if (cause instanceof LeadsOutsideError) throw cause;
    throw cause instanceof BrokenIndexError ? brokenIndex(cause) : unwritable(out, cause);
  });
  if (files.interrupted !== undefined) options.onInterrupted?.(files.interrupted);
  const looseBytes = looseFiles(tree, opened.files).reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = { bytes: 0, totalBytes: opened.totalBytes + looseBytes, items: 0 };
  const tellProgress = (bytes: number, items: number): void => {
    progress.bytes += bytes;
    progress.items += items;
    onProgress?.(progress);
  };
  const { decisions } = file;
  try {
    // History files of earlier conversions are merged into the new ones.
    const changed = await files.edited();
    if (changed.length > 0) throw editedFiles(changed);
    const messageLength = ports && (await messageLengthOf(out, Object.keys(files.before), ports));
    const conversion = await convert({
      source: source.name,
      name: options.database?.name ?? exported.map((path) => basename(path)).join(', '),
      idsAreNames: source.idsAreNames,
      idsArePersonal: source.idsArePersonal,
      isOpaqueId: source.isOpaqueId,
      listsEverybody: source.listsEverybody,
      tree,
      opened,
      fields,
      decisions,
      earlier: new EarlierConversion(out, files.before),
      covers: options.range,
      takenAt: options.takenAt,
      messageLength: messageLength ?? messageLengths.usual,
      identities: await identitiesOf(options.identities),
      copies: await readFileCopies(join(out, fileUrlsFile)),
      files,
      collect,
      onProgress: tellProgress,
    });
    if (conversion.wrong !== undefined) throw wrongDecisions(file.placed(conversion.wrong));
    if (conversion.renamed !== undefined) {
      const nothing = { userIds: [], channelUrls: [], undecided: [], unknownFields: [] };
      const proposed = file.withProposals({ ...nothing, renamed: conversion.renamed });
      if (proposed !== undefined) await writeWhole(join(out, decisionsFile), proposed);
      throw undecidedRenames(conversion.renamed);
    }
    const converted = writeConversion(conversion, source.title, files, printer);
    // The check below must know every name, although the reports need what follows it.
    for (const name of ['report.md', 'report.html']) files.append(`${home}/${name}`, '');
    const edited = await files.edited();
    if (edited.length > 0) throw editedFiles(edited);
    await startApplication(out);
    const lines =
      endRun === undefined ? undefined : changedLines(files, (name) => join(out, name), conversion.messagesOf);
    const isLater = lines !== undefined && Object.keys(files.before).length > 0;
    // Not in the report, which is the same however often an export is converted.
    const difference = isLater ? { difference: lines } : {};
    const report = { ...converted, cost: ports && (await costOf(out, files, conversion, ports)) };
    files.append(`${home}/report.md`, conversionAsMarkdown(report));
    files.append(`${home}/report.html`, conversionAsHtml(report));
    // Written before the other files, so that a conversion that is killed here proposes the same ids next time.
    const proposed = file.withProposals(conversion.proposals);
    if (proposed !== undefined && proposed !== decided) await writeInside(out, decisionsFile, proposed);
    const ledger = files.digestOf(ledgerFile) ?? '';
    const names = await files.commit();
    if (lines !== undefined)
      await endRun?.({ source: source.name, report, lines, ledger, database: options.database?.read() });
    const { users, channels, messages, outcomes, losses, threads, unordered } = report;
    const { attachments, older, assumedLater, noLongerThere } = report;
    const found = report.identities;
    const identified = found === undefined ? {} : { identities: { ...found, missing: found.missing.length } };
    const { historyFiles: _history_files, ...no_longer_there } = noLongerThere;
    const [reasons, undecided] = [report.reasons.map(codeAndCount), report.undecided.map(codeAndCount)];
    return {
      files: names,
      users,
      channels,
      messages,
      outcomes,
      reasons,
      losses,
      ...(threads === undefined ? {} : { threads }),
      unordered,
      ...difference,
      attachments,
      undecided,
      ...(older === undefined ? {} : { older }),
      ...(assumedLater === undefined ? {} : { assumed_later: assumedLater }),
      ...(typeof report.cost === 'object' ? { cost: report.cost } : {}),
      no_longer_there,
      ...identified,
    };
  } finally {
    await files.discard();
  }
}

function renamedIn({ renamed }: Decisions) {
  const decided = (kind: keyof typeof renamed): ReadonlyMap<string, string> =>
    new Map([...renamed[kind]].flatMap(([id, { was, same }]) => (same === 'yes' ? [[id, was] as const] : [])));
  return { users: decided('users'), channels: decided('channels') };
}

async function identitiesOf(file: string | undefined): Promise<Identities | undefined> {
  if (file === undefined) return undefined;
  const bytes = await readPath(file).catch((cause: unknown) => {
    throw unreadableIdentities(file, cause);
  });
  return new Identities(bytes, basename(file));
}

function codeAndCount({ code, count }: ConversionReport['reasons'][number]): ConvertResult['reasons'][number] {
  return { code, count };
}

const printer: ManifestPrinter = {
  objects: (section, objects) => manifestText([[section, objectsNode(objects)]], registry),
  sources: (list) => {
    const layout = settingsNode(list);
    return manifestText(layout === undefined ? [] : [['sources', layout]], registry);
  },
};
