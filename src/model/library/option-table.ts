// The options of each function of the library as data: name, type, meaning, and the flag that means the same. The compiler proves
// that a table has exactly the names of the public type, and types that its values can have.
import { ratePlans } from '../limits.ts';
import { windowKinds } from '../readings.ts';
import type {
  AdoptOptions,
  ApplicationOptions,
  ApplyOptions,
  CommonOptions,
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
} from './options.ts';

/** The types of options, and the values that they have. */
interface Values {
  text: string;
  texts: readonly string[];
  'text or texts': string | readonly string[];
  switch: boolean;
  /** Whole, and at least zero. */
  count: number;
  /** `50m`. */
  duration: string;
  variables: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  function: (...given: never[]) => void;
}

export type OptionType = keyof Values;

export interface OptionForm<Type extends OptionType = OptionType> {
  readonly type: Type;
  readonly text: string;
  /** The name of the flag, without dashes. Absent if no flag means the same. */
  readonly flag?: string;
  readonly isRequired?: true;
  readonly choices?: readonly string[];
  /** The kind of the file that the option names for the function to write. */
  readonly writes?: 'plan' | 'readings' | 'tokens';
  /** A former name, which is refused with the present one. */
  readonly former?: string;
}

export type OptionForms = Readonly<Record<string, OptionForm>>;

/** Exactly the names of the options, each with a type that all its values have. Those without a default are required. */
type FormsOf<Options> = {
  readonly [Name in keyof Options]-?: OptionForm<TypesFor<NonNullable<Options[Name]>>> &
    (undefined extends Options[Name] ? { readonly isRequired?: never } : { readonly isRequired: true });
};
type TypesFor<Value> = { [Type in OptionType]: Value extends Values[Type] ? Type : never }[OptionType];

const formsOf =
  <Options>() =>
  <Given extends FormsOf<Options>>(
    forms: Given & Record<Exclude<keyof Given, keyof Options>, never>,
  ): FormsOf<Options> =>
    forms;

const common = formsOf<CommonOptions>()({
  cwd: { type: 'text', text: 'the folder that relative paths start from' },
  signal: { type: 'signal', text: 'cancels the call' },
});

const manifests = formsOf<ManifestOptions>()({
  ...common,
  paths: { type: 'texts', text: 'manifests: files, or folders that are read whole' },
  variables: { type: 'text', text: 'file with the values of declared variables', flag: 'variables' },
  env: { type: 'variables', text: 'the environment variables' },
  onNotice: { type: 'function', text: 'called with what a command would print while it works' },
});

const application = formsOf<ApplicationOptions>()({
  ...manifests,
  baseUrl: { type: 'text', text: "the application's address, in place of the manifest's", flag: 'base-url' },
  ratePlan: { type: 'text', text: "the rate plan, in place of the manifest's", flag: 'rate-plan', choices: ratePlans },
  apiTokenFile: { type: 'text', text: 'file that contains the API token', flag: 'api-token-file' },
});

const estate = formsOf<EstateOptions>()({
  ...application,
  state: { type: 'text', text: 'where state is kept', flag: 'state' },
  target: { type: 'texts', text: 'only these objects and their dependencies', flag: 'target' },
});
const { target, ...wholeEstate } = estate;

const lockTimeout = {
  type: 'duration',
  text: 'how long to wait for the lock on the state',
  flag: 'lock-timeout',
} as const;
const planFile = { type: 'text', text: 'file to save the plan in', flag: 'out', writes: 'plan' } as const;
const refresh = { type: 'switch', text: 'reads the live objects first', flag: 'refresh' } as const;

const { signal: _common, ...run } = formsOf<RunOptions>()({
  approvedHash: { type: 'text', text: 'runs only the plan with this hash', flag: 'approved-hash' },
  maxDuration: { type: 'duration', text: 'starts no new step after this time', flag: 'max-duration' },
  lockTimeout,
  keepGoing: { type: 'switch', text: 'continues after many failures', flag: 'keep-going' },
  settleTime: { type: 'duration', text: 'how long a call in doubt may still take effect', flag: 'settle-time' },
  signal: common.signal,
  onEvent: { type: 'function', text: 'called with every event of the run' },
});

const planUndo = formsOf<PlanUndoOptions>()({
  ...wholeEstate,
  run: { type: 'count', text: 'the number of the run in the audit trail' },
  refresh,
  out: planFile,
});
const { out: _planFile, ...undo } = planUndo;
const { apiTokenFile: _token, ...offlineEstate } = estate;
const { paths: _paths, ...exported } = wholeEstate;
const { paths: _files, variables: _variables, ...examined } = application;

