// What does a view have to be told, since it looks at no stream and no environment by itself?

export interface ViewOptions {
  /** Decided by the command line from the stream, NO_COLOR and --color. */
  readonly color: boolean;
  /** Columns to fill. */
  readonly width: number;
  /** How many changes or diagnostics are shown in full; the rest is counted. Dangers are always named. */
  readonly limit?: number;
}
