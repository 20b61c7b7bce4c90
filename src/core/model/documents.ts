// The documents that --format json prints and functions of the library return. Each has a schema in schema/, and keys are only added.

import type { Count, FormatVersion, PositiveCount, UtcTime } from '../../lib/json.ts';
import type { Address } from './address.ts';
import type { BehavioursFile } from './behaviours.ts';
import type { AttributeChange, Change, Drift } from './change.ts';
import type { ConvertResult } from './conversion.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { Refusal } from './errors.ts';
import type { ExportPrice, LaterEvent, RunStarted } from './event.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import type { Plan } from './plan.ts';
import type { AdoptedObject, CopiedFiles, KindCount, LaneSchedule, RehearsalReport } from './report.ts';
import type { CheckedSignature } from './signing/signature.ts';

export const resultFormatVersion = '1.0';

/** Whether a reader must refuse the file, because its MAJOR is another one. A file without a version is judged by its content. */
export function isOtherFormat(version: unknown, reads = resultFormatVersion): version is string {
  return typeof version === 'string' && version.split('.')[0] !== reads.split('.')[0];
}

/** Refused (6) if this version of chatform cannot read the format of the file. */
export function demandFormat(file: string, version: unknown): void {
  if (!isOtherFormat(version)) return;
  throw new Refusal(
    'file.other-format',
    exitCode.conflict,
    `${file} has the format ${version}; this version of chatform reads ${resultFormatVersion}.`,
    'Nothing was changed. Use the version of chatform that wrote the file, or a newer one.',
  );
}

/** What is left out of a document that is longer than --max-bytes allows. */
export interface Shortened {
  /** How many entries of a list are left out, by its path: channels[].members. Absent: none. */
  readonly omitted?: Readonly<Record<string, PositiveCount>>;
  /** How to see everything. */
  readonly rest?: string;
}

export interface ResultDocument {
  readonly format_version: FormatVersion;
}

/** Problems with one cause: they have the same words, in some cases with other figures. */
export interface DiagnosticGroup {
  readonly severity: Severity;
  readonly code: string;
  /** The problems with this cause. */
  readonly count: PositiveCount;
  /** The first of them as FILE:LINE:COLUMN. Empty if the problems have no position. */
  readonly places: readonly string[];
}

/** Problems of manifests. */
export interface DiagnosticsDocument extends ResultDocument {
  readonly summary: { readonly errors: Count; readonly warnings: Count; readonly notes: Count };
  /** One for each cause: errors first, then by the first place. */
  readonly groups: readonly DiagnosticGroup[];
  /** The first problem of each group, in the order of the groups. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many diagnostics the `count` of others represents. Absent: none. */
  readonly omitted?: { readonly diagnostics: number };
}

/** The result of checking manifests. */
export interface ValidationDocument extends DiagnosticsDocument {
  /** Of chatform validate: whether no diagnostic is an error. */
  readonly valid: boolean;
  /** Of chatform validate: the declared objects, as far as they could be read. */
  readonly objects: Count;
  /** Of chatform validate: the manifests that were read. */
  readonly files: Count;
  /** Of chatform validate: the place of the state that the manifests declare. */
  readonly state?: string;
}

/** Why a command has no result. */
export interface ErrorDocument extends ResultDocument {
  readonly error: {
    /** Stable and documented in diagnostics.md. */
    readonly code: string;
    readonly message: string;
    /** What it means and what to do. */
    readonly advice: string;
    readonly exit_code: ExitCode;
    /** One for each cause. Absent without diagnostics. */
    readonly groups?: readonly DiagnosticGroup[];
    /** The first problem of each group, in the order of the groups. */
    readonly diagnostics: readonly Diagnostic[];
  };
}

/** The result of taking objects into state. */
export interface AdoptionDocument extends ResultDocument {
  readonly adopted: readonly AdoptedObject[];
  /** Addresses that a pattern matched but that are not on the platform. */
  readonly missing: readonly Address[];
  /** Addresses that a pattern matched but that the platform does not offer to read. */
  readonly unread: readonly Address[];
}

/** The report of a rehearsed run, without wall-clock times. */
export interface RehearsalDocument extends Omit<RehearsalReport, 'started_at' | 'finished_at' | 'diagnostics'> {
  /** Why the run stopped early, if it did. */
  readonly stopped?: string;
  /** Responses with 429. */
  readonly limited: Count;
  /** Steps of a plan made after the rehearsal. */
  readonly next_plan_steps: Count;
  /** Objects of state that could not be created on the simulated platform, each with the reason. */
  readonly not_simulated: readonly string[];
  /** The calls over time, by route. */
  readonly schedule: readonly LaneSchedule[];
  /** The objects in state at the end. */
  readonly state: readonly KindCount[];
}

