// The options of the functions of the library. Written by npm run schema from use-cases.ts; do not edit.
import type { WindowKind } from '../behaviours.ts';
import type { ConvertProgress } from '../conversion.ts';
import type { ApplyEvent, Notice } from '../event.ts';
import type { RatePlan } from '../limits.ts';
import type { Plan } from '../plan.ts';
import type { TestResult } from '../report.ts';

/** Systems whose exports can be converted. `table` stands for every system that a mapping describes. */
export const conversionSources = ['slack', 'mattermost', 'stream', 'discord', 'sendbird', 'table'] as const;
export type ConversionSource = (typeof conversionSources)[number];

/** The options of all functions. */
export interface CommonOptions {
  /** Folder that relative paths start from, absolute or relative. Default: the working folder of the process. */
  readonly cwd?: string;
  /**
   * Cancels the call, which then throws a Refusal with exit code 8. Requests, waits, copies and conversions end at
   * once. Work on local files alone is cancelled only before it begins, and tests also between two tests.
   */
  readonly signal?: AbortSignal;
}

/** The options of functions that read manifests. */
export interface ManifestOptions extends CommonOptions {
  /** Manifests: files, or folders to read recursively. Default: `cwd`. */
  readonly paths?: readonly string[];
  /** YAML or JSON file with values for declared variables (NAME: VALUE). */
  readonly variables?: string;
  /**
   * Environment variables: `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, and variables of stores
   * such as `CHATFORM_STATE_PASSWORD`. Default: the variables of the process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with the lines that a command prints while it works: remarks, waits, progress. Must not throw. */
  readonly onNotice?: (notice: Notice) => void;
}

/** The options of functions that plan for one application, or send it requests. */
export interface ApplicationOptions extends ManifestOptions {
  /** The application's address; overrides the manifest. Trusted: it receives the token. */
  readonly baseUrl?: string;
  /** The rate plan; overrides the manifest. */
  readonly ratePlan?: RatePlan;
  /** File that contains the API token. Default: `CHATFORM_API_TOKEN` of `env`. */
  readonly apiTokenFile?: string;
}

/** The options of functions that also read state. */
export interface EstateOptions extends ApplicationOptions {
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** Only these objects and their dependencies: `user.alice`, or a pattern such as `group_channel.support-*`. */
  readonly target?: readonly string[];
  /**
   * Leaves out these objects, and changes that need one of them: `user.bob`, or a pattern such as
   * `group_channel.old-*`. With `target`, leaves them out of the objects that `target` selects.
   */
  readonly exclude?: readonly string[];
}

/** The options of functions that carry out a plan. */
export interface RunOptions {
  /** Refuses any plan whose `hash` differs, so that only the reviewed plan runs. */
  readonly approvedHash?: string;
  /** Time limit, counted from the call and including reads and waits: `50m`. No step starts after it. */
  readonly maxDuration?: string;
  /**
   * Time of day, or date and time, after which no step starts: `04:00` in the zone of the machine, `04:00Z`,
   * `2026-12-01T04:00:00Z`.
   */
  readonly stopAt?: string;
  /** How long to wait for the lock on the state. Default: `0s`. */
  readonly lockTimeout?: string;
  /** Continues after many failures. */
  readonly keepGoing?: boolean;
  /** How long to wait for a call whose response was lost, since it may still take effect. Default: `15s`. */
  readonly settleTime?: string;
  /** Stops the run: no new request is sent, those under way finish, and the report has the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called for every event as it happens. Must not throw. */
  readonly onEvent?: (event: ApplyEvent) => void;
}

/** The options of `validate`. */
export interface ValidateOptions extends ApplicationOptions {
  /** Also checks by reads whether the application is ready for these manifests. Needs a token. */
  readonly online?: boolean;
}

/** The options of `plan`. */
export interface PlanOptions extends EstateOptions {
  /**
   * Which live objects to read first, to plan from their current values: all, those that the plan would change or
   * create, or none. Reading needs a token. Default: as `policy.refresh` says.
   */
  readonly refresh?: string;
  /** Marks each change as caused by this branch or already pending at this git ref. */
  readonly baseRef?: string;
  /** The `stage` of the apply, so that the result also has the plan with its stages. */
  readonly stage?: readonly string[];
  /** In CI, allows a commit whose history lacks the commit that was applied last. */
  readonly allowOlder?: boolean;
  /** File to save the plan in, for `apply({ paths: [file] })` or `chatform apply FILE`. */
  readonly out?: string;
  /**
   * With `out`: a command line that signs the saved plan. It reads the file from standard input and prints the
   * signature, which chatform writes to the path of `out` with `.sig` appended.
   */
  readonly signCommand?: string;
}

