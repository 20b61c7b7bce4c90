// What commands print that no use case has a type for.

import type { TrailEntry } from '../../core/app/context/trail.ts';
import type { StateLock } from '../../core/app/state.ts';
import type { Address } from '../../core/model/address.ts';
import type { SampledRow } from '../../core/model/conversion.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import type { CommandExit } from '../../core/model/exit-code.ts';
import type { Certificate, CutoverCheck, CutoverState, RehearsedPhase } from '../../core/model/migration/cutover.ts';
import type { Signature } from '../../core/model/signing/signature.ts';
import type { Count, JsonObject, PositiveCount } from '../../lib/json.ts';
import type { PushedState, Rekeyed } from '../../tools/state-transfer.ts';

export interface FormattedManifests {
  readonly files: Count;
  /** Files that were rewritten, or would be with --check. */
  readonly changed: readonly string[];
  readonly written: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The formatted text of standard input. */
  readonly text?: string;
}

export interface DecodedMessages {
  readonly count: Count;
  /** They have the members of the envelope: chatform schema envelope. */
  readonly messages: readonly object[];
}

export interface GuessedMapping {
  /** The text of the mapping, in YAML. */
  readonly mapping: string;
}

export interface SampledTables {
  readonly rows: readonly SampledRow[];
}

export interface ShellCompletion {
  readonly shell: string;
  readonly script: string;
}

export interface ListeningEmulator {
  readonly url: string;
  readonly token: string;
}

export interface EachFolder {
  readonly each: readonly FolderResult[];
  /** With --in-order, the folders after the one that failed. */
  readonly not_begun?: readonly string[];
}

interface FolderResult {
  readonly folder: string;
  /**
   * @type integer
   * @minimum 0
   */
  readonly exit_code: CommandExit;
  /** The document of the command for this folder, or null. */
  readonly result: JsonObject | null;
}

export interface CutoverReadiness extends CutoverState {
  readonly ready: boolean;
}

export interface CheckedCutover extends Pick<Certificate, 'digest' | 'written_at'> {
  /** Whose digests were compared. */
  readonly files: Count;
  readonly signature: 'verified' | 'not checked' | 'none';
  /** Who signed. Absent without --require-signature. */
  readonly signer?: Signature;
  /** No point that --check could look at blocks. */
  readonly ready: boolean;
  /** Every point of the list, as the files and a state in files show it. */
  readonly checks: readonly CutoverCheck[];
}

export interface RehearsedCutover {
  readonly phases: readonly RehearsedPhase[];
}

export interface StateAddresses {
  /** All addresses, those included that are left out. */
  readonly count: Count;
  readonly addresses: readonly Address[];
}

export interface ForgottenObjects {
  readonly forgotten: Count;
}

export interface FoundLock extends Omit<StateLock, 'holder'> {
  readonly locked: boolean;
  readonly holder: FoundHolder | null;
}

interface FoundHolder {
  readonly user: string;
  readonly host: string;
  readonly pid: Count;
  readonly job?: string;
  readonly since: string;
  readonly heartbeat: string;
  readonly expires: string;
  readonly ends_in_s: number | null;
  readonly dead: boolean;
}

export interface BrokenLock {
  /** False if the state was not locked. */
  readonly broken: boolean;
}

export interface StatePage {
  readonly file: string;
  readonly channels: Count;
  readonly people: Count;
}

export interface PulledCopy {
  readonly application: string;
  readonly records: Count;
  readonly serial: Count;
  readonly file: string;
}

export interface PushedCopy extends Omit<PushedState, 'wasThere'> {
  readonly was_there: boolean;
}

export interface StateTrail {
  readonly entries: readonly TrailEntry[];
  readonly digest: string | null;
  readonly faults: readonly string[];
  /** The runs that chatform undo can take back, and how much state keeps for each. */
  readonly before_values: readonly { readonly run: PositiveCount; readonly bytes: Count }[];
}

export interface RekeyedState extends Rekeyed {
  readonly encrypted: boolean;
}
