// chatform as a library: typed options in, documents out, nothing printed.
//
// The functions are the use cases of the commands. What a command refuses is thrown as a `Refusal`, with the command's exit
// code and diagnostics (schema/diagnostics.md). The environment twins of flags (`CHATFORM_STATE`) are not read: a program
// passes what it means. Secrets come from `env`, as they do for a command. The comments and examples of the functions are also
// the page schema/library.md, which npm run schema writes.
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Ports } from './core/app/context/ports.ts';
import { folderDeleted, noFolder, workingFolder } from './core/app/context/this-process.ts';
import type { PlannedChanges } from './core/app/plan.ts';
import type { AccessExplanation } from './core/model/access/access.ts';
import type { Diagnostic } from './core/model/diagnostic.ts';
import {
  type AdoptionDocument,
  type ConversionDocument,
  type CopiedFilesDocument,
  type ExaminationDocument,
  type ExportDocument,
  type RehearsalDocument,
  resultFormatVersion,
  type ValidationDocument,
} from './core/model/documents.ts';
import { Refusal, usage } from './core/model/errors.ts';
import { exitCode } from './core/model/exit-code.ts';
import type { ObjectExplanation } from './core/model/explanation.ts';
import { guarded } from './core/model/library/guarded-listeners.ts';
import type {
  AdoptOptions,
  ApplyOptions,
  CalibrateOptions,
  ConvertOptions,
  CopyFilesOptions,
  DriftOptions,
  ExplainAccessOptions,
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
} from './core/model/library/options.ts';
import { programOptions } from './core/model/library/program-options.ts';
import { type LibraryFunction, useCases } from './core/model/library/use-cases.ts';
import type { MigrationReport } from './core/model/migration-report.ts';
import type { Plan } from './core/model/plan.ts';
import type { ApplyReport, TestReport, TestResult } from './core/model/report.ts';
import { localPath } from './core/model/stores/local-path.ts';

export type { AccessEntry, AccessExplanation } from './core/model/access/access.ts';
export type { Action } from './core/model/action.ts';
export type { Address } from './core/model/address.ts';
export type { BehavioursFile } from './core/model/behaviours.ts';
export type { AttributeChange, Change, Drift } from './core/model/change.ts';
export type { ConvertProgress } from './core/model/conversion.ts';
export type { Diagnostic } from './core/model/diagnostic.ts';
export type * from './core/model/documents.ts';
export { Refusal } from './core/model/errors.ts';
export type { ApplyEvent, Notice } from './core/model/event.ts';
export type { ExitCode } from './core/model/exit-code.ts';
export type { ObjectExplanation } from './core/model/explanation.ts';
export type * from './core/model/library/options.ts';
export type { RatePlan } from './core/model/limits.ts';
export type { MigrationReport } from './core/model/migration-report.ts';
export type { Plan } from './core/model/plan.ts';
export type { ChangeReason } from './core/model/reasons.ts';
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
} from './core/model/report.ts';
export type { Step } from './core/model/step.ts';
export { InternalError } from './lib/errors.ts';
export type { Series } from './lib/series.ts';
export { version } from './version.ts';

/** A plan, and what there is to say about its manifests. */
export interface Planned {
  /** `changes`, `steps` and `drift` are series, which may be on disk: go through them with for…of, or take a `slice`. */
  readonly plan: Plan;
  /** Warnings and notes on the manifests. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The plan with its `stages`, and the `stage` of each change, to be shown: `apply` takes `plan`, and `stage` again. Absent without
   * `stage`, and for a plan without steps.
   */
  readonly staged?: Plan;
}

/**
 * Checks manifests offline, or with `online` also against the application. Problems are part of the result and not thrown.
 *
 * @throws Refusal With `online` only: for the token (3), an untrusted host (65) and an application that cannot be reached (1).
 * @example
 * const { valid, diagnostics } = await validate({ paths: ['manifests'] });
 * for (const { severity, summary, source } of diagnostics) console.log(`${source?.file}: ${severity}: ${summary}`);
 * if (!valid) process.exitCode = 65;
 */
export async function validate(options: ValidateOptions = {}): Promise<ValidationDocument> {
  return guarded(options, async (guardedOptions) => {
    const [{ validateManifests }, { validationDocument }] = await Promise.all([
      import('./core/app/validate.ts'),
      import('./core/view/json/results.ts'),
    ]);
    return validationDocument(await validateManifests(...(await begin('validate', guardedOptions))));
  });
}