/** The options of `apply`. */
export interface ApplyOptions extends EstateOptions, RunOptions {
  /** Manifests (files or folders), or one saved plan. Default: `cwd`. */
  readonly paths?: readonly string[];
  /**
   * Plan that `plan` or `planUndo` returned, or the JSON of it, in place of `paths`, `target`, `exclude` and `refresh`.
   * Refused if it was edited.
   */
  readonly plan?: Plan;
  /**
   * Which live objects to read first, to plan from their current values: all, those that the plan would change or
   * create, or none. Reading needs a token. Default: as `policy.refresh` says.
   */
  readonly refresh?: string;
  /** Skips objects that changed since the plan was made. */
  readonly skipConflicts?: boolean;
  /** In CI, allows a commit whose history lacks the commit that was applied last. */
  readonly allowOlder?: boolean;
  /**
   * Runs only a saved plan (a path in `paths`) that a signer of `policy.approvals` has signed; the signature is in the
   * file beside it, with `.sig` appended.
   */
  readonly requireSignature?: boolean;
  /** With a saved plan: the manifests whose policy and limits judge it, and whose signers count. Default: `cwd`. */
  readonly approvalsFrom?: string;
  /**
   * Judges by the policy, limits, behaviour and place of the state at this git ref. Pass it if the files on disk come
   * from a pull request, which may have changed them.
   */
  readonly approvalsRef?: string;
  /** File for issued tokens, one JSON line each. */
  readonly tokensOut?: string;
  /**
   * Parts of the plan to apply one after the other, each with `gate` after it, and the rest at the end: a kind
   * (`custom_type`), an address, a glob of addresses (`group_channel.support-*`), or whole channels as a share (`10%`).
   */
  readonly stage?: readonly string[];
  /** With `stage`, the command line that runs after each stage. The next stage starts only if it ends with 0. */
  readonly gate?: string;
  /** Time limit of the command of `gate`. chatform then ends the command, and the gate has failed. Default: `10m`. */
  readonly gateTimeout?: string;
}

/** The options of `planUndo`. */
export interface PlanUndoOptions extends ApplicationOptions {
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** Number of the run in the audit trail. Default: the last run. */
  readonly run?: number;
  /**
   * Whether to read the objects that the run changed first. The read detects changes by people, and needs a token.
   * `all` and `changed` read them; `none` does not. Default: `all`.
   */
  readonly refresh?: string;
  /** File to save the plan in, for `apply({ paths: [file] })` or `chatform apply FILE`. */
  readonly out?: string;
  /**
   * With `out`: a command line that signs the saved plan. It reads the file from standard input and prints the
   * signature, which chatform writes to the path of `out` with `.sig` appended.
   */
  readonly signCommand?: string;
}

/** The options of `undo`. */
export interface UndoOptions extends ApplicationOptions, RunOptions {
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** Number of the run in the audit trail. Default: the last run. */
  readonly run?: number;
  /**
   * Whether to read the objects that the run changed first. The read detects changes by people, and needs a token.
   * `all` and `changed` read them; `none` does not. Default: `all`.
   */
  readonly refresh?: string;
}

/** The options of `rehearse`. */
export interface RehearseOptions extends ManifestOptions {
  /** Manifests (files or folders), or one saved plan. Default: `cwd`. */
  readonly paths?: readonly string[];
  /** The application's address; overrides the manifest. Trusted: it receives the token. */
  readonly baseUrl?: string;
  /** The rate plan; overrides the manifest. */
  readonly ratePlan?: RatePlan;
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** Only these objects and their dependencies: `user.alice`, or a pattern such as `group_channel.support-*`. */
  readonly target?: readonly string[];
  /**
   * Leaves out these objects, and changes that need one of them: `user.bob`, or a pattern such as
   * `group_channel.old-*`. With `target`, leaves them out of the objects that `target` selects.
   */
  readonly exclude?: readonly string[];
  /**
   * Plan that `plan` or `planUndo` returned, or the JSON of it, in place of `paths`, `target`, `exclude` and `refresh`.
   * Refused if it was edited.
   */
  readonly plan?: Plan;
  /** Delay of every response of the platform in milliseconds. Default: `100`. */
  readonly latency?: number;
  /** How the platform counts requests (default: as calibrate recorded, or sliding). */
  readonly window?: WindowKind;
  /** A JSON file of faults to inject, as for chatform emulator. */
  readonly faults?: string;
  /** Seed of the random numbers; the same seed gives the same run. Default: `1`. */
  readonly seed?: number;
  /** Time limit, counted from the call and including reads and waits: `50m`. No step starts after it. */
  readonly maxDuration?: string;
  /** Continues after many failures. */
  readonly keepGoing?: boolean;
  /** Skips objects that changed since the plan was made. */
  readonly skipConflicts?: boolean;
  /** With a saved plan: the manifests whose policy and limits judge it, and whose signers count. Default: `cwd`. */
  readonly approvalsFrom?: string;
  /**
   * Judges by the policy, limits, behaviour and place of the state at this git ref. Pass it if the files on disk come
   * from a pull request, which may have changed them.
   */
  readonly approvalsRef?: string;
}

