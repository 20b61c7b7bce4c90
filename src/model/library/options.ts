// The options of the functions of the library. Names and forms are those of the flags.
import type { ConvertProgress, FileCopyOptions } from '../conversion.ts';
import type { ConversionSource } from '../conversion-sources.ts';
import type { ApplyEvent, Notice } from '../event.ts';
import type { RatePlan } from '../limits.ts';
import type { WindowKind } from '../readings.ts';
import type { TestResult } from '../report.ts';

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
export interface RunOptions {
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
  /** Skips objects that have changed since the plan was saved. */
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
  readonly window?: WindowKind;
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
  /** Their reactions and pins, too, with a request for each group channel. */
  readonly reactions?: boolean;
  /** The folder of an earlier export, whose archives are continued. */
  readonly since?: string;
  /** How much of the earlier archives is read again, for edits and deletions: `12h`. Default: `168h`. */
  readonly overlap?: string;
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