/**
 * Plans the changes that make the application match the manifests. Takes no lock and changes nothing. The plan can be passed to
 * `apply`, so it is made like one that is saved: with `policy: {refresh: {apply: all}}` it reads the live objects.
 *
 * @throws Refusal For invalid manifests (65), a safety rule (5), the state of another application (6) and a failing `signCommand` (1).
 * A plan that reads live objects also throws one for a missing or refused token (3).
 * @example
 * const { plan: planned } = await plan({ paths: ['manifests'], state: 'file:.chatform/state' });
 * for (const { address, actions } of planned.changes.slice(0, 20)) console.log(actions.join(', '), address);
 * const { staged } = await plan({ stage: ['10%'] });
 * for (const { select = 'the rest', objects } of staged?.stages ?? []) console.log(`${select}: ${objects} objects`);
 */
export async function plan(options: PlanOptions = {}): Promise<Planned> {
  return guarded(options, async (guardedOptions) => {
    const { planChanges } = await import('./core/app/plan.ts');
    const [checked, ports] = await begin('plan', guardedOptions);
    demandFile(checked);
    return endPlanning(await planChanges({ ...checked, isToBeSaved: true }, ports), checked, ports);
  });
}

/**
 * Changes the application to match manifests, a saved plan or a plan object, without asking. The same call continues a run that
 * was interrupted. Once a run has begun, the promise always resolves to a report, whose `exit_code` is that of the command: 4
 * incomplete, 8 interrupted, 9 out of time. A plan object is checked like a saved plan: it must be unedited and for this
 * application, and its objects must be as they were when it was made.
 *
 * @throws Refusal If the run cannot begin: for invalid manifests (65), a safety rule (5), a plan that is stale, edited or not
 * the approved one (6), a lock that somebody else holds (7); and at any time for a token that the platform refuses (3).
 * @example
 * const { plan: planned } = await plan({ state: 'file:.chatform/state' });
 * const report = await apply({ plan: planned, state: 'file:.chatform/state', maxDuration: '50m' });
 * console.log(`${report.outcome}: ${report.steps.succeeded} of ${report.steps.planned} steps`);
 */
export async function apply(options: ApplyOptions = {}): Promise<ApplyReport> {
  return guarded(options, async (guardedOptions) => {
    const { applyChanges } = await import('./core/app/apply.ts');
    const [checked, ports] = await begin('apply', guardedOptions, 'reports');
    return (await applyChanges({ ...checked, plan: planIn(guardedOptions) }, ports, listenersOf(guardedOptions)))
      .report;
  });
}

/**
 * Plans to undo a run. The warnings of the plan list what an undo cannot restore. Takes no lock and changes nothing.
 *
 * @throws Refusal As `plan` does, if the values from before the run are not kept (1), and for an unknown run (64).
 * @example
 * const { plan: planned } = await planUndo({ run: 12 });
 * for (const { summary } of planned.warnings) console.log(summary);
 */
export async function planUndo(options: PlanUndoOptions = {}): Promise<Planned> {
  return guarded(options, async (guardedOptions) => {
    const { planUndo: planned } = await import('./core/app/undo.ts');
    const [checked, ports] = await begin('planUndo', guardedOptions);
    demandFile(checked);
    return endPlanning(
      await planned({ ...checked, run: checked.run?.toString(), isToBeSaved: true }, ports),
      checked,
      ports,
    );
  });
}

/**
 * Undoes a run, without asking. If the run stopped halfway, what it did is undone. Resolves to a report as `apply` does.
 *
 * @throws Refusal As `planUndo` does, and for a plan that is not the approved one (6) or a lock that somebody else holds (7).
 * @example
 * const { plan: planned } = await planUndo({ run: 12 });
 * const report = await undo({ run: 12, approvedHash: planned.hash });
 * process.exitCode = report.exit_code;
 */
export async function undo(options: UndoOptions = {}): Promise<ApplyReport> {
  return guarded(options, async (guardedOptions) => {
    const { undoRun } = await import('./core/app/undo.ts');
    const [checked, ports] = await begin('undo', guardedOptions, 'reports');
    return (await undoRun({ ...checked, run: checked.run?.toString() }, ports, listenersOf(guardedOptions))).report;
  });
}

/**
 * Runs the plan against a simulated platform in virtual time. Sends nothing, changes nothing and needs no token.
 *
 * @throws Refusal If an apply would be refused before its first step, with the same exit code.
 * @example
 * const { outcome, duration_s, next_plan_steps } = await rehearse({ latency: 300, window: 'gcra' });
 * console.log(`${outcome} after ${duration_s} s; ${next_plan_steps} steps are left.`);
 */
