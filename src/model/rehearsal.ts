// The result of a rehearsal.
import type { ApplyReport } from './report.ts';

export interface Rehearsed {
  readonly report: ApplyReport;
  /** Steps that a plan made afterwards would have. */
  readonly nextSteps: number;
  /** Objects of state that the simulated platform could not be given, each with the reason. */
  readonly missing: readonly string[];
  /** Why no more steps were started before all were done. */
  readonly stopped: string | undefined;
  /** When calls were made, by route. */
  readonly lanes: readonly LaneSchedule[];
  /** What state held at the end. */
  readonly kinds: readonly KindCount[];
}

/** The calls of one route. Times are seconds from the beginning of the run. */
export interface LaneSchedule {
  readonly route: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly steps: number;
}

/** Objects of one kind; `closed`: deactivated users, frozen channels. */
export interface KindCount {
  readonly kind: string;
  readonly objects: number;
  readonly closed: number;
}
