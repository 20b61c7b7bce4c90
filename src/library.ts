// chatform as a library: typed options in, values out, nothing printed.
//
// The functions are the use cases of the commands. What a command refuses is thrown as a `Refusal`, with the command's exit
// code and diagnostics. The environment twins of flags (`CHATFORM_STATE`) are not read: a program says what it means.
// Secrets come from `env`, as they do for a command.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ports } from './app/context/ports.ts';
import { durationAdvice, parseDuration } from './lib/option-values.ts';
import type { ConvertResult } from './model/conversion.ts';
import type { Diagnostic } from './model/diagnostic.ts';
import { usage } from './model/errors.ts';
import type { ApplyEvent } from './model/event.ts';
import { type RatePlan, ratePlans } from './model/limits.ts';
import type { MigrationReport } from './model/migration-report.ts';
import type { Plan } from './model/plan.ts';
import type { ApplyReport, Rehearsed } from './model/report.ts';

export { InternalError } from './lib/errors.ts';
export type { Series } from './lib/series.ts';
export type { Action } from './model/action.ts';
export type { Address } from './model/address.ts';
export type { AttributeChange, Change, Drift } from './model/change.ts';
export type { ConvertResult } from './model/conversion.ts';
export type { Diagnostic } from './model/diagnostic.ts';
export { Refusal } from './model/errors.ts';
export type { ApplyEvent } from './model/event.ts';
export type { ExitCode } from './model/exit-code.ts';
export type { RatePlan } from './model/limits.ts';
export type { MigrationReport } from './model/migration-report.ts';
export type { Plan } from './model/plan.ts';
export type { ApplyReport, Rehearsed } from './model/report.ts';
export type { Step } from './model/step.ts';
export { version } from './version.ts';