export async function rehearse(options: RehearseOptions = {}): Promise<RehearsalDocument> {
  return guarded(options, async (guardedOptions) => {
    const [{ rehearseApply }, { rehearsalDocument }] = await Promise.all([
      import('./tools/rehearsal/rehearse.ts'),
      import('./core/view/json/results.ts'),
    ]);
    const [checked, ports] = await begin('rehearse', guardedOptions);
    return rehearsalDocument(await rehearseApply({ ...checked, plan: planIn(guardedOptions) }, ports));
  });
}

/**
 * Reads what others changed on the platform since the last apply: the `drift` of the plan. Changes nothing. The plan has no
 * changes of the manifests and cannot be applied. With `unmanaged`, the whole application is listed as well, and what nobody
 * declares is counted.
 *
 * @throws Refusal If the state has no objects (66), for the token (3), and for invalid manifests or an untrusted host (65). With
 * `unmanaged`, the state may be empty if nothing is declared.
 * @example
 * const { plan: observed } = await drift({ unmanaged: true });
 * for (const { address, type } of observed.drift ?? []) console.log(`${address} was ${type}`);
 * for (const { title, unmanaged } of observed.unmanaged?.kinds ?? []) console.log(`${title}: ${unmanaged} not managed`);
 */
export async function drift(options: DriftOptions = {}): Promise<Planned> {
  return guarded(options, async (guardedOptions) => {
    const { readDeclaredDrift } = await import('./core/app/drift.ts');
    const { plan: observed, manifest } = await readDeclaredDrift(...(await begin('drift', guardedOptions)));
    return { plan: observed, diagnostics: manifest.diagnostics };
  });
}

/**
 * Explains one object: where its values come from, and what an apply would do with it.
 *
 * @throws Refusal For an address that is neither declared nor in state (64), and whenever `plan` throws one.
 * @example
 * const { attributes } = await explain({ address: 'group_channel.support-42' });
 * for (const { name, standing } of attributes) console.log(`${name}: ${standing}`);
 */
export async function explain(options: ExplainOptions): Promise<ObjectExplanation> {
  return guarded(options, async (guardedOptions) => {
    const { explainAddress } = await import('./core/app/explain.ts');
    return explainAddress(...(await begin('explain', guardedOptions)));
  });
}

/**
 * Says what a user can read, write and moderate in each channel, or who can in one channel, now and after an apply, each with the line
 * that grants or withholds it. Reads nothing from the platform.
 *
 * @throws Refusal For an address that is not a user or a channel, or is neither declared nor in state (64). It also throws whenever
 * `plan` does.
 * @example
 * const { entries } = await explainAccess({ address: 'group_channel.support-42' });
 * for (const { user_id, planned } of entries) console.log(`${user_id}: ${planned.read.verdict}`);
 */
export async function explainAccess(options: ExplainAccessOptions): Promise<AccessExplanation> {
  return guarded(options, async (guardedOptions) => {
    const { explainAccess: explained } = await import('./core/app/explain-access.ts');
    return explained(...(await begin('explainAccess', guardedOptions)));
  });
}

/**
 * Takes objects into state that are declared and already on the platform, without a write to the platform.
 *
 * @throws Refusal For an address that is not declared (64), is in state already or is not on the platform (6). In each case
 * nothing was changed.
 * @example
 * const { adopted, missing } = await adopt({ addresses: ['user.*'], lockTimeout: '30s' });
 * console.log(`${adopted.length} users adopted, ${missing.length} are not on the platform`);
 */
export async function adopt(options: AdoptOptions): Promise<AdoptionDocument> {
  return guarded(options, async (guardedOptions) => {
    const [{ adoptObjects }, { adoptionDocument }] = await Promise.all([
      import('./core/app/adopt.ts'),
      import('./core/view/json/results.ts'),
    ]);
    return adoptionDocument(await adoptObjects(...(await begin('adopt', guardedOptions))));
  });
}

/**
 * Runs the tests in `*.test.yaml` on a simulated platform. Failed tests are part of the result and not thrown.
 *
 * @throws Refusal For invalid tests (65), and if there are none (64).
 * @example
 * const { tests } = await runTests({ onResult: ({ name }) => console.log(name) });
 * const failed = tests.filter(({ failures }) => failures.length > 0);
 */
export async function runTests(options: RunTestsOptions = {}): Promise<TestReport> {
  return guarded(options, async (guardedOptions) => {
    const { runTests: run } = await import('./tools/rehearsal/test.ts');
    const [checked, ports] = await begin('runTests', guardedOptions);
    const onResult = (result: TestResult): void => {
      guardedOptions.onResult?.(result);
      demandWanted(guardedOptions.signal);
    };
    return run({ ...checked, onResult }, ports);
  });
}

