// The documents that chatform writes, by the names of their schemas. `npm run schema` makes the schemas of these types.
import type { LedgerLine } from '../../convert/ledger.ts';
import type {
  DiagnosticsDocument,
  EventLine,
  PlanDocument,
  Shortened,
  ValidationDocument,
} from '../../model/documents.ts';
import type { Certificate } from '../../model/migration/cutover.ts';
import type { MigrationReport } from '../../model/migration-report.ts';
import type { ApplyReport } from '../../model/report.ts';

export interface Documents {
  /** @title chatform plan --format json */
  readonly plan: PlanDocument;
  /**
   * What a run did. Also written after a failure.
   * @title chatform apply --report FILE
   */
  readonly report: ApplyReport & Shortened;
  /** @title chatform apply --events FILE: one line */
  readonly events: EventLine;
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
  /**
   * One object or message of an export, and what became of it. The ledger has one JSON object per line.
   * @title chatform ledger of a conversion, one line
   */
  readonly ledger: LedgerLine;
}
