// The stages of an apply (--stage): parts of one plan that are applied one after the other, with a gate after each but the last.

/** A stage as plans show it. The last one is the rest. */
export interface PlannedStage {
  /** As in --stage: `custom_type`, `group_channel.support-*`, `10%`. Absent: the rest. */
  readonly select?: string;
  /** Objects of the plan. */
  readonly objects: number;
  readonly steps: number;
  /** Objects that were not selected, but for which steps of this stage wait, or which belong to its channels. Absent: none. */
  readonly pulled_in?: number;
  /** The `channel_url` of the last channel in a percentage. Absent for other stages. */
  readonly until?: string;
  /** The addresses of the first ten of its objects, in the order of the plan. Absent: the stage has none. */
  readonly named?: readonly string[];
  /** In an apply that continues: the gate after the stage passed before, so it is not asked. */
  readonly gate_passed?: true;
}

/** `passed_before`: an earlier run of the same apply asked, and the gate passed. */
export type GateOutcome = 'passed' | 'passed_before' | 'failed' | 'timed_out' | 'interrupted';

export interface GateReport {
  readonly outcome: GateOutcome;
  /** Absent if it passed. */
  readonly why?: string;
  /** Absent for `passed_before`. */
  readonly took_s?: number;
}

/** A stage in the report of a run. */
export interface ReportedStage extends Omit<PlannedStage, 'gate_passed' | 'named'> {
  /** Absent if the run did not ask it, as after the last stage. */
  readonly gate?: GateReport;
}
