// chatform as a library: typed options in, values out, nothing printed.
//
// The functions are the use cases of the commands. What a command refuses is thrown as a `Refusal`, with the command's exit
// code and diagnostics (schema/diagnostics.md). The environment twins of flags (`CHATFORM_STATE`) are not read: a program
// passes what it means. Secrets come from `env`, as they do for a command.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ports } from './app/context/ports.ts';
import type { PlannedChanges } from './app/plan.ts';
import { durationAdvice, parseDuration } from './lib/option-values.ts';
import type { ConversionSource, ConvertProgress, ConvertResult, FileCopyOptions } from './model/conversion.ts';
import type { Diagnostic } from './model/diagnostic.ts';
import { Refusal, usage } from './model/errors.ts';
import type { ApplyEvent, Notice } from './model/event.ts';
import { exitCode } from './model/exit-code.ts';
import type { ObjectExplanation } from './model/explanation.ts';
import { type RatePlan, ratePlans } from './model/limits.ts';
import type { MigrationReport } from './model/migration-report.ts';
import type { Plan } from './model/plan.ts';
import type { ReadingsFile } from './model/readings.ts';
import type {
  Adopted,
  ApplyReport,
  CopiedFiles,
  Exported,
  Rehearsed,
  TestReport,
  TestResult,
  Validated,
} from './model/report.ts';

export { InternalError } from './lib/errors.ts';
export type { Series } from './lib/series.ts';
export type { Action } from './model/action.ts';
export type { Address } from './model/address.ts';
export type { AttributeChange, Change, Drift } from './model/change.ts';
export type { ConversionSource, ConvertProgress, ConvertResult, FileCopyOptions } from './model/conversion.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export { Refusal } from './model/errors.ts';
export type { ApplyEvent, Notice } from './model/event.ts';
export type { ExitCode } from './model/exit-code.ts';
export type { ObjectExplanation } from './model/explanation.ts';
export type { RatePlan } from './model/limits.ts';
export type { MigrationReport } from './model/migration-report.ts';
export type { Plan } from './model/plan.ts';
export type { ReadingsFile } from './model/readings.ts';
export type {
  Adopted,
  ApplyReport,
  CopiedFiles,
  Exported,
  Rehearsed,
  TestFailure,
  TestReport,
  TestResult,
  Validated,
} from './model/report.ts';
export type { Step } from './model/step.ts';
export { version } from './version.ts';

/** The options that all functions share. */
export interface CommonOptions {
  /** The folder that relative paths start from, in any spelling. Default: the working folder of the process. */
  readonly cwd?: string;
  /**
   * Cancels the call. Calls to the platform, waits, copies and conversions end, and the function throws a Refusal with the
   * exit code 8. Work on local files alone is cancelled before it begins, tests also between two tests. An apply that began
   * ends in a report.
   */
  readonly signal?: AbortSignal;
}

/** The manifests, and where their values come from. */
export interface ManifestOptions extends CommonOptions {
  /** Files, or folders that are read whole. Default: `cwd`. */
  readonly paths?: readonly string[];
  /** A file with the values of declared variables: NAME: VALUE, in YAML or JSON. */
  readonly variables?: string;
  /** `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, `CHATFORM_STATE_PASSWORD`. Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with what a command would print while it works: remarks, waits, progress. Must not throw. */
  readonly onNotice?: (notice: Notice) => void;
}

/** The application; each option means what the flag of its name means. */
export interface ApplicationOptions extends ManifestOptions {
  /** In place of the manifest's. It is trusted: the token goes there. */
  readonly baseUrl?: string;
  readonly ratePlan?: RatePlan;
  /** The file with the API token, in place of `CHATFORM_API_TOKEN`. */
  readonly apiTokenFile?: string;
}

export interface ValidateOptions extends ApplicationOptions {
  /** Also asks the application whether it is ready for the manifests, by reads. Needs a token. */
  readonly online?: boolean;
}

/** The application and its state. */
export interface EstateOptions extends ApplicationOptions {
  /** `file:DIR`, `postgres://…`, `s3://…`, `azblob://…` or `gs://…`. Default: `file:.chatform/state`. */
  readonly state?: string;
  /** Only these objects and what they need: addresses, or patterns such as `user.bot-*`. */
  readonly target?: readonly string[];
}

export interface PlanOptions extends EstateOptions {
  /** Reads the live objects first, which needs a token. */
  readonly refresh?: boolean;
  /** Tells the changes of this branch from those that were waiting at this git reference. */
  readonly baseRef?: string;
  /** Saves the plan to this file, for `apply({ paths: [file] })`. */
  readonly out?: string;
}

