// The stages of an apply (--stage): parts of one plan that are applied one after the other, with a gate after each but the last.

import type { Amount, Count, PositiveCount } from '../../../lib/json.ts';
/** A stage as plans show it. The last one is the rest. */
export interface PlannedStage {
  /** As in --stage: a kind, a pattern or a share of the channels. Absent: the rest. */
  readonly select?: string;
  /** Objects that the plan changes. */
  readonly objects: Count;
  readonly steps: Count;
  /** Objects that were not selected, but which others of the stage need, or which belong to its channels. Absent: none. */
  readonly pulled_in?: PositiveCount;
  /** Of a share: the channel_url of its last channel. */
  readonly until?: string;
  /**
   * The first ten objects, in the order of the plan. Each change has its stage. Absent: the stage has none.
   * @minItems 1
   * @maxItems 10
   */
  readonly named?: readonly string[];
  /** Its gate is not asked, because the stage or everything after it has no steps. */
  readonly no_gate?: true;
  /** In an apply that continues: the gate after the stage passed before, so it is not asked. */
  readonly gate_passed?: true;
}

/** `passed_before`: an earlier run of the same apply asked, and the gate passed. */
export type GateOutcome = 'passed' | 'passed_before' | 'failed' | 'timed_out' | 'interrupted';

export interface GateReport {
  /** passed_before: an earlier run of the same apply asked it. */
  readonly outcome: GateOutcome;
  /** Absent if it passed. */
  readonly why?: string;
  /** Absent if it was not asked again. */
  readonly took_s?: Amount;
}

/** A stage in the report of a run. */
export interface ReportedStage extends Omit<PlannedStage, 'gate_passed' | 'named'> {
  /** What the gate after the stage said. Absent if it was not asked, as after the last stage. */
  readonly gate?: GateReport;
}
