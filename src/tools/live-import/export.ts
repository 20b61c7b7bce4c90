// Turns a live application into manifests and a state: reads all objects, writes files, loads the files again, and records
// the loaded objects in state.
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Application, type DeclaredApplication, resolveApplication } from '../../core/app/context/application.ts';
import { connectToRead } from '../../core/app/context/connect.ts';
import { demandNamedState, openState } from '../../core/app/context/open-state.ts';
import { asUnwritable, keptPath, writeOutput } from '../../core/app/context/output-files.ts';
import { underOutputLock } from '../../core/app/context/output-lock.ts';
import type { Ports } from '../../core/app/context/ports.ts';
import { demandEmptyState } from '../../core/app/context/state-contents.ts';
import { temporarySpool } from '../../core/app/context/this-process.ts';
import { actOf, readTrail, type TrailEntry } from '../../core/app/context/trail.ts';
import { declaredApplication, withStateOfFolder } from '../../core/app/opening/folder-application.ts';
import { loadDeclared } from '../../core/app/opening/load-declared.ts';
import { nowOf } from '../../core/app/plans/plan-manifests.ts';
import { Refusal, usage } from '../../core/model/errors.ts';
import type { ExportPrice } from '../../core/model/event.ts';
import { HistoryFileNames } from '../../core/model/migration/history-names.ts';
import type { Exported } from '../../core/model/report.ts';
import { limitsOf } from '../../core/platform/limits.ts';
import type { LiveReader } from '../../core/refresh/send.ts';
import { registry } from '../../core/resources/index.ts';
import { safe } from '../../core/view/text/text.ts';
import { errorCode } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { chatformCommand } from '../../lib/tools/pasted-words.ts';
import { applicationBlock, applicationFile, applicationText, policyBlock } from './export/application-file.ts';
import { ExportedBlocks } from './export/blocks.ts';
import { earlierExport } from './export/earlier-export.ts';
import { leftOutFile, writeObjects } from './export/files.ts';
import { type ExportedParts, exportMessages } from './export/messages.ts';
import type { ExportApplicationOptions } from './export/options.ts';
import { type PricedChannel, priceOf } from './export/price.ts';
import { begunOtherwise, ExportProgress, occupied } from './export/progress.ts';
import {
  countToAsk,
  type Inventory,
  notOffered,
  otherInitials,
  readApplication,
  withHiddenStatus,
} from './export/read-application.ts';
import { Exclusions } from './export/selectors.ts';
import { takeAsApplied } from './export/state.ts';

/** Edits and deletions are noticed only in this time before the last line of a history file. */
const defaultOverlapMs = 7 * 24 * 3_600_000;

/**
 * The application is that of `baseUrl`, or of the manifests in the working folder. Refused (6) when the state is not empty, or
 * the folder contains anything but an unfinished export with the same options, which is continued: objects are listed again,
 * and messages are not read twice. Refused (7) while another export writes to the folder.
 */
export async function exportApplication(options: ExportApplicationOptions, ports: Ports): Promise<Exported> {
  demandOnly(options);
  if (options.only !== undefined && options.only.length > 0)
    return (await import('./export-selected.ts')).exportSelected(options, ports);
  demandMessages(options);
  const declared = options.baseUrl === undefined ? await declaredApplication(ports) : undefined;
  const application = resolveApplication(options, ports, declared);
  const folder = keptPath(ports.cwd, options.out, 'An export');
  const place = { folder, application, declared };
  // Before the lock, too: a folder that is refused is not written to.
  await progressIn(place, options, ports);
  return underOutputLock('export', folder, '', async () =>
    exportInto({ ...place, progress: await progressIn(place, options, ports) }, options, ports),
  );
}

/** Refused (6) unless the folder is empty or has an unfinished export with the same options. */
async function progressIn(
  { folder, application }: Omit<ExportTarget, 'progress'>,
  options: ExportApplicationOptions,
  ports: Ports,
): Promise<ExportProgress> {
  const progress = await ExportProgress.of(folder, remembered(options, application, ports));
  if (progress === undefined) throw begunOtherwise(options.out);
  if (!progress.isContinued) await demandEmptyFolder(folder, options.out);
  return progress;
}

async function exportInto(target: ExportTarget, options: ExportApplicationOptions, ports: Ports): Promise<Exported> {
  const { progress } = target;
  if (options.since !== undefined) await demandFolder(resolve(ports.cwd, options.since), options.since);
  try {
    if (options.withoutState !== true) return await exportWithState(target, options, ports);
    const written = await writeAll(target, options, ports);
    await progress.end();
    return written;
  } finally {
    progress.close();
  }
}

