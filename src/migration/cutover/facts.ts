// Reads everything that readiness depends on: the series, the plan, the audit trail, the verification and the files.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Application } from '../../core/app/context/application.ts';
import { defaultPlace } from '../../core/app/context/default-state.ts';
import { openStateAt } from '../../core/app/context/open-state.ts';
import type { ApplicationOverrides, Ports, StateOptions } from '../../core/app/context/ports.ts';
import { readTrail, type TrailEntry, trailDigest, verifyTrail } from '../../core/app/context/trail.ts';
import { openPlanSource } from '../../core/app/opening/open-plan.ts';
import { maxMessagesPerCall } from '../../core/manifest/history-files/history-files.ts';
import { demandFormat } from '../../core/model/documents.ts';
import { Refusal } from '../../core/model/errors.ts';
import type { LimitsOf } from '../../core/model/limits.ts';
import type { AppliedRun, FileDigest } from '../../core/model/migration/cutover.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { MessagesPolicy } from '../../core/model/policy.ts';
import { emptyState, type StateSnapshot } from '../../core/model/ports.ts';
import type { Resource } from '../../core/model/resource.ts';
import { storeOf } from '../../core/model/stores/places.ts';
import { limitsOf } from '../../core/platform/limits.ts';
import { isObject, type JsonObject, parsedObject } from '../../lib/json.ts';
import { isInside } from '../../lib/paths.ts';
import type { Series } from '../../lib/series.ts';
import { fileUrlsFile } from '../convert/file-copies.ts';
import type { CutoverFacts } from './readiness.ts';
import {
  changedAmong,
  exportDigests,
  exportDigestsFile,
  fileDigest,
  ledgerFile,
  readSeries,
  seriesFile,
} from './series.ts';

export interface CutoverOptions extends ApplicationOverrides, StateOptions {
  /** The folder of the conversions, as the user wrote it. */
  readonly folder: string;
}

/** The report of the last verification, relative to the folder of the manifests. */
const verificationFile = 'conversion/verification.json';

export interface ReadFacts extends CutoverFacts {
  readonly limits: LimitsOf;
  readonly trail: string | undefined;
  readonly platform: Application;
  /** The declared objects. */
  readonly resources: Series<Resource>;
  readonly snapshot: StateSnapshot;
  /** `policy.messages` of the manifests. */
  readonly messagesPolicy: MessagesPolicy | undefined;
  /** The plan of what is left. Undefined if it is refused. */
  readonly rest?: Plan | undefined;
  /** All files that a certificate covers, except those of the export. */
  readonly files: readonly FileDigest[];
}

/**
 * `isOffline`: a state elsewhere, or one that cannot be read, is named and not opened. Refused (65) for invalid manifests, (6)
 * for a file of another format, and otherwise when the state cannot be read.
 */
export async function readFacts(options: CutoverOptions, ports: Ports, isOffline = false): Promise<ReadFacts> {
  const root = resolve(ports.cwd, options.folder);
  const source = await openPlanSource({ ...options, paths: [options.folder] }, ports, 'warn');
  const { identity, rates } = source.application;
  const read = async () => (await openStateAt(source.statePlace, options, ports)).backend.read(identity);
  const place = options.state ?? source.statePlace?.place ?? defaultPlace;
  const unread = isOffline ? await unreadStateOf(place, ports, read) : undefined;
  const state = unread === undefined ? await read() : emptyState;
  const seen = await source.look(state, false);
  const series = await readSeries(root);
  const since = series.runs[0]?.started_at ?? '';
  const { files: index } = await jsonIn(root, 'conversion/generated.json');
  const generated = Object.entries(isObject(index) ? index : {}).filter(([path]) =>
    isInside(root, resolve(root, path)),
  );
  const others = ['conversion/decisions.yaml', fileUrlsFile, seriesFile, exportDigestsFile, verificationFile];
  const digests = new Map<string, string>();
  for (const path of [...generated.map(([name]) => name), ...others].sort()) {
    const sha256 = await fileDigest(join(root, path));
    if (sha256 !== undefined) digests.set(path, sha256);
  }
  let rest: Plan | undefined;
  const pending = pendingOf(() => {
    rest = seen.planFor(state);
    return rest.steps.length;
  });
  return {
    ...series,
    application: identity,
    platform: source.application,
    resources: source.declared ?? [],
    snapshot: state,
    messagesPolicy: source.messages,
    history: source.history,
    limits: limitsOf(rates),
    messagesPerCall: rates.messagesPerCall ?? maxMessagesPerCall,
    applies: readTrail(state).flatMap((entry) => (entry.started_at < since ? [] : appliedRun(entry))),
    trailFaults: verifyTrail(state),
    trail: trailDigest(state),
    pending,
    rest,
    verification: verificationIn(await jsonIn(root, verificationFile)),
    ledger: digests.get(ledgerFile),
    edited: generated.filter(([path, sha256]) => digests.get(path) !== sha256).map(([path]) => path),
    exportChanges: await changedAmong(root, await exportDigests(root)),
    unreadState: unread,
    files: Array.from(digests, ([path, sha256]) => ({ path, sha256 })),
  };
}

/** Why the state is not read without a network, as a sentence. Undefined if it can be read. */
async function unreadStateOf(place: string, { cwd }: Ports, read: () => Promise<unknown>): Promise<string | undefined> {
  if (storeOf(place)?.scheme !== 'file') return `The state is at ${place}, and --check opens only files.`;
  if (!existsSync(resolve(cwd, place.slice('file:'.length)))) return `No state exists at ${place}.`;
  return read().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Refusal) return error.message;
      throw error;
    },
  );
}

function appliedRun({
  command,
  by,
  started_at,
  finished_at = started_at,
  outcome,
  plan = '',
  counts = {},
}: TrailEntry): AppliedRun[] {
  const { succeeded: steps = 0, requests = steps } = counts;
  return command === 'apply' ? [{ by, started_at, finished_at, outcome, plan, steps, requests }] : [];
}

/** A refused plan means "not ready", so it does not end the command. */
function pendingOf(plan: () => number): number | string {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.message, ...error.diagnostics.map(({ summary }) => `${summary}.`)].join(' ');
  }
}

/** Undefined if the file is not a verification report. */
function verificationIn(report: JsonObject): MigrationReport | undefined {
  const { totals, channels } = report;
  const isReport = isObject(totals) && Array.isArray(channels);
  return isReport ? (report as unknown as MigrationReport) : undefined;
}

/** Empty for a file that is missing or not a JSON object. Refused as `demandFormat`. */
async function jsonIn(root: string, file: string): Promise<JsonObject> {
  const value = parsedObject(await readFile(join(root, file), 'utf8').catch(() => '')) ?? {};
  demandFormat(file, value.format_version);
  return value;
}
