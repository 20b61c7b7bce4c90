// What does a view have to be told, since it looks at no stream, no environment and no chance by itself?
import type { Diagnostic } from '../model/diagnostic.ts';

export interface ViewOptions {
  /** Decided by the command line from the stream, NO_COLOR and --color. */
  readonly color: boolean;
  /** For somebody who listens: sentences in place of signs, columns and pictures. Never with colour. */
  readonly plain?: boolean;
  /** Columns to fill. */
  readonly width: number;
  /** How many changes or diagnostics are shown in full; the rest is counted. Dangers are always named. */
  readonly limit?: number;
  /** UTF-8 bytes that the output must not exceed. Absent: what the format can bear. */
  readonly maxBytes?: number;
  /** Personal data are shown as length and a tag that is made with this key, which is another one in each run. */
  readonly redactionKey?: string;
  /** Why the plan is refused by safety rules, when it is. */
  readonly refusals?: readonly Diagnostic[];
}