async function exportWithState(
  target: ExportTarget,
  options: ExportApplicationOptions,
  ports: Ports,
): Promise<Exported> {
  const { application, progress } = target;
  const { out, lockTimeoutMs = 0 } = options;
  const placed = await withStateOfFolder(options, ports);
  const backend = await openState(placed, ports);
  demandNamedState(placed, ports, await backend.read(application.identity));
  const state = await backend.open({ application: application.identity, lockTimeoutMs });
  try {
    const { last } = progress;
    if (last !== undefined && readTrail(state).some((entry) => isOf(entry, last.begun))) {
      await progress.end();
      return { ...last.exported, requests: 0, continued: true, state: backend.name };
    }
    const advice = 'Use another --state, or --without-state to write only the manifests and compare them with yours.';
    demandEmptyState(state, backend.name, advice);
    const begun = actOf('export', ports);
    const written = await writeAll(target, options, ports);
    // The platform already calls these hosts.
    const manifest = await loadDeclared([out], ports, { trustsHosts: true });
    progress.note({ begun: begun.started_at, exported: written });
    await takeAsApplied(manifest, application, state, begun, nowOf(ports));
    await progress.end();
    return { ...written, state: backend.name };
  } finally {
    await state.close();
  }
}

/** Whether the entry is that of the export that began then. The state contains all of it, because both are written at once. */
function isOf({ command, started_at }: TrailEntry, begun: string): boolean {
  return command === 'export' && started_at === begun;
}

/** Names with a leading dot do not count: .git and .chatform may exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return found.filter((entry) => !entry.startsWith('.')).sort();
}

function withRest({ code, exitCode, message, advice }: Refusal): Refusal {
  return new Refusal(
    code,
    exitCode,
    message,
    `${advice} The folder --out-dir is incomplete: the same command continues the export there.`,
  );
}

/** The options that concern messages, as an example has them. */
const ofMessages = {
  reactions: '--reactions',
  threads: '--threads',
  since: '--since monday',
  overlapMs: '--overlap 12h',
} as const satisfies Partial<Record<keyof ExportApplicationOptions, string>>;

/** Refused (64) when an option concerns messages and none are to be exported. */
function demandMessages(options: ExportApplicationOptions): void {
  if (options.messages === true) return;
  const flags = Object.entries(ofMessages).flatMap(([name, flag]) => {
    const value = options[name as keyof typeof ofMessages];
    return value === undefined || value === false ? [] : [flag];
  });
  const [first] = flags;
  if (first === undefined) return;
  throw usage(
    `${first.split(' ')[0]} needs --messages.`,
    `For example: ${chatformCommand('export', '--out-dir', 'estate', '--messages', ...flags.flatMap((flag) => flag.split(' ')))}`,
  );
}

/** Refused (64) when an option concerns a part of the application and everything is to be exported. */
function demandOnly({ only = [], with: withWhat }: ExportApplicationOptions): void {
  if (only.length > 0 || withWhat === undefined) return;
  throw usage(
    '--with needs --only.',
    "For example: chatform export --out-dir estate --only 'group_channel.support-*' --with users",
  );
}

async function demandFolder(folder: string, name: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw usage(`--since ${name} is not a folder.`, 'Name the folder of an earlier export.');
}

/** Refused (6) before anything is read. */
async function demandEmptyFolder(folder: string, name: string): Promise<void> {
  const [first] = await namesIn(folder).catch((cause: unknown) => {
    throw occupied(
      `${name} is not a readable folder.`,
      'Nothing was changed. Choose a folder that is empty or does not exist.',
      cause,
    );
  });
  if (first === undefined) return;
  throw occupied(
    `${name} is not empty: it contains ${first}.`,
    'Nothing was read or changed, because an export never overwrites files. Choose a folder that is empty or does not exist.',
  );
}

/** The options that decide what the files contain. */
function remembered(
  options: ExportApplicationOptions,
  { identity }: Application,
  { cwd }: Pick<Ports, 'cwd'>,
): JsonObject {
  const { messages = false, reactions = false, threads = false, hiddenStatus = false, readEach = false } = options;
  const { since, overlapMs = defaultOverlapMs, excluded = [] } = options;
  const earlier = since === undefined ? {} : { since: resolve(cwd, since), overlapMs };
  return {
    application: identity,
    messages,
    reactions,
    threads,
    hiddenStatus,
    readEach,
    excluded: [...excluded],
    ...earlier,
  };
}

interface ExportTarget {
  readonly folder: string;
  readonly progress: ExportProgress;
  readonly application: Application;
  /** The application that the manifests of the current folder declare. */
  readonly declared: DeclaredApplication | undefined;
}