/** How a plan is carried out. */
interface RunOptions {
  /** Runs only the plan with this hash (`Plan.hash`): what was looked at is what is done. */
  readonly approvedHash?: string;
  /** Starts no new step this long after the call, with all that is read and waited for: `50m`. */
  readonly maxDuration?: string;
  /** How long to wait for somebody else's lock: `30s`. Default: not at all. */
  readonly lockTimeout?: string;
  /** Goes on after many failures. */
  readonly keepGoing?: boolean;
  /** How long a call in doubt may still take effect before its messages are searched: `30s`. Default: 15 s. */
  readonly settleTime?: string;
  /** Aborted: no new call is made, running ones finish, and the report says `interrupted`. */
  readonly signal?: AbortSignal;
  /** Told of every event of the run as it happens; must not throw. */
  readonly onEvent?: (event: ApplyEvent) => void;
}

export interface ApplyOptions extends EstateOptions, RunOptions {
  /** Manifests, or one saved plan. */
  readonly paths?: readonly string[];
  readonly refresh?: boolean;
  /** Of a saved plan, leaves out objects that changed since. */
  readonly skipConflicts?: boolean;
  /** The file for issued tokens, one JSON line each. */
  readonly tokensOut?: string;
}

export interface PlanUndoOptions extends Omit<EstateOptions, 'target'> {
  /** The number of the run in the audit trail. Default: the last run. */
  readonly run?: number;
  /** Reads the objects first, which needs a token. Default: true. */
  readonly refresh?: boolean;
  /** Saves the plan to this file, for `apply({ paths: [file] })`. */
  readonly out?: string;
}

export interface UndoOptions extends Omit<PlanUndoOptions, 'out'>, RunOptions {}

export interface RehearseOptions extends Omit<EstateOptions, 'apiTokenFile'> {
  /** Manifests, or one saved plan. */
  readonly paths?: readonly string[];
  /** Milliseconds that the simulated platform takes for every answer. Default: 100. */
  readonly latency?: number;
  readonly window?: 'fixed' | 'sliding' | 'gcra';
  /** A JSON file of faults, as for `chatform emulator`. */
  readonly faults?: string;
  /** The same seed, the same run. Default: 1. */
  readonly seed?: number;
  readonly maxDuration?: string;
  readonly keepGoing?: boolean;
}

export interface ExplainOptions extends Omit<EstateOptions, 'target'> {
  /** The object: `group_channel.support-42`. */
  readonly address: string;
  /** Also reads the live object, which needs a token. */
  readonly refresh?: boolean;
}

export interface AdoptOptions extends Omit<EstateOptions, 'target'> {
  /** Declared objects: addresses, or patterns such as `user.bot-*`. */
  readonly addresses: readonly string[];
  /** How long to wait for somebody else's lock: `30s`. Default: not at all. */
  readonly lockTimeout?: string;
}

export interface RunTestsOptions extends ManifestOptions {
  /** Runs only tests whose name contains this text. */
  readonly name?: string;
  /** Called after each test. Must not throw. */
  readonly onResult?: (result: TestResult) => void;
}

export interface VerifyOptions extends ApplicationOptions {
  /** Compares every message. Default: a sample of the channels whose count is right. */
  readonly all?: boolean;
}

export interface ExportOptions extends Omit<EstateOptions, 'paths' | 'target'> {
  /** The folder for the manifests: empty, or not there yet. */
  readonly out: string;
  /** The messages of every channel, too. */
  readonly messages?: boolean;
  /** Reads who has hidden which channel, with a request for each user. */
  readonly hiddenStatus?: boolean;
  /** Reads what no list shows, with a request for each object. */
  readonly readEach?: boolean;
  readonly withoutState?: boolean;
}

export interface ConvertOptions extends CommonOptions {
  readonly source: ConversionSource;
  /** A zip file, the folder that it was unpacked to, or a file; for `table`, one or more files and folders. */
  readonly exported: string | readonly string[];
  /** For `table`: the file that says which columns make what. */
  readonly mapping?: string;
  /** The folder of the manifests. */
  readonly out: string;
  /** The times that the export covers, when it does not say so itself: `2024-01-01..2024-03-31`, `all`. */
  readonly covers?: string;
  /** When the export was taken, when it does not say so itself: `2024-04-01`, `2024-04-01T10:00Z`. */
  readonly taken?: string;
  /** A CSV file with the user_id of people: columns `user_id` and `id`, `email` or `handle`. */
  readonly identities?: string;
  readonly onProgress?: (progress: ConvertProgress) => void;
}

