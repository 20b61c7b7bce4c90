// chatform as a library: typed options in, values out, nothing printed.
//
// The functions are the use cases of the commands. What a command refuses is thrown as a `Refusal`, with the command's exit
// code and diagnostics (schema/diagnostics.md). The environment twins of flags (`CHATFORM_STATE`) are not read: a program
// passes what it means. Secrets come from `env`, as they do for a command.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ports } from './app/context/ports.ts';
import type { PlannedChanges } from './app/plan.ts';
import { parseDuration } from './lib/option-values.ts';
import type { ConvertResult } from './model/conversion.ts';
import type { Diagnostic } from './model/diagnostic.ts';
import { Refusal, usage } from './model/errors.ts';
import { exitCode } from './model/exit-code.ts';
import type { ObjectExplanation } from './model/explanation.ts';
import type { LibraryFunction } from './model/library/option-forms.ts';
import type {
  AdoptOptions,
  ApplyOptions,
  ConvertOptions,
  CopyFilesOptions,
  DoctorOptions,
  EstateOptions,
  ExplainOptions,
  ExportOptions,
  ManifestOptions,
  PlanOptions,
  PlanUndoOptions,
  RehearseOptions,
  RunOptions,
  RunTestsOptions,
  UndoOptions,
  ValidateOptions,
  VerifyOptions,
} from './model/library/options.ts';
import type { RatePlan } from './model/limits.ts';
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
import { localPath } from './model/stores/places.ts';

export { InternalError } from './lib/errors.ts';
export type { Series } from './lib/series.ts';
export type { Action } from './model/action.ts';
export type { Address } from './model/address.ts';
export type { AttributeChange, Change, Drift } from './model/change.ts';
export type { ConvertProgress, ConvertResult, FileCopyOptions } from './model/conversion.ts';
export type { ConversionSource } from './model/conversion-sources.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export { Refusal } from './model/errors.ts';
export type { ApplyEvent, Notice } from './model/event.ts';
export type { ExitCode } from './model/exit-code.ts';
export type { ObjectExplanation } from './model/explanation.ts';
export type * from './model/library/options.ts';
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
  return validateManifests(...(await asked('validate', options)));
}

/**
 * What would an apply do? Takes no lock and changes nothing. Throws a Refusal for manifests that are not valid (65), a
 * safety rule (5), the state of another application or an untrusted host (6), and, with `refresh`, the token (3).
 */
export async function plan(options: PlanOptions = {}): Promise<Planned> {
  const { planChanges } = await import('./app/plan.ts');
  const [given, ports] = await asked('plan', options);
  return endPlanning(await planChanges({ ...given, isToBeSaved: given.out !== undefined }, ports), given.out, ports);
}

/**
 * Makes it so, without asking: the call is the approval. Resumable at any moment by the same call. A run that began
 * always ends in a report, whose `exit_code` says how (4 incomplete, 8 interrupted, 9 out of time). What stopped it
 * before it began is thrown as a Refusal; so is a token that the platform refuses (3).
 */
export async function apply(options: ApplyOptions = {}): Promise<ApplyReport> {
  const { applyChanges } = await import('./app/apply.ts');
  return (await applyChanges(...(await asked('apply', options, {}, 'reports')), listenersOf(options))).report;
}

/**
 * What would an undo do? The plan that takes a run back; its warnings list what does not come back. Takes no lock and changes
 * nothing. Throws a Refusal as `plan` does, when the values from before the run are not kept (1), and for an unknown run (64).
 */
export async function planUndo(options: PlanUndoOptions = {}): Promise<Planned> {
  const { planUndo: planned } = await import('./app/undo.ts');
  const [given, ports] = await asked('planUndo', options, runOf(options));
  return endPlanning(await planned({ ...given, isToBeSaved: given.out !== undefined }, ports), given.out, ports);
}

/**
 * Takes a run back, without asking: the call is the approval. Ends in a report as `apply` does, and throws a Refusal as
 * `planUndo` does. Of a run that stopped halfway, it takes back what was done.
 */
export async function undo(options: UndoOptions = {}): Promise<ApplyReport> {
  const { undoRun } = await import('./app/undo.ts');
  const given = await asked('undo', options, runOf(options), 'reports');
  return (await undoRun(...given, listenersOf(options))).report;
}

/** How would an apply go? On a simulated platform, in virtual time: sends nothing, changes nothing, needs no token. */
export async function rehearse(options: RehearseOptions = {}): Promise<Rehearsed> {
  const { rehearseApply } = await import('./tools/rehearsal/rehearse.ts');
  return rehearseApply(...(await asked('rehearse', options, { latencyMs: options?.latency })));
}

/**
 * What did others change since the last apply? The answer is the `drift` of the plan. Throws a Refusal when state knows no
 * object (1).
 */
export async function drift(options: EstateOptions = {}): Promise<Plan> {
  const { readDrift } = await import('./app/drift.ts');
  return readDrift(...(await asked('drift', options)));
}

/** Where do the values of one object come from, and what would happen to it? Throws a Refusal for an unknown address (64). */
export async function explain(options: ExplainOptions): Promise<ObjectExplanation> {
  const { explainAddress } = await import('./app/explain.ts');
  return explainAddress(...(await asked('explain', options)));
}

/**
 * Takes declared objects into state that are on the platform already, without a write to it. Throws a Refusal for an address
 * that is not declared (64), is in state or is not on the platform (6); then nothing was changed.
 */
