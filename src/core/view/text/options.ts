// The options of a view, which reads no stream, environment or randomness itself.

import type { JsonObject } from '../../../lib/json.ts';
import type { Actor } from '../../model/ci-systems.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CheckedSignature } from '../../model/signing/signature.ts';
import type { Typing } from './typed-commands.ts';

interface PlanOrigin {
  readonly commit: string | undefined;
  readonly ref: string | undefined;
  /** The web address of the working folder at that commit, with a slash at its end. Undefined where no variable names it. */
  readonly files: string | undefined;
}

export interface ViewOptions extends Typing {
  /** Writes the attributes of an object as lines of a manifest. Absent: no lines to paste are shown. */
  readonly blockText?: ((block: JsonObject) => string) | undefined;
  /** Set by the command line from the stream, NO_COLOR and --color. */
  readonly color: boolean;
  /** For screen readers: sentences in place of signs and columns. Never with colour. */
  readonly plain?: boolean;
  /** The working folder relative to the root of the repository, for annotations. Undefined if it is the root. */
  folder?(): string | undefined;
  /** In columns. */
  readonly width: number;
  /** Whether to cut nothing to the width or to a number of changes, as for output that is not a terminal. */
  readonly whole?: boolean;
  /** How many changes or diagnostics are shown. The rest are counted. Dangers are always named. */
  readonly limit?: number;
  /** The maximum size of the output in UTF-8 bytes. Absent: the maximum of the format. */
  readonly maxBytes?: number;
  /** Personal data are replaced by their length and a tag made with this key, which changes with every run. */
  readonly redactionKey?: string;
  /** Names of attributes whose texts are still shown. Absent: none. */
  readonly impersonal?: ReadonlySet<string>;
  /** Who writes the page, and when, in ISO 8601. */
  readonly writing?: { readonly by: Actor; readonly at: string };
  /** The checkout that a new plan was made in. Absent for a saved plan, which has its own commit. */
  readonly origin?: PlanOrigin;
  /** The command that applies a saved plan. */
  readonly applying?: string;
  /** The address of the page of the application's state, relative to this page. Objects that exist are linked to it. */
  readonly statePage?: string;
  /** The reasons why safety rules refuse the plan. */
  readonly refusals?: readonly Diagnostic[];
  /** The signature of a saved plan. It comes from a check and not from the plan, because the file of a plan could claim any signature. */
  readonly signature?: CheckedSignature;
}
