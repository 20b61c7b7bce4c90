// The documents that commands print with --format json, by the names of their schemas, which `npm run schema` makes from these types.
import type { AccessExplanation } from '../../core/model/access/access.ts';
import type {
  AdoptionDocument,
  ConformanceDocument,
  ConversionDocument,
  CopiedFilesDocument,
  DiagnosticsDocument,
  ErrorDocument,
  ExaminationDocument,
  ExportDocument,
  RehearsalDocument,
  ResultDocument,
  Shortened,
  ValidationDocument,
} from '../../core/model/documents.ts';
import type { ObjectExplanation } from '../../core/model/explanation.ts';
import type { Certificate } from '../../core/model/migration/cutover.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import type { StateRecord } from '../../core/model/record.ts';
import type { ApplyReport, TestReport } from '../../core/model/report.ts';
import type { Rebuilt } from '../../tools/live-import/rebuild.ts';
import type { Rebinding } from '../../tools/state-transfer.ts';
import type { DescribedCommands } from './describe.ts';
import type { InitializedDocument } from './init-result.ts';
import type {
  BrokenLock,
  CheckedCutover,
  CutoverReadiness,
  DecodedMessages,
  EachFolder,
  ForgottenObjects,
  FormattedManifests,
  FoundLock,
  GuessedMapping,
  ListeningEmulator,
  PulledCopy,
  PushedCopy,
  RehearsedCutover,
  RekeyedState,
  SampledTables,
  ShellCompletion,
  StateAddresses,
  StatePage,
  StateTrail,
} from './results.ts';

export interface Documents {
  /**
   * What a run did. Also written after a failure.
   * @title chatform apply --report FILE
   */
  readonly report: VerifiedReport & Shortened;
  /**
   * All problems of the manifests, in the order in which people see them.
   * @title chatform validate --format json
   */
  readonly diagnostics: Partial<ValidationDocument> & DiagnosticsDocument & Shortened;
  /**
   * Whether every declared message is on the platform exactly once and in order.
   * @title chatform verify --format json
   */
  readonly migration: MigrationReport & Shortened;
  /**
   * What a migration moved, what was left out by whose decision, and digests of everything that shows it.
   * @title chatform cutover --certificate
   */
  readonly certificate: Certificate;
}

/** The report of `apply --verify`. */
interface VerifiedReport extends ApplyReport {
  /** With --verify. Absent if it did not begin. */
  readonly verification?: MigrationReport;
}

type Result<Document> = ResultDocument & Document & Shortened;

/** The documents that have no schema of their own, by the names of their definitions. */
export interface ResultDocuments {
  /** Why a command did not do its work. The same for every command. */
  readonly error: Result<ErrorDocument>;
  /** chatform commands */
  readonly commands: Result<DescribedCommands>;
  /** chatform init */
  readonly initialised: Result<InitializedDocument>;
  /** chatform fmt */
  readonly formatted: Result<FormattedManifests>;
  /** chatform explain */
  readonly explained: Result<ObjectExplanation>;
  /** chatform explain --access */
  readonly access: Result<AccessExplanation>;
  /** chatform adopt */
  readonly adopted: Result<AdoptionDocument>;
  /** chatform export */
  readonly exported: Result<ExportDocument>;
  /** chatform convert */
  readonly converted: Result<ConversionDocument>;
  /** chatform convert --decode */
  readonly decoded: Result<DecodedMessages>;
  /** chatform convert-files */
  readonly convert_files: Result<CopiedFilesDocument>;
  /** chatform rehearse: a report as in report.schema.json, without wall-clock times. */
  readonly rehearsed: Result<RehearsalDocument>;
  /** chatform test */
  readonly tested: Result<TestReport>;
  /** chatform emulator, once it listens. */
  readonly emulator: ResultDocument & ListeningEmulator;
  /** chatform completion */
  readonly completion: Result<ShellCompletion>;
  /** plan or apply with --each. */
  readonly each: Result<EachFolder>;
  /** chatform state list */
  readonly state_list: Result<StateAddresses>;
  /** chatform state show: the record. */
  readonly state_show: Result<StateRecord>;
  /** chatform state forget */
  readonly state_forget: Result<ForgottenObjects>;
  /** chatform state lock-status */
  readonly state_lock_status: Result<FoundLock>;
  /** chatform state unlock */
  readonly state_unlock: Result<BrokenLock>;
  /** chatform state html */
  readonly state_html: Result<StatePage>;
  /** chatform state rebind */
  readonly state_rebind: Result<Rebinding>;
  /** chatform state rebuild */
  readonly state_rebuild: Result<Rebuilt>;
  /** chatform state pull */
  readonly state_pull: Result<PulledCopy>;
  /** chatform state push */
  readonly state_push: Result<PushedCopy>;
  /** chatform state log */
  readonly state_log: Result<StateTrail>;
  /** chatform state rekey */
  readonly state_rekey: Result<RekeyedState>;
  /** chatform convert --guess */
  readonly guessed: Result<GuessedMapping>;
  /** chatform convert --sample */
  readonly sampled: Result<SampledTables>;
  /** chatform calibrate: the behaviours, as in behaviours.schema.json, and how they were found. */
  readonly examined: Result<ExaminationDocument>;
  /** chatform conformance */
  readonly conformance: Result<ConformanceDocument>;
  /** chatform cutover */
  readonly cutover: Result<CutoverReadiness>;
  /** chatform cutover --check */
  readonly cutover_checked: Result<CheckedCutover>;
  /** chatform cutover --rehearse */
  readonly cutover_rehearsed: Result<RehearsedCutover>;
}

export type DocumentName = keyof (Documents & ResultDocuments);