export async function adopt(options: AdoptOptions): Promise<Adopted> {
  const { adoptObjects } = await import('./app/adopt.ts');
  return adoptObjects(...(await asked('adopt', options)));
}

/** Runs the `*.test.yaml` of manifests on a simulated platform. Throws a Refusal for invalid tests (65), and for none (64). */
export async function runTests(options: RunTestsOptions = {}): Promise<TestReport> {
  const { runTests: run } = await import('./tools/rehearsal/test.ts');
  const told = (result: TestResult): void => {
    options.onResult?.(result);
    demandWanted(options.signal);
  };
  return run(...(await asked('runTests', options, { onResult: told })));
}

/** Is every declared message on the platform, once and in order? The `exit_code` of the report says so. Changes nothing. */
export async function verify(options: VerifyOptions = {}): Promise<MigrationReport> {
  const { verifyMessages } = await import('./app/verify.ts');
  return verifyMessages(...(await asked('verify', options, { isWhole: options?.all })));
}

/**
 * Finds out how the application answers where the platform's documentation is open, and writes it to a file. Makes a few users
 * and channels and removes them: the call is the approval. Throws a Refusal for the token (3) and too many users (5).
 */
export async function doctor(options: DoctorOptions = {}): Promise<Examined> {
  const { examinePlatform } = await import('./tools/doctor/doctor.ts');
  return examinePlatform(...(await asked('doctor', options, { isAnySize: options?.anySize })), async () => {});
}

/** Writes a live application as manifests and a state. Throws a Refusal (6) when the folder or the state is not empty. */
export async function exportEstate(options: ExportOptions): Promise<Exported> {
  const { exportApplication } = await import('./tools/live-import/export.ts');
  return exportApplication(...(await asked('exportEstate', options)));
}

/**
 * Turns an export of another chat system into manifests, archives and a ledger of every line. Throws a Refusal for an export
 * or decisions that cannot be read (65), an unknown source (64), and generated files that somebody edited (5); then the
 * folder is as it was.
 */
export async function convert(options: ConvertOptions): Promise<ConvertResult> {
  const { convertExport } = await import('./tools/migration/convert.ts');
  const [given, ports] = await asked('convert', options);
  const { cwd, clock } = ports;
  const { source, exported, mapping, identities, signal, onProgress } = given;
  if ((source === 'table') !== (mapping !== undefined))
    throw usage(
      source === 'table' ? 'mapping is required for tables.' : 'mapping is only for tables.',
      'Nothing was done. chatform schema mapping prints the form of a mapping.',
    );
  return convertExport({
    ...given,
    clock,
    ports,
    exported: typeof exported === 'string' ? resolve(cwd, exported) : exported.map((path) => resolve(cwd, path)),
    ...(mapping === undefined ? {} : { mapping: resolve(cwd, localPath(mapping, 'A mapping')) }),
    ...(identities === undefined ? {} : { identities: resolve(cwd, localPath(identities, 'A list of identities')) }),
    out: resolve(cwd, localPath(given.out, 'A conversion')),
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
  const { copyFiles: copy } = await import('./tools/migration/files.ts');
  return copy(...(await asked('copyFiles', options)));
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

function listenersOf({ onEvent }: RunOptions) {
  return onEvent === undefined ? {} : { event: onEvent };
}

/** The options whose form a use case does not know. Every function has some of them. */
interface AnyOptions extends ManifestOptions {
  readonly ratePlan?: RatePlan;
  readonly target?: readonly string[];
  readonly maxDuration?: string;
  readonly lockTimeout?: string;
  readonly settleTime?: string;
  readonly overlap?: string;
}

/**
 * What a use case is called with: the options in its form, with `others`, and what surrounds it. Throws a Refusal (64) for options
 * that are not valid or name a file of another kind, and (8) when the caller has cancelled already, unless a report says so.
 */
async function asked<Given extends AnyOptions, Others extends object>(
  name: LibraryFunction,
  options: Given,
  others: Others = {} as Others,
  cancelled: 'throws' | 'reports' = 'throws',
) {
  const { demandOptions, demandReplaceableFiles } = await import('./app/context/checked-options.ts');
  demandOptions(name, options);
  const { paths = [], target: targets, maxDuration, lockTimeout, settleTime, overlap } = options;
  const given = {
    ...options,
    ...others,
    paths,
    targets,
    maxDurationMs: milliseconds(maxDuration),
    lockTimeoutMs: milliseconds(lockTimeout),
    settleMs: milliseconds(settleTime),
    overlapMs: milliseconds(overlap),
  };
  const ports = await portsOf(options);
  if (cancelled === 'throws') demandWanted(options.signal);
  await demandReplaceableFiles(name, options, ports.cwd);
  return [given, ports] as const;
}

/** Options are not checked yet: a program may pass null. */
function runOf(options: PlanUndoOptions | null) {
  return { run: options?.run?.toString() };
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

function milliseconds(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration);
}

/** Throws a Refusal (64) when `cwd` is not a folder. */
async function portsOf(options: AnyOptions): Promise<Ports> {
  const { env = process.env, variables: variablesFile, signal, onNotice = () => {} } = options;
  const cwd = resolve(options.cwd ?? process.cwd());
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const advice = 'Nothing was done. Create the folder, or pass another one.';
    throw usage(`cwd is "${options.cwd}", which is not a folder.`, advice);
  }
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