/**
 * Checks on the platform that every declared message arrived, once and in order. Changes nothing. The `exit_code` of the report
 * is 4 if one did not.
 *
 * @throws Refusal For the token (3), and for invalid manifests or an untrusted host (65).
 * @example
 * const { exit_code, channels } = await verify({ all: true });
 * const wrong = channels.filter(({ outcome }) => outcome !== 'matched');
 */
export async function verify(options: VerifyOptions = {}): Promise<MigrationReport> {
  return guarded(options, async (guardedOptions) => {
    const { verifyMessages } = await import('./core/app/verify.ts');
    return verifyMessages(...(await begin('verify', guardedOptions)));
  });
}

/**
 * Finds out how an application behaves where the platform's documentation is unclear, and writes its behaviour to a file. Creates
 * a few users and channels and removes them, without asking.
 *
 * @throws Refusal For a missing or refused token (3), more than 1,000 users (5), an untrusted host (65) and an unreachable
 * application (1).
 * @example
 * const { behaviours, left } = await calibrate({ baseUrl: 'https://api-TEST_APP.sendbird.com/v3' });
 */
export async function calibrate(options: CalibrateOptions = {}): Promise<ExaminationDocument> {
  return guarded(options, async (guardedOptions) => {
    const [{ calibratePlatform }, { examinationDocument }] = await Promise.all([
      import('./tools/calibration/calibrate.ts'),
      import('./core/view/json/results.ts'),
    ]);
    return examinationDocument(await calibratePlatform(...(await begin('calibrate', guardedOptions)), async () => {}));
  });
}

/**
 * Exports a live application to manifests and a state. No writes to the platform. The application is that of `baseUrl`, or of the
 * manifests in `cwd`. With `only`, it exports a part, into manifests that may exist.
 *
 * @throws Refusal If the folder or the state is not empty (6), a file cannot be written (1), or for the token (3). With `only`: if a
 * pattern matches nothing (64), the manifests are not valid or would not be (65), or a file changed meanwhile (6).
 * @example
 * const { objects, left_out } = await exportEstate({ out: 'estate', messages: true });
 * console.log(objects, left_out);
 */
export async function exportEstate(options: ExportOptions): Promise<ExportDocument> {
  return guarded(options, async (guardedOptions) => {
    const [{ exportApplication }, { exportDocument }] = await Promise.all([
      import('./tools/live-import/export.ts'),
      import('./core/view/json/results.ts'),
    ]);
    return exportDocument(await exportApplication(...(await begin('exportEstate', guardedOptions))));
  });
}

/**
 * Converts an export of another chat system to manifests, history files and a ledger of every line.
 *
 * @throws Refusal For an export, a mapping or decisions that cannot be read (65), a database that refuses a login (3) or cannot be
 * read (1), an unknown source (64), and generated files that somebody edited (5). The folder is then as it was.
 * @example
 * const { outcomes, undecided } = await convert({ source: 'slack', exported: 'export.zip', out: 'chat' });
 * console.log(`${outcomes.carried} carried, ${undecided.length} reasons to decide on`);
 */
export async function convert(options: ConvertOptions): Promise<ConversionDocument> {
  return guarded(options, async (guardedOptions) => {
    const { convertExport } = await import('./migration/convert.ts');
    const { keptPath } = await import('./core/app/context/output-files.ts');
    const [, ports] = await begin('convert', guardedOptions);
    const { cwd, clock } = ports;
    const { source, exported, mapping, identities, signal, onProgress } = guardedOptions;
    if ((source === 'table') !== (mapping !== undefined))
      throw usage(
        source === 'table' ? 'mapping is required for tables.' : 'mapping is only for tables.',
        'Nothing was done. chatform schema mapping prints the form of a mapping.',
      );
    const converted = await convertExport({
      ...guardedOptions,
      clock,
      ports,
      exported: [exported ?? []].flat().map((path) => resolve(cwd, path)),
      ...(mapping === undefined ? {} : { mapping: resolve(cwd, localPath(mapping, 'A mapping')) }),
      ...(identities === undefined ? {} : { identities: resolve(cwd, localPath(identities, 'A list of identities')) }),
      out: keptPath(cwd, guardedOptions.out, 'A conversion'),
      onProgress: (progress) => {
        demandWanted(signal);
        onProgress?.(progress);
      },
    });
    return { format_version: resultFormatVersion, ...converted };
  });
}