/** The manifests, and where relative paths start. */
export interface ManifestOptions {
  /** Files, or folders that are read whole. Default: `cwd`. */
  readonly paths?: readonly string[];
  /** What paths are relative to. Default: the process's. */
  readonly cwd?: string;
  /** A file with the values of declared variables: NAME: VALUE, in YAML or JSON. */
  readonly variables?: string;
  /** `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, `CHATFORM_STATE_PASSWORD`. Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The flags that plan, apply and rehearse share; each means what the flag of its name means. */
export interface EstateOptions extends ManifestOptions {
  /** `file:DIR`, `postgres://…`, `s3://…`, `azblob://…` or `gs://…`. Default: `file:.chatform/state`. */
  readonly state?: string;
  /** In place of the manifest's. It is trusted: the token goes there. */
  readonly baseUrl?: string;
  readonly ratePlan?: RatePlan;
  /** Only these objects and what they need: addresses, or patterns such as `user.bot-*`. */
  readonly target?: readonly string[];
}

export interface PlanOptions extends EstateOptions {
  /** Reads the live objects first, which needs a token. */
  readonly refresh?: boolean;
  readonly apiTokenFile?: string;
  /** Tells the changes of this branch from those that were waiting at this git reference. */
  readonly baseRef?: string;
  /** Saves the plan to this file, for `apply({ paths: [file] })`. */
  readonly out?: string;
}

export interface ApplyOptions extends EstateOptions {
  /** Manifests, or one saved plan. */
  readonly paths?: readonly string[];
  readonly refresh?: boolean;
  readonly apiTokenFile?: string;
  /** Runs only the plan with this hash (`Plan.hash`): what was looked at is what is done. */
  readonly approvedHash?: string;
  /** Starts no new step this long after the call, with all that is read and waited for: `50m`. */
  readonly maxDuration?: string;
  /** How long to wait for somebody else's lock: `30s`. Default: not at all. */
  readonly lockTimeout?: string;
  /** Goes on after many failures. */
  readonly keepGoing?: boolean;
  /** Of a saved plan, leaves out objects that changed since. */
  readonly skipConflicts?: boolean;
  /** The file for issued tokens, one JSON line each. */
  readonly tokensOut?: string;
  /** Aborted: no new call is made, running ones finish, and the report says `interrupted`. */
  readonly signal?: AbortSignal;
  /** Told of every event of the run as it happens; must not throw. */
  readonly onEvent?: (event: ApplyEvent) => void;
}

export interface RehearseOptions extends EstateOptions {
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

export interface DriftOptions extends EstateOptions {
  readonly apiTokenFile?: string;
}

export interface VerifyOptions extends ManifestOptions, Pick<EstateOptions, 'baseUrl' | 'ratePlan'> {
  readonly apiTokenFile?: string;
  /** Compares every message. Default: a sample of the channels whose count is right. */
  readonly all?: boolean;
}

export interface ExportOptions extends Omit<EstateOptions, 'paths' | 'target'> {
  readonly apiTokenFile?: string;
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

export interface Exported {
  /** Relative to `out`. */
  readonly files: readonly string[];
  /** Objects of each kind. */
  readonly counts: readonly { readonly title: string; readonly section: string; readonly count: number }[];
  readonly messages: number;
  /** What could not be declared, a sentence for each part. */
  readonly leftOut: readonly string[];
  /** Hosts that the platform calls, for `CHATFORM_ALLOWED_HOSTS`. */
  readonly hosts: readonly string[];
  readonly requests: number;
}

export interface ConvertOptions {
  /** `slack`, `mattermost`, `stream`, `discord` or `sendbird`. */
  readonly source: string;
  /** A zip file, the folder that it was unpacked to, or a file. */
  readonly exported: string;
  /** The folder of the manifests. */
  readonly out: string;
  /** What the two are relative to. Default: `process.cwd()`. */
  readonly cwd?: string;
}

export interface Validated {
  /** No diagnostic is an error. */
  readonly isValid: boolean;
  /** Errors first, then by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many objects are declared, as far as they could be read. */
  readonly objects: number;
  /** Relative to `cwd`, with `/`. */
  readonly files: readonly string[];
}

export interface Planned {
  /** `changes`, `steps` and `drift` are series, which may lie on disk: go through them with for…of, or take a `slice`. */
  readonly plan: Plan;
  /** Warnings and notes on the manifests. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks manifests, offline. Problems in them are values and not thrown. */
export async function validate(options: ManifestOptions = {}): Promise<Validated> {
  const { validateManifests } = await import('./app/validate.ts');
  return validateManifests({ paths: pathsOf(options) }, await portsOf(options));
}

/**
 * What would an apply do? Takes no lock and changes nothing. Throws a Refusal for manifests that are not valid (65), a
 * safety rule (5), the state of another application or an untrusted host (6), and, with `refresh`, the token (3).
 */
export async function plan(options: PlanOptions = {}): Promise<Planned> {
  const [{ planChanges }, { refusedBySafety }] = await Promise.all([
    import('./app/plan.ts'),
    import('./app/context/refusals.ts'),
  ]);
  const { out, refresh, baseRef } = options;
  const ports = await portsOf(options);
  const planned = await planChanges({ ...estateOf(options), refresh, baseRef, isToBeSaved: out !== undefined }, ports);
  if (planned.refusals.length > 0) throw refusedBySafety(planned.refusals);
  if (out !== undefined) {
    const { savePlan } = await import('./app/plans/plan-file.ts');
    await savePlan(planned.plan, out, ports);
  }
  return { plan: planned.plan, diagnostics: planned.remarks };
}

/**
 * Makes it so, without asking: the call is the approval. Resumable at any moment by the same call. A run that began
 * always ends in a report, whose `exit_code` says how (4 incomplete, 8 interrupted, 9 out of time). What stopped it
 * before it began is thrown as a Refusal; so is a token that the platform refuses (3).
 */
export async function apply(options: ApplyOptions = {}): Promise<ApplyReport> {
  const { applyChanges } = await import('./app/apply.ts');
  const { refresh, approvedHash, keepGoing, skipConflicts, tokensOut, signal, onEvent } = options;
  const { report } = await applyChanges(
    {
      ...estateOf(options),
      refresh,
      approvedHash,
      keepGoing,
      skipConflicts,
      tokensOut,
      maxDurationMs: milliseconds('maxDuration', options.maxDuration),
      lockTimeoutMs: milliseconds('lockTimeout', options.lockTimeout),
    },
    await portsOf(options, signal),
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
export async function drift(options: DriftOptions = {}): Promise<Plan> {
  const { readDrift } = await import('./app/drift.ts');
  return readDrift(estateOf(options), await portsOf(options));
}

/** Is every declared message on the platform, once and in order? The `exit_code` of the report says so. Changes nothing. */
export async function verify(options: VerifyOptions = {}): Promise<MigrationReport> {
  const { verifyMessages } = await import('./app/verify.ts');
  return verifyMessages({ ...estateOf(options), isWhole: options.all }, await portsOf(options));
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
export async function convert({ source, exported, out, cwd = process.cwd() }: ConvertOptions): Promise<ConvertResult> {
  const { convertExport } = await import('./app/convert.ts');
  return convertExport({ source, exported: resolve(cwd, exported), out: resolve(cwd, out) });
}

/** What the functions share. Refused (64) for an unknown rate plan, and for an empty text, probably of an unset variable. */
function estateOf(options: EstateOptions & { readonly apiTokenFile?: string }) {
  const { state, baseUrl, ratePlan, target: targets, apiTokenFile } = options;
  if (ratePlan !== undefined && !ratePlans.includes(ratePlan))
    throw usage(`"${ratePlan}" is not a rate plan.`, `The rate plans are ${ratePlans.join(', ')}.`);
  return { paths: pathsOf(options), state, baseUrl, ratePlan, targets, apiTokenFile };
}

function pathsOf(options: ManifestOptions): readonly string[] {
  for (const [name, value] of Object.entries(options)) {
    if (value !== '' && !(Array.isArray(value) && value.includes(''))) continue;
    throw usage(
      `${name} is empty, or holds an empty text.`,
      'Nothing was done. Leave it out where nothing is to be given.',
    );
  }
  return options.paths ?? [];
}

function milliseconds(name: string, text: string | undefined): number | undefined {
  const duration = text === undefined ? undefined : parseDuration(text);
  if (text === undefined || duration !== undefined) return duration;
  throw usage(`${name} is "${text}", which is not a duration.`, durationAdvice);
}

async function portsOf(
  { cwd: folder = process.cwd(), env = process.env, variables: variablesFile }: ManifestOptions,
  signal?: AbortSignal,
): Promise<Ports> {
  const cwd = resolve(folder);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usage(`cwd is "${folder}", which is not a folder.`, 'Nothing was done. Create it, or give another one.');
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
    notify: () => {},
  };
}
