// Further documents that chatform writes, by the names of their schemas, which `npm run schema` makes from these types.

import type { EventLine, PlanDocument } from '../../core/model/documents.ts';
import type { Envelope } from '../../migration/convert/envelope.ts';
import type { LedgerLine } from '../../migration/convert/ledger.ts';

export interface WrittenDocuments {
  /** @title chatform plan --format json */
  readonly plan: PlanDocument;
  /** @title chatform apply --events FILE: one line */
  readonly events: EventLine;
  /**
   * One object or message of an export, and what became of it. The ledger has one JSON object per line.
   * @title chatform ledger of a conversion, one line
   */
  readonly ledger: LedgerLine;
  /** @title chatform envelope of a converted message */
  readonly envelope: Envelope;
}