/**
 * Copies the files of a converted export to permanent storage, and writes the map of their URLs for the next conversion. Files
 * that could not be fetched are part of the result. The same call continues.
 *
 * @throws Refusal For an export or a conversion that cannot be read (65), and a copy that cannot be written (1).
 * @example
 * const { copied, failed } = await copyFiles({
 *   source: 'slack',
 *   exported: 'export.zip',
 *   out: 'chat',
 *   to: 's3://acme-chat/files',
 *   publicUrl: 'https://cdn.example.com/chat',
 * });
 */
export async function copyFiles(options: CopyFilesOptions): Promise<CopiedFilesDocument> {
  return guarded(options, async (guardedOptions) => {
    const { copyFiles: copy } = await import('./migration/files.ts');
    const [, ports] = await begin('copyFiles', guardedOptions);
    return { format_version: resultFormatVersion, ...(await copy(guardedOptions, ports)) };
  });
}

interface SavedOptions {
  readonly out?: string | undefined;
  readonly signCommand?: string | undefined;
}

/** Refused (64) when a plan is to be signed that is not saved. */
function demandFile({ out, signCommand }: SavedOptions): void {
  if (signCommand === undefined || out !== undefined) return;
  throw usage('signCommand needs out.', 'Nothing was done. Name the file of the plan in out.');
}

/** The plan with a checksum, for `apply`. Throws a Refusal (5) for a plan that a safety rule refuses. Saves it if `out` is given. */
async function endPlanning(
  planned: PlannedChanges,
  { out, signCommand }: SavedOptions,
  ports: Ports,
): Promise<Planned> {
  const { refusedBySafety } = await import('./core/app/context/refusals.ts');
  const { plan, refusals, remarks: diagnostics, staged } = planned;
  if (refusals.length > 0) throw refusedBySafety(refusals);
  const { savePlan, withChecksum } = await import('./core/app/plans/plan-file.ts');
  if (out !== undefined) await savePlan(plan, out, ports, signCommand);
  return { plan: withChecksum(plan), diagnostics, ...(staged === undefined ? {} : { staged }) };
}

/** The plan object among the options. Throws a Refusal (64) for options that would be ignored with it. */
function planIn(options: ApplyOptions | RehearseOptions): Plan | undefined {
  if (options.plan === undefined) return undefined;
  const ignored = Object.entries(options).flatMap(([name, value]) =>
    ['paths', 'target', 'exclude', 'refresh'].includes(name) && value !== undefined ? [name] : [],
  );
  if (ignored.length === 0) return options.plan;
  throw usage(
    `plan cannot be combined with ${ignored.join(', ')}.`,
    'Nothing was done. Pass what the plan is made from to plan(), and the plan alone to this function.',
  );
}

function listenersOf({ onEvent }: RunOptions) {
  return onEvent === undefined ? {} : { event: onEvent };
}

/** The options that the library itself reads. Most functions have more of them. */
type CallOptions = Pick<ManifestOptions, 'cwd' | 'env' | 'onNotice' | 'paths' | 'signal' | 'variables'>;

/**
 * The options of a call as its use case gets them, and what surrounds it. Throws a Refusal (64) for options that are not valid or
 * name a file of another kind, and (8) when the caller has cancelled already, unless a report says so.
 */
async function begin<Name extends LibraryFunction>(
  name: Name,
  options: CallOptions,
  cancelled: 'throws' | 'reports' = 'throws',
) {
  const { demandOptions, demandReplaceableFiles } = await import('./core/app/context/checked-options.ts');
  demandOptions(name, options);
  const read = programOptions<(typeof useCases)[Name]>(useCases[name], options);
  const ports = await portsOf(options);
  if (cancelled === 'throws') demandWanted(options.signal);
  await demandReplaceableFiles(name, options, ports.cwd);
  return [{ ...read, paths: options.paths ?? [] }, ports] as const;
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

/** A path that is too long for the system, or goes through a file, is no folder. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Throws a Refusal (64) when `cwd`, or the working folder that it counts from, is not a folder. */
async function portsOf(options: CallOptions): Promise<Ports> {
  const { env = process.env, variables: variablesFile, signal, onNotice = () => {} } = options;
  const { cwd: folder = '.' } = options;
  const base = isAbsolute(folder) ? '/' : workingFolder();
  if (base === noFolder) throw folderDeleted();
  const cwd = resolve(base, folder);
  if (!isFolder(cwd)) {
    const advice = 'Nothing was done. Create the folder, or pass another one.';
    throw usage(`cwd is "${options.cwd ?? cwd}", which is not a folder.`, advice);
  }
  const { nodeClock, trimmedVariables } = await import('./core/app/context/this-process.ts');
  return {
    env: trimmedVariables(env),
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
