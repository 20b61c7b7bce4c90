// The options of an export of everything, or of a part.
import type { ApplicationOverrides, LockOptions } from '../../../core/app/context/ports.ts';

export interface ExportApplicationOptions extends ApplicationOverrides, LockOptions {
  /** The folder for the manifests: empty or new, unless `only` selects objects. */
  readonly out: string;
  /** Kinds, addresses, globs of addresses and custom types of the only objects to export. Absent or empty: everything. */
  readonly only?: readonly string[] | undefined;
  /** In the form of `only`, the objects to leave out. */
  readonly excluded?: readonly string[] | undefined;
  /** `users`: with `only`, also the users that the selected objects need. */
  readonly with?: string | undefined;
  /** Whether to export the messages of every channel. */
  readonly messages?: boolean | undefined;
  /** Whether to export the reactions and pins of the messages. Costs one request per group channel. */
  readonly reactions?: boolean | undefined;
  /** Whether replies name the first messages of their threads. */
  readonly threads?: boolean | undefined;
  /** The folder of an earlier export. Its history files are continued, and only their last `overlapMs` are read again. */
  readonly since?: string | undefined;
  /** Milliseconds. Default: seven days. */
  readonly overlapMs?: number | undefined;
  /** Whether to read which users have hidden a channel, with one request per user. */
  readonly hiddenStatus?: boolean | undefined;
  /** Whether to read values that cost one request per object: invitation preferences, bans and mutes. */
  readonly readEach?: boolean | undefined;
  readonly withoutState?: boolean | undefined;
}
