// The options of a view, which reads no stream, environment or randomness itself.
import type { Diagnostic } from '../../model/diagnostic.ts';

export interface ViewOptions {
  /** Set by the command line from the stream, NO_COLOR and --color. */
  readonly color: boolean;
  /** For screen readers: sentences in place of signs and columns. Never with colour. */
  readonly plain?: boolean;
  /** The working folder, from the root of the repository: annotations name files from there. Absent: it is the root. */
  readonly folder?: string;
  /** In columns. */
  readonly width: number;
  /** Nothing is cut to the width or to a number of changes, as where no terminal is written to. */
  readonly whole?: boolean;
  /** How many changes or diagnostics are shown. The rest are counted. Dangers are always named. */
  readonly limit?: number;
  /** The maximum size of the output in UTF-8 bytes. Absent: the maximum of the format. */
  readonly maxBytes?: number;
  /** Personal data are replaced by their length and a tag made with this key, which changes with every run. */
  readonly redactionKey?: string;
  /** Names of attributes whose texts are shown all the same. Absent: none. */
  readonly impersonal?: ReadonlySet<string>;
  /** Why safety rules refuse the plan, if they do. */
  readonly refusals?: readonly Diagnostic[];
}