/** `headersFrom` names variables of `env`. */
export interface CopyFilesOptions extends CommonOptions, Pick<ManifestOptions, 'env'>, FileCopyOptions {
  readonly source: Exclude<ConversionSource, 'table'>;
}

export interface DoctorOptions extends Omit<ApplicationOptions, 'paths' | 'variables'> {
  /** The file to write. Default: `chatform-readings.json`. */
  readonly out?: string;
  /** Whether the application may have more than 1,000 users. Do not examine one that people use. */
  readonly anySize?: boolean;
}

export interface Examined {
  readonly readings: ReadingsFile;
  /** Relative to `cwd`, or absolute. */
  readonly file: string;
  /** Objects that could not be removed again. */
  readonly left: readonly { readonly kind: string; readonly id: string }[];
  readonly calls: number;
  readonly durationMs: number;
}

export interface Planned {
  /** `changes`, `steps` and `drift` are series, which may lie on disk: go through them with for…of, or take a `slice`. */
  readonly plan: Plan;
  /** Warnings and notes on the manifests. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks manifests, by default offline. Problems in them are values and not thrown. With `online`, throws a Refusal for the
 * token (3) and an application that cannot be reached (1).
 */
export async function validate(options: ValidateOptions = {}): Promise<Validated> {
  const { validateManifests } = await import('./app/validate.ts');
  return validateManifests({ ...estateOf(options), online: options.online }, await portsOf(options));
}

/**
 * What would an apply do? Takes no lock and changes nothing. Throws a Refusal for manifests that are not valid (65), a
 * safety rule (5), the state of another application or an untrusted host (6), and, with `refresh`, the token (3).
 */
export async function plan(options: PlanOptions = {}): Promise<Planned> {
  const { planChanges } = await import('./app/plan.ts');
  const { out, refresh, baseRef } = options;
  const ports = await portsOf(options);
  const isToBeSaved = out !== undefined;
  return endPlanning(await planChanges({ ...estateOf(options), refresh, baseRef, isToBeSaved }, ports), out, ports);
}

/**
 * Makes it so, without asking: the call is the approval. Resumable at any moment by the same call. A run that began
 * always ends in a report, whose `exit_code` says how (4 incomplete, 8 interrupted, 9 out of time). What stopped it
 * before it began is thrown as a Refusal; so is a token that the platform refuses (3).
 */
export async function apply(options: ApplyOptions = {}): Promise<ApplyReport> {
  const { applyChanges } = await import('./app/apply.ts');
  const { refresh, skipConflicts, tokensOut, onEvent } = options;
  const { report } = await applyChanges(
    { ...estateOf(options), ...runOf(options), refresh, skipConflicts, tokensOut },
    await portsOf(options, 'reports'),
    onEvent === undefined ? {} : { event: onEvent },
  );
  return report;
}

/**
 * What would an undo do? The plan that takes a run back; its warnings list what does not come back. Takes no lock and changes
 * nothing. Throws a Refusal as `plan` does, when the values from before the run are not kept (1), and for an unknown run (64).
 */
export async function planUndo(options: PlanUndoOptions = {}): Promise<Planned> {
  const { planUndo: planned } = await import('./app/undo.ts');
  const { out } = options;
  const ports = await portsOf(options);
  return endPlanning(await planned({ ...undoneOf(options), isToBeSaved: out !== undefined }, ports), out, ports);
}

/**
 * Takes a run back, without asking: the call is the approval. Ends in a report as `apply` does, and throws a Refusal as
 * `planUndo` does. Of a run that stopped halfway, it takes back what was done.
 */
export async function undo(options: UndoOptions = {}): Promise<ApplyReport> {
  const { undoRun } = await import('./app/undo.ts');
  const { onEvent } = options;
  const { report } = await undoRun(
    { ...undoneOf(options), ...runOf(options) },
    await portsOf(options, 'reports'),
    onEvent === undefined ? {} : { event: onEvent },
  );
  return report;
}

/** How would an apply go? On a simulated platform, in virtual time: sends nothing, changes nothing, needs no token. */
export async function rehearse(options: RehearseOptions = {}): Promise<Rehearsed> {
  const { rehearseApply } = await import('./app/rehearse.ts');
  const { latency: latencyMs, window, faults, seed, keepGoing } = options;
  const maxDurationMs = milliseconds('maxDuration', options.maxDuration);
  return rehearseApply(
    { ...estateOf(options), latencyMs, window, faults, seed, keepGoing, maxDurationMs },
    await portsOf(options),
  );
}

/**
 * What did others change since the last apply? The answer is the `drift` of the plan. Throws a Refusal when state knows no
 * object (1).
 */
export async function drift(options: EstateOptions = {}): Promise<Plan> {
  const { readDrift } = await import('./app/drift.ts');
  return readDrift(estateOf(options), await portsOf(options));
}

/** Where do the values of one object come from, and what would happen to it? Throws a Refusal for an unknown address (64). */
export async function explain(options: ExplainOptions): Promise<ObjectExplanation> {
  const { explainAddress } = await import('./app/explain.ts');
  const { address, refresh } = options;
  return explainAddress({ ...estateOf(options), address, refresh }, await portsOf(options));
}

/**
 * Takes declared objects into state that are on the platform already, without a write to it. Throws a Refusal for an address
 * that is not declared (64), is in state or is not on the platform (6); then nothing was changed.
 */
export async function adopt(options: AdoptOptions): Promise<Adopted> {
  const { adoptObjects } = await import('./app/adopt.ts');
  const { addresses } = options;
  const lockTimeoutMs = milliseconds('lockTimeout', options.lockTimeout);
  return adoptObjects({ ...estateOf(options), addresses, lockTimeoutMs }, await portsOf(options));
}

/** Runs the `*.test.yaml` of manifests on a simulated platform. Throws a Refusal for invalid tests (65), and for none (64). */
export async function runTests(options: RunTestsOptions = {}): Promise<TestReport> {
  const { runTests: run } = await import('./app/test.ts');
  const { name, signal, onResult } = options;
  const told = (result: TestResult): void => {
    onResult?.(result);
    demandWanted(signal);
  };
  return run({ paths: pathsOf(options), name, onResult: told }, await portsOf(options));
}

/** Is every declared message on the platform, once and in order? The `exit_code` of the report says so. Changes nothing. */
export async function verify(options: VerifyOptions = {}): Promise<MigrationReport> {
  const { verifyMessages } = await import('./app/verify.ts');
  return verifyMessages({ ...estateOf(options), isWhole: options.all }, await portsOf(options));
}

/**
 * Finds out how the application answers where the platform's documentation is open, and writes it to a file. Makes a few users
 * and channels and removes them: the call is the approval. Throws a Refusal for the token (3) and too many users (5).
 */
export async function doctor(options: DoctorOptions = {}): Promise<Examined> {
  const { examinePlatform } = await import('./app/doctor.ts');
  const { out, anySize: isAnySize } = options;
  return examinePlatform({ ...estateOf(options), out, isAnySize }, await portsOf(options), async () => {});
}

/** Writes a live application as manifests and a state. Throws a Refusal (6) when the folder or the state is not empty. */
export async function exportEstate(options: ExportOptions): Promise<Exported> {
  const { exportApplication } = await import('./app/export.ts');
  const { out, messages, hiddenStatus, readEach, withoutState } = options;
  const flags = { out, messages, hiddenStatus, readEach, withoutState };
  return exportApplication({ ...estateOf(options), ...flags }, await portsOf(options));
}

/**
 * Turns an export of another chat system into manifests, archives and a ledger of every line. Throws a Refusal for an export
 * or decisions that cannot be read (65), an unknown source (64), and generated files that somebody edited (5); then the
 * folder is as it was.
 */
export async function convert(options: ConvertOptions): Promise<ConvertResult> {
  const { convertExport } = await import('./app/convert.ts');
  const { source, exported, mapping, signal, covers, taken, identities, onProgress } = options;
  const cwd = folderOf(options);
  demandWanted(signal);
  if ((source === 'table') !== (mapping !== undefined))
    throw usage(
      source === 'table' ? 'mapping is required for tables.' : 'mapping is only for tables.',
      'Nothing was done. chatform schema mapping prints the form of a mapping.',
    );
  return convertExport({
    source,
    exported: typeof exported === 'string' ? resolve(cwd, exported) : exported.map((path) => resolve(cwd, path)),
    ...(mapping === undefined ? {} : { mapping: resolve(cwd, mapping) }),
    out: resolve(cwd, options.out),
    ...(covers === undefined ? {} : { covers }),
    ...(taken === undefined ? {} : { taken }),
    ...(identities === undefined ? {} : { identities: resolve(cwd, identities) }),
    ports: await portsOf(options),
    onProgress: (progress) => {
      demandWanted(signal);
      onProgress?.(progress);
    },
  });
}

/**
 * Copies the files of a converted export to a place that stays, and writes the map of their URLs for the next conversion.
 * Throws a Refusal for an export or a conversion that cannot be read (65), and a copy that cannot be written (1). Files that
 * could not be fetched are in the result. The same call continues.
 */
export async function copyFiles(options: CopyFilesOptions): Promise<CopiedFiles> {
  const { copyFiles: copy, isBucketAddress } = await import('./app/files.ts');
  const cwd = folderOf(options);
  const { to } = options;
  const [exported, out] = [resolve(cwd, options.exported), resolve(cwd, options.out)];
  return copy({ ...options, exported, out, to: isBucketAddress(to) ? to : resolve(cwd, to) }, await portsOf(options));
}

/** Throws a Refusal (5) for a plan that a safety rule refuses. Saves it if `out` is given. */
async function endPlanning(planned: PlannedChanges, out: string | undefined, ports: Ports): Promise<Planned> {
  const { refusedBySafety } = await import('./app/context/refusals.ts');
  const { plan, refusals, remarks: diagnostics } = planned;
  if (refusals.length > 0) throw refusedBySafety(refusals);
  if (out !== undefined) {
    const { savePlan } = await import('./app/plans/plan-file.ts');
    await savePlan(plan, out, ports);
  }
  return { plan, diagnostics };
}

function undoneOf(options: PlanUndoOptions) {
  const { run, refresh } = options;
  return { ...estateOf(options), run: run?.toString(), refresh };
}

function runOf({ approvedHash, keepGoing, maxDuration, lockTimeout, settleTime }: RunOptions) {
  return {
    approvedHash,
    keepGoing,
    maxDurationMs: milliseconds('maxDuration', maxDuration),
    lockTimeoutMs: milliseconds('lockTimeout', lockTimeout),
    settleMs: milliseconds('settleTime', settleTime),
  };
}

/** What the functions share. Refused (64) for an unknown rate plan, and for an empty text, probably of an unset variable. */
function estateOf(options: EstateOptions) {
  const { state, baseUrl, ratePlan, target: targets, apiTokenFile } = options;
  if (ratePlan !== undefined && !ratePlans.includes(ratePlan))
    throw usage(`"${ratePlan}" is not a rate plan.`, `The rate plans are ${ratePlans.join(', ')}.`);
  return { paths: pathsOf(options), state, baseUrl, ratePlan, targets, apiTokenFile };
}

function pathsOf(options: ManifestOptions): readonly string[] {
  demandNoEmptyText(options);
  return options.paths ?? [];
}

function demandNoEmptyText(options: CommonOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== '' && !(Array.isArray(value) && value.includes(''))) continue;
    throw usage(`${name} is empty or contains an empty text.`, 'Nothing was done. Leave out options without a value.');
  }
}