/** By the name of the function. */
export const optionForms = {
  validate: formsOf<ValidateOptions>()({
    ...application,
    online: { type: 'switch', text: 'also asks the application by reads', flag: 'online' },
  }),
  plan: formsOf<PlanOptions>()({
    ...estate,
    refresh,
    baseRef: { type: 'text', text: 'the git reference to tell changes of this branch from', flag: 'base-ref' },
    out: planFile,
  }),
  apply: formsOf<ApplyOptions>()({
    ...estate,
    ...run,
    refresh,
    skipConflicts: {
      type: 'switch',
      text: 'skips objects that changed since the plan was saved',
      flag: 'skip-conflicts',
    },
    tokensOut: { type: 'text', text: 'file for issued tokens', flag: 'tokens-out', writes: 'tokens' },
  }),
  planUndo,
  undo: formsOf<UndoOptions>()({ ...undo, ...run }),
  rehearse: formsOf<RehearseOptions>()({
    ...offlineEstate,
    latency: { type: 'count', text: 'milliseconds of every response of the platform', flag: 'latency' },
    window: { type: 'text', text: 'how the platform counts requests', flag: 'window', choices: windowKinds },
    faults: { type: 'text', text: 'JSON file of faults to inject', flag: 'faults' },
    seed: { type: 'count', text: 'seed of the random numbers', flag: 'seed' },
    maxDuration: run.maxDuration,
    keepGoing: run.keepGoing,
  }),
  drift: estate,
  explain: formsOf<ExplainOptions>()({
    ...wholeEstate,
    address: { type: 'text', text: 'the object: group_channel.support-42', isRequired: true },
    refresh,
  }),
  adopt: formsOf<AdoptOptions>()({
    ...wholeEstate,
    addresses: { type: 'texts', text: 'declared objects: addresses or patterns', isRequired: true },
    lockTimeout,
  }),
  runTests: formsOf<RunTestsOptions>()({
    ...manifests,
    variables: { type: 'text', text: 'file with the values of declared variables' },
    name: { type: 'text', text: 'only tests whose name contains this text', flag: 'name' },
    onResult: { type: 'function', text: 'called after each test' },
  }),
  verify: formsOf<VerifyOptions>()({
    ...application,
    all: { type: 'switch', text: 'compares every message, not a sample', flag: 'all' },
  }),
  doctor: formsOf<DoctorOptions>()({
    ...examined,
    out: { type: 'text', text: 'the file to write', flag: 'out', writes: 'readings' },
    anySize: { type: 'switch', text: 'also an application with more than 1,000 users', flag: 'any-size' },
  }),
  exportEstate: formsOf<ExportOptions>()({
    ...exported,
    out: { type: 'text', text: 'folder for the manifests', flag: 'out', isRequired: true },
    messages: { type: 'switch', text: 'also the messages of every channel', flag: 'messages' },
    reactions: { type: 'switch', text: 'also reactions and pins', flag: 'reactions' },
    since: { type: 'text', text: 'folder of an earlier export', flag: 'since' },
    overlap: { type: 'duration', text: 'how much of the earlier archives is read again', flag: 'overlap' },
    hiddenStatus: { type: 'switch', text: 'also who has hidden a channel', flag: 'hidden-status' },
    readEach: { type: 'switch', text: 'also what no list shows', flag: 'read-each' },
    withoutState: { type: 'switch', text: 'writes no state', flag: 'without-state' },
  }),
  convert: formsOf<ConvertOptions>()({
    ...common,
    source: { type: 'text', text: 'the system that made the export', isRequired: true },
    exported: { type: 'text or texts', text: 'the export: a file or folder, several for tables', isRequired: true },
    mapping: { type: 'text', text: 'for tables: the file that says which columns become what', flag: 'mapping' },
    out: { type: 'text', text: 'folder for the manifests', flag: 'out', isRequired: true },
    covers: { type: 'text', text: 'the times that the export covers', flag: 'covers' },
    taken: { type: 'text', text: 'when the export was taken', flag: 'taken' },
    identities: { type: 'text', text: 'CSV file that says who has which user_id', flag: 'identities' },
    onProgress: { type: 'function', text: 'called while the export is read' },
  }),
  copyFiles: formsOf<CopyFilesOptions>()({
    ...common,
    env: manifests.env,
    source: { type: 'text', text: 'the system that made the export', isRequired: true },
    exported: { type: 'text', text: 'the export that was converted', isRequired: true },
    out: { type: 'text', text: 'folder of the conversion', flag: 'out', isRequired: true },
    to: { type: 'text', text: 'where to put the copies', flag: 'to', isRequired: true },
    publicUrl: {
      type: 'text',
      text: 'the address at which people reach the copies',
      flag: 'public-url',
      former: 'baseUrl',
      isRequired: true,
    },
    fetch: { type: 'texts', text: 'hosts from which files may be fetched', flag: 'fetch' },
    headersFrom: { type: 'texts', text: 'HOST=VARIABLE: the variable with a header for the host', flag: 'header-from' },
    maxBytes: { type: 'count', text: 'larger files are not copied', flag: 'max-file-bytes' },
    onProgress: { type: 'function', text: 'called after each file' },
  }),
};

export type LibraryFunction = keyof typeof optionForms;