/** The options of `drift`. */
export interface DriftOptions extends EstateOptions {
  /**
   * Also lists the whole application, and counts what is not managed: one request for every hundred objects. Not with
   * `target` or `exclude`.
   */
  readonly unmanaged?: boolean;
}

/** The options of `explain`. */
export interface ExplainOptions extends ApplicationOptions {
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** Address of the object: `user.alice` or `group_channel.support-42`. */
  readonly address: string;
  /** Also reads the live object, which needs a token. `all` and `changed` mean the same here. Default: `none`. */
  readonly refresh?: string;
}

/** The options of `explainAccess`. */
export interface ExplainAccessOptions extends ApplicationOptions {
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** Address of a user or a channel: `user.alice` or `group_channel.support-42`. */
  readonly address: string;
}

/** The options of `adopt`. */
export interface AdoptOptions extends ApplicationOptions {
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** Declared objects: `user.alice`, or a pattern such as `user.support-*`. */
  readonly addresses: readonly string[];
  /** How long to wait for the lock on the state. Default: `0s`. */
  readonly lockTimeout?: string;
}

/** The options of `runTests`. */
export interface RunTestsOptions extends ManifestOptions {
  /** Files that end in `.test.yaml`, or folders. Default: `cwd`. */
  readonly paths?: readonly string[];
  /** YAML or JSON file with values for declared variables (NAME: VALUE). */
  readonly variables?: string;
  /** Run only tests whose name contains this text. */
  readonly name?: string;
  /** Succeed where there are no tests, as in a pipeline for every repository. */
  readonly passWithNoTests?: boolean;
  /** Called after each test. Must not throw. */
  readonly onResult?: (result: TestResult) => void;
}

/** The options of `verify`. */
export interface VerifyOptions extends ApplicationOptions {
  /** Compares every message. Default: of channels whose count is right, only a sample. */
  readonly all?: boolean;
  /** Also checks whether the declared members of group channels see the messages. */
  readonly asMember?: boolean;
}

/** The options of `calibrate`. */
export interface CalibrateOptions extends CommonOptions {
  /**
   * Environment variables: `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, and variables of stores
   * such as `CHATFORM_STATE_PASSWORD`. Default: the variables of the process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with the lines that a command prints while it works: remarks, waits, progress. Must not throw. */
  readonly onNotice?: (notice: Notice) => void;
  /** The application's address; overrides the manifest. Trusted: it receives the token. */
  readonly baseUrl?: string;
  /** The rate plan; overrides the manifest. */
  readonly ratePlan?: RatePlan;
  /** File that contains the API token. Default: `CHATFORM_API_TOKEN` of `env`. */
  readonly apiTokenFile?: string;
  /** The file to write; plan and apply look for the default name only. Default: `chatform-behaviours.json`. */
  readonly out?: string;
  /** Also examines an application with more than 1,000 users. Do not examine one that people use. */
  readonly anySize?: boolean;
}

