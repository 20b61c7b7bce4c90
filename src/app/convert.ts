// The use case convert: an export of another system becomes manifests, archives, a ledger and a report in a folder.
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { decodeArchive } from '../convert/archives.ts';
import { convert } from '../convert/convert.ts';
import { readDecisions } from '../convert/decisions.ts';
import type { MessageFacts } from '../convert/model.ts';
import { Helper } from '../convert/parts/helper.ts';
import {
  asRefusal,
  brokenIndex,
  editedFiles,
  unfinishedConversion,
  unreadableArchive,
  wrongDecisions,
  wrongExport,
} from '../convert/refusals.ts';
import { sources } from '../convert/sources/index.ts';
import type { OpenExport, Source } from '../convert/sources/source.ts';
import type { User } from '../convert/users.ts';
import { type ManifestPrinter, writeConversion } from '../convert/write.ts';
import { openFileTree } from '../lib/file-tree.ts';
import type { Collect } from '../lib/series.ts';
import { BrokenIndexError, hasUnfinishedCommit, StagedFiles } from '../lib/staged-files.ts';
import { writeWhole } from '../lib/write-whole.ts';
import { manifestText, objectsLayout, settingsLayout } from '../manifest/write/block-text.ts';
import type { ConvertResult } from '../model/conversion.ts';
import { usage } from '../model/errors.ts';
import { registry } from '../resources/index.ts';
import { asUnwritable, temporarySpool, unwritable } from './output-files.ts';

export interface ConvertOptions {
  /** `slack`: one of `sourceNames`. */
  readonly source: string;
  /** A zip file, a folder or a file: absolute. */
  readonly exported: string;
  /** The folder of the manifests: absolute. */
  readonly out: string;
  onProgress?(progress: ConvertProgress): void;
  /** Whether a second thread helps. By default it does with a large export, where there is a processor for it. */
  readonly isHelped?: boolean;
}

export interface ConvertProgress {
  /** Bytes of the unpacked files. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Objects and messages. */
  readonly items: number;
}

export const sourceNames: readonly string[] = sources.map(({ name }) => name);

const home = 'conversion';
const decisionsFile = `${home}/decisions.yaml`;
const applicationFile = 'application.yaml';
/** Lines that stay in memory while an archive is sorted. */
const linesInMemory = 20_000;
/** Beyond these a second thread is worth its start. A third one would take too much memory. */
const bytesForHelper = 32_000_000;

/** Throws a refusal (64, 65, 5 when a generated file was edited, 1 when one cannot be written) and leaves the folder as it was. */
export async function convertExport(options: ConvertOptions): Promise<ConvertResult> {
  const { source: name, exported } = options;
  const source = sources.find((known) => known.name === name);
  if (source === undefined) {
    throw usage(`"${name}" is no system that can be converted.`, `There are: ${sourceNames.join(', ')}.`);
  }
  try {
    const tree = await openFileTree(exported, source.isSingleFile);
    try {
      if (!(await source.recognises(tree)))
        throw wrongExport(source.title, source.form, await likelySource(exported, source));
      return await convertTree(source, tree, options);
    } finally {
      tree.close();
    }
  } catch (error) {
    throw asUnwritable(asRefusal(error), options.out);
  }
}

/** Refused (65) while a conversion into this folder is half in place. */
export async function refuseUnfinished(folder: string): Promise<void> {
  if (await hasUnfinishedCommit(folder, home)) throw unfinishedConversion(folder);
}

/** The facts of the source, out of archives that were converted, or exported from the platform. */
export function* decodeArchives(files: readonly string[]): Generator<MessageFacts> {
  for (const file of files) {
    try {
      yield* decodeArchive(file);
    } catch (cause) {
      throw unreadableArchive(file, cause);
    }
  }
}

/** The name of the system that such an export may be from. */
async function likelySource(exported: string, besides: Source): Promise<string | undefined> {
  for (const source of sources) {
    if (source === besides) continue;
    const tree = await openFileTree(exported, source.isSingleFile).catch(() => undefined);
    if (tree === undefined) continue;
    const isLikely = await Promise.resolve(source.recognises(tree)).catch(() => false);
    tree.close();
    if (isLikely) return source.title;
  }
  return undefined;
}

