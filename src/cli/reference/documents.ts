// The documents that chatform writes, by the names of their schemas. `npm run schema` makes the schemas of these types.
import type { PlanDocument } from '../../model/documents.ts';
import type { ApplyReport } from '../../model/report.ts';

export interface Documents {
  /** @title chatform plan --format json */
  readonly plan: PlanDocument;
  /**
   * What a run did. Also written after a failure.
   * @title chatform apply --report FILE
   */
  readonly report: ApplyReport;
}