/** The result of an export. */
export interface ExportDocument extends ResultDocument {
  /** Relative to the folder of the export. */
  readonly files: readonly string[];
  /** Declared objects by section of the manifests: `group_channels`. */
  readonly objects: Readonly<Record<string, Count>>;
  readonly messages: Count;
  /** One sentence for each part that could not be declared. */
  readonly left_out: readonly string[];
  /** Hosts of callbacks and webhooks, which CHATFORM_ALLOWED_HOSTS must contain for later plans. */
  readonly hosts: readonly string[];
  readonly requests: Count;
  /** What was announced before the histories, the pins and the hidden channels were read. Absent without --messages and --hidden-status. */
  readonly price?: ExportPrice;
  /** Whether it continued an export that was interrupted. */
  readonly continued: boolean;
  /** Absent: everything was exported. Otherwise `objects` counts only what was added. */
  readonly selected?: {
    /** Objects that were declared already, equal to the platform, and are now in state. */
    readonly adopted: Count;
    /** Selected objects that were declared and in state already. */
    readonly managed: Count;
  };
}

/** Whether the platform shows what one row of the table declares. */
export interface ConformanceRow {
  /** What the row tries. */
  readonly claim: string;
  /** The scratch object, without the name space of the run. */
  readonly address: string;
  /** not_in_plan: the platform says that the application does not have the feature. */
  readonly outcome: 'held' | 'differs' | 'not_in_plan';
  /** The call that did not do what is declared, or the read that shows something else. Absent if the row held. */
  readonly call?: string;
  readonly answer?: string;
}

/** `chatform conformance` */
export interface ConformanceDocument {
  readonly format_version: FormatVersion;
  readonly application: string;
  /** When the run began, ISO 8601. */
  readonly date: string;
  readonly chatform: string;
  readonly counts: Readonly<Record<ConformanceRow['outcome'], Count>>;
  readonly rows: readonly ConformanceRow[];
  /** Objects that could not be removed. */
  readonly left: readonly string[];
  readonly duration_s: number;
}

/** The behaviours of an application, and how they were found. */
export interface ExaminationDocument extends BehavioursFile {
  readonly calls: Count;
  /** Duration in seconds. */
  readonly duration_s: number;
  /** Objects that could not be removed again. */
  readonly left: readonly { readonly kind: string; readonly id: string }[];
}

export interface ConversionDocument extends ResultDocument, ConvertResult {}

export interface CopiedFilesDocument extends ResultDocument, CopiedFiles {}

/** What an apply would do. */
export interface PlanDocument extends Omit<Plan, UnprintedPart | 'changes' | 'drift'> {
  /** Sorted by address. */
  readonly changes: readonly Printed<Change>[];
  /** Differences between state and the platform, by address. Absent without a refresh. */
  readonly drift?: readonly Printed<Drift>[];
  /**
   * Which changes people describes. drift: what others changed on the platform. repair: what the repair of it changes. Absent: the
   * changes of the plan.
   */
  readonly people_of?: 'drift' | 'repair';
  /** With chatform show, for a plan with a signature in the file beside it: whether it counts by policy.approvals, and who signed. */
  readonly signature?: CheckedSignature;
  /** Why the plan may not be applied. Absent if it may. */
  readonly refusals?: readonly Diagnostic[];
  /** With --max-bytes: how many there are in addition to those listed. */
  readonly omitted?: Readonly<
    Partial<Record<'changes' | 'drift' | 'refusals' | 'warnings' | 'custom_types', PositiveCount>>
  >;
}

/** What only an apply of the plan needs, and what a warning says. */
type UnprintedPart =
  | 'basis'
  | 'bookkeeping'
  | 'checksum'
  | 'commit'
  | 'isDriftAlone'
  | 'live'
  | 'needed'
  | 'origins'
  | 'own_rules'
  | 'preconditions'
  | 'settings'
  | 'signatures'
  | 'steps'
  | 'unchanged';

type Printed<T extends { readonly attributes: unknown }> = Omit<T, 'attributes'> & {
  readonly attributes: readonly PrintedAttribute[];
};
type PrintedAttribute = Omit<AttributeChange, 'path'> & {
  /** metadata.team, members."a.b": a part that is not a plain word is quoted as JSON. */
  readonly path: string;
};

/** One JSON object per line. Readers ignore unknown types. */
export type EventLine = { readonly at: UtcTime } & ((RunStarted & ResultDocument) | LaterEvent);