/** Throws a Refusal (8) when the caller has cancelled. */
function demandWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new Refusal(
    'library.cancelled',
    exitCode.interrupted,
    'The call was cancelled by its signal.',
    'Nothing was changed on the platform. The same call starts again.',
  );
}

/** The absolute folder. Throws a Refusal (64) when it is not one, and for empty texts among the options. */
function folderOf(options: CommonOptions): string {
  demandNoEmptyText(options);
  const { cwd = process.cwd() } = options;
  const folder = resolve(cwd);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw usage(`cwd is "${cwd}", which is not a folder.`, 'Nothing was done. Create the folder, or pass another one.');
}

function milliseconds(name: string, text: string | undefined): number | undefined {
  const duration = text === undefined ? undefined : parseDuration(text);
  if (text === undefined || duration !== undefined) return duration;
  throw usage(`${name} is "${text}", which is not a duration.`, durationAdvice);
}

/** What cancelled a call before it began is thrown, or is in the report of a run. */
async function portsOf(options: ManifestOptions, cancelled: 'throws' | 'reports' = 'throws'): Promise<Ports> {
  const { env = process.env, variables: variablesFile, signal, onNotice = () => {} } = options;
  const cwd = folderOf(options);
  if (cancelled === 'throws') demandWanted(signal);
  const { nodeClock } = await import('./app/context/node-clock.ts');
  return {
    env,
    cwd,
    variablesFile,
    clock: nodeClock,
    random: Math.random,
    onInterrupt: (callback) => {
      if (signal?.aborted === true) queueMicrotask(callback);
      signal?.addEventListener('abort', callback, { once: true });
      return () => signal?.removeEventListener('abort', callback);
    },
    notify: onNotice,
  };
}