async function writeAll(
  { folder, application, declared, progress }: ExportTarget,
  options: ExportApplicationOptions,
  ports: Ports,
): Promise<Exported> {
  const { reader, close } = await connectToRead(application, ports);
  const spool = temporarySpool();
  try {
    ports.notify({
      type: 'export-reading',
      application: application.identity,
      isContinued: progress.isContinued,
    });
    const lacking: string[] = [];
    const onLacking = (what: string) => void lacking.push(what);
    const exclusions = new Exclusions(options.excluded ?? [], registry);
    const listed = await readApplication(
      registry,
      reader,
      { collect: spool.collect, readEach: options.readEach === true, exclusions, onLacking },
      ports,
    );
    const price = await toldPrice(listed, progress, application, options, reader, ports);
    const inventories = options.hiddenStatus === true ? await withHiddenStatus(listed, reader, onLacking) : listed;
    const blocks = new ExportedBlocks(registry, otherInitials(registry, inventories));
    for (const what of lacking.sort()) blocks.note(what, '', notOffered);
    await progress.begin();
    const objects = await writeObjects({ folder, collect: spool.collect }, inventories, registry, blocks, progress);
    reader.demandUninterrupted();
    const historyFiles =
      options.messages === true
        ? await exportMessages(
            folder,
            () => channelsAmong(inventories, blocks),
            blocks,
            reader,
            await partsOf(options, progress, ports),
          )
        : { files: [], sources: [], messages: 0 };
    const parts = {
      application: applicationBlock(application, options.ratePlan ?? declared?.rate_plan),
      policy: policyBlock(blocks),
      sources: [...objects.sources, ...historyFiles.sources],
    };
    await writeOutput(join(folder, applicationFile), applicationText(parts, registry));
    const { notes: leftOut } = blocks;
    if (leftOut.length > 0) {
      progress.note({ file: leftOutFile });
      const lines = leftOut.map((note) => `${safe(note)}\n`);
      await writeOutput(join(folder, leftOutFile), lines);
    }
    return {
      files: [applicationFile, ...objects.names, ...historyFiles.files],
      counts: inventories.map(({ kind: { name: kind, title, section } }) => ({
        title,
        section,
        count: blocks.count(kind),
      })),
      messages: historyFiles.messages,
      leftOut,
      hosts: [...blocks.hosts].sort(),
      requests: reader.requests,
      ...(price === undefined ? {} : { price }),
      continued: progress.isContinued,
    };
  } catch (cause) {
    const error = asUnwritable(cause, folder);
    throw error instanceof Refusal && progress.isBegun ? withRest(error) : error;
  } finally {
    spool.close();
    await close();
  }
}

/** Says what the expensive part will cost. Undefined if there is none. */
async function toldPrice(
  inventories: readonly Inventory[],
  progress: ExportProgress,
  { rates }: Application,
  { messages = false, reactions = false, hiddenStatus = false, since }: ExportApplicationOptions,
  reader: LiveReader,
  { notify }: Pick<Ports, 'notify'>,
): Promise<ExportPrice | undefined> {
  if (!messages && !hiddenStatus) return undefined;
  const names = new HistoryFileNames(progress.historyFiles);
  function* channels(): Generator<PricedChannel> {
    for (const channel of messages ? channelsAmong(inventories) : []) {
      const { complete, until } = progress.historyFile(names.find(channel.key) ?? '');
      if (complete === undefined) yield { ...channel, written: until?.written ?? 0 };
    }
  }
  const users = hiddenStatus ? countToAsk(inventories) : 0;
  const price = await priceOf({ channels, reactions, users }, reader, limitsOf(rates));
  notify({ type: 'export-price', price, isAtMost: since !== undefined });
  return price;
}

async function partsOf(
  { reactions = false, threads = false, since, overlapMs = defaultOverlapMs }: ExportApplicationOptions,
  progress: ExportProgress,
  { cwd }: Pick<Ports, 'cwd'>,
): Promise<ExportedParts> {
  const earlier = since === undefined ? undefined : await earlierExport(resolve(cwd, since), overlapMs);
  return { reactions, threads, since: earlier, progress };
}

/** The channels that store messages, with `blocks` only those that are declared. */
function* channelsAmong(inventories: readonly Inventory[], blocks?: ExportedBlocks) {
  for (const inventory of inventories) {
    const { kind } = inventory;
    if (kind.children?.messages === undefined) continue;
    for (const { key, attributes } of inventory) {
      if (attributes.is_ephemeral !== true && blocks?.isDeclared(kind.name, key) !== false)
        yield { kind: kind.name, key, attributes };
    }
  }
}