async function convertTree(
  source: Source,
  tree: Awaited<ReturnType<typeof openFileTree>>,
  options: ConvertOptions,
): Promise<ConvertResult> {
  const { out } = options;
  const decided = await readFile(join(out, decisionsFile), 'utf8').catch(() => undefined);
  const file = readDecisions(decided, source.name);
  if (file.problems.length > 0) throw wrongDecisions(file.problems);
  const spool = temporarySpool(linesInMemory);
  try {
    const opened = await source.open(tree, file.decisions, spool.collect);
    return await convertOpened(source, opened, { ...options, decided, file, collect: spool.collect });
  } finally {
    spool.close();
  }
}

interface Opened extends ConvertOptions {
  /** The text of the decisions; undefined when there is no file yet. */
  readonly decided: string | undefined;
  readonly file: ReturnType<typeof readDecisions>;
  readonly collect: Collect;
}

async function convertOpened(
  source: Source,
  opened: OpenExport,
  { exported, out, decided, file, collect, onProgress, isHelped = isLarge(opened) }: Opened,
): Promise<ConvertResult> {
  const files = await StagedFiles.open(out, home).catch((cause: unknown) => {
    throw cause instanceof BrokenIndexError ? brokenIndex(cause) : unwritable(out, cause);
  });
  const progress = { bytes: 0, totalBytes: opened.totalBytes, items: 0 };
  const tellProgress = (bytes: number, items: number): void => {
    progress.bytes += bytes;
    progress.items += items;
    onProgress?.(progress);
  };
  const { decisions } = file;
  const startHelper = (known: readonly User[]): Helper => {
    const setup = { source: source.name, exported, decisions, known, folder: files.folder, linesInMemory };
    return new Helper(opened.parts.length, setup, tellProgress);
  };
  try {
    const conversion = await convert({
      source: source.name,
      opened,
      decisions,
      files,
      collect,
      onProgress: tellProgress,
      ...(isHelped ? { startHelper } : {}),
    });
    const { users } = writeConversion(conversion, source.title, files, printer);
    const edited = await files.edited();
    if (edited.length > 0) throw editedFiles(edited);
    await startApplication(out);
    // Before the files: a conversion that is killed here must not give other ids when it is made again.
    const proposed = file.withProposals(conversion.proposals);
    if (proposed !== undefined && proposed !== decided) await writeWhole(join(out, decisionsFile), proposed);
    const names = await files.commit();
    const { channels, messages, tally, losses, undecided } = conversion;
    const counts = tally.reasons.map(({ code, count }) => ({ code, count }));
    return {
      files: names,
      users,
      channels: channels.length,
      messages,
      outcomes: tally.outcomes,
      reasons: counts,
      losses,
      undecided: counts.filter(({ code }) => undecided.includes(code)),
    };
  } finally {
    await files.discard();
  }
}

function isLarge({ parts }: OpenExport): boolean {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return bytes > bytesForHelper && parts.length > 1 && availableParallelism() > 1;
}

const printer: ManifestPrinter = {
  objects: (section, objects) => manifestText([[section, objectsLayout(objects)]], registry),
  sources: (list) => {
    const layout = settingsLayout(list);
    return manifestText(layout === undefined ? [] : [['sources', layout]], registry);
  },
};

/** A first conversion leaves a manifest that names the application, so that a plan can be made. It is the people's from then on. */
async function startApplication(out: string): Promise<void> {
  const found = await readdir(out);
  if (found.some((name) => /\.ya?ml$/u.test(name))) return;
  const text = `version: 1

application:
  base_url: emulator:.chatform/emulator   # a platform inside chatform; yours: https://api-APP_ID.sendbird.com/v3
  rate_plan: 5k_mau
`;
  await writeWhole(join(out, applicationFile), text);
}