/** The options of `exportEstate`. */
export interface ExportOptions extends CommonOptions {
  /** YAML or JSON file with values for declared variables (NAME: VALUE). */
  readonly variables?: string;
  /**
   * Environment variables: `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, and variables of stores
   * such as `CHATFORM_STATE_PASSWORD`. Default: the variables of the process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with the lines that a command prints while it works: remarks, waits, progress. Must not throw. */
  readonly onNotice?: (notice: Notice) => void;
  /** The application's address; overrides the manifest. Trusted: it receives the token. */
  readonly baseUrl?: string;
  /** The rate plan; overrides the manifest. */
  readonly ratePlan?: RatePlan;
  /** File that contains the API token. Default: `CHATFORM_API_TOKEN` of `env`. */
  readonly apiTokenFile?: string;
  /**
   * Where state is kept: file:DIR, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or
   * gs://BUCKET/PREFIX. Default: `application.state` of the manifests, or `file:.chatform/state`.
   */
  readonly state?: string;
  /** How long to wait for the lock on the state. Default: `0s`. */
  readonly lockTimeout?: string;
  /**
   * Folder for the manifests: empty, new, or the folder of an unfinished export with the same options. With `only`, it
   * may have manifests.
   */
  readonly out: string;
  /**
   * Exports only objects that one of these selects: a kind (`open_channel`), an address, a glob of addresses
   * (`group_channel.support-*`), or `custom_type=` and a glob. Their blocks are added to the manifests in `out`.
   * Default: everything.
   */
  readonly only?: readonly string[];
  /**
   * Leaves out objects that one of these patterns selects, written as in `only`. With `only`, leaves them out of the
   * objects that `only` selects.
   */
  readonly exclude?: readonly string[];
  /** With `only`, `users` also exports the users and bots that the selected objects name. */
  readonly with?: string;
  /** Also exports the messages of every channel: one request for every 200. */
  readonly messages?: boolean;
  /** Also exports reactions and pins of the messages: one request per group channel. */
  readonly reactions?: boolean;
  /** Also exports which messages are replies in threads, with an id on every line. */
  readonly threads?: boolean;
  /** Folder of an earlier export: messages before the overlap are copied from it, not read. */
  readonly since?: string;
  /** How long before the end of the earlier export edits and deletions are read: `12h`. Default: `168h`. */
  readonly overlap?: string;
  /** Also exports which users have hidden a channel: one request per user. */
  readonly hiddenStatus?: boolean;
  /** Also exports invitation preferences, bans and mutes: one request per user and two per channel. */
  readonly readEach?: boolean;
  /** Writes only the manifests, no state. */
  readonly withoutState?: boolean;
}

/** The options of `convert`. */
export interface ConvertOptions extends CommonOptions {
  /** The system that made the export. */
  readonly source: ConversionSource;
  /** A zip file, the unpacked folder, or a single file; several for tables, none with `fromEnv`. */
  readonly exported?: string | readonly string[];
  /**
   * For `table`: the environment variable with the URL of a PostgreSQL or MySQL database, which is read instead of
   * files.
   */
  readonly fromEnv?: string;
  /** Environment variables, among them the one that `fromEnv` names. Default: the variables of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Reads all rows of the database, although the mapping has `since`. */
  readonly full?: boolean;
  /** For `table`: the mapping file, which assigns columns to attributes. */
  readonly mapping?: string;
  /** Folder for the manifests. */
  readonly out: string;
  /** Times that the export covers, if the export does not say so: `2024-01-01..2024-03-31`, or `all`, in UTC. */
  readonly covers?: string;
  /** When the export was taken, if the export does not say so: `2024-04-01`, or `2024-04-01T10:00Z`. */
  readonly taken?: string;
  /** CSV file with the user_id of each person: columns `user_id` and `id`, `email` or `handle`. */
  readonly identities?: string;
  /** Called while the export is read. */
  readonly onProgress?: (progress: ConvertProgress) => void;
}

/** The options of `copyFiles`. */
export interface CopyFilesOptions extends CommonOptions {
  /** Environment variables, among them those that `headersFrom` names. Default: the variables of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The system that made the export. */
  readonly source: Exclude<ConversionSource, 'table'>;
  /** The export that was converted: a zip file, the unpacked folder, or a single file. */
  readonly exported: string;
  /** Folder of the conversion. */
  readonly out: string;
  /** Where to put the copies: a folder, s3://BUCKET/PREFIX, azblob://CONTAINER/PREFIX or gs://BUCKET/PREFIX. */
  readonly to: string;
  /** The address at which people reach the copies. */
  readonly publicUrl: string;
  /** Hosts from which files may be fetched. */
  readonly fetch?: readonly string[];
  /** `HOST=VARIABLE`: sends the header in the variable of `env`, such as `Authorization: Bearer …`, to the host. */
  readonly headersFrom?: readonly string[];
  /** Largest size of a copied file in bytes. Larger files stay where they are. Default: `5000000000`. */
  readonly maxBytes?: number;
  /** Called after each file. */
  readonly onProgress?: (done: number, of: number) => void;
}
