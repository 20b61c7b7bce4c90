// The progress of a run at one moment: what is done, at what rates, and how long the rest takes.

export interface Progress {
  /** Steps. */
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly skipped: number;
  readonly running: number;
  /** Steps that ended, a second, over the last ten seconds. */
  readonly ratePerS: number;
  readonly elapsedS: number;
  readonly leftS: number;
  /** The busiest first, by the time that the remaining calls take. */
  readonly lanes: readonly LaneProgress[];
}

/** The steps of one route. */
export interface LaneProgress {
  /** `POST /users` */
  readonly route: string;
  readonly total: number;
  readonly remaining: number;
  /** Steps that have started and are not over, including those that wait for another attempt. */
  readonly running: number;
  /** Steps that ended, a second, over the last ten seconds. */
  readonly ratePerS: number;
  /** Calls a second that the tightest limit of the lane's calls allows; absent if no limit is known. */
  readonly allowedPerS?: number;
}
