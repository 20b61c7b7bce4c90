// Support: facts about a source that tests of all sources need and its definition does not contain.
import type { RowKind } from '../../../../src/migration/convert/export/fields.ts';
import type { PartOf } from './cut-exports.ts';
import type { Draft, GeneratedExport } from './drafts.ts';
import type { Listed } from './lists.ts';
import type { Files } from './small-exports.ts';

/** What every source has, also one whose exports have no form of their own. */
export interface ExportSample {
  /** An export of the drafted chat, and what a conversion must find in it. */
  make(draft: Draft): GeneratedExport;
  /** An export that contains these people, rooms, members and messages. `mapping` says what its tables are. */
  list(listed: Listed): Files;
  /** The mapping of tables, of which each export may list everybody. */
  mapping?(isComplete: boolean): string;
  /** Whether exports list users apart from the rooms, so that each missing one is counted. */
  readonly listsUsers?: true;
  /** The facts of a message without those that differ from one export to the next. Default: all. */
  comparable?(facts: object): object;
}

export interface SourceSample extends ExportSample {
  /** The export, cut into parts as systems do with large histories. */
  cut(files: Files, parts: number, partOf: PartOf): readonly Files[];
  /** The export that the system would make of the given times only. Undefined if it exports whole histories. */
  readonly window: ((files: Files, isInside: (time: number) => boolean) => Files) | undefined;
  readonly restricted: RestrictedSample;
  /** Whether parts have files of the same names, so that each needs a folder. */
  readonly partsShareNames?: true;
}

/** The kinds of rows that become, or may not become, an object of their own. */
export type RestrictedObject = Extract<RowKind, 'user' | 'channel' | 'member' | 'message'>;

/** By kind of object, the fields that are added to it. */
export type Planted = Partial<Readonly<Record<RestrictedObject, object>>>;

/** An export with one message and two people in a room. The fields of `user` and `member` are those of the second person. */
interface RestrictedSample {
  readonly files: (planted: Planted) => Files;
  /** The ids of the ledger lines that must not say carried. Without a kind, the source has no such objects. */
  readonly ids: Partial<Readonly<Record<RestrictedObject, string>>>;
  /** The second person, and the room. */
  readonly user: string;
  readonly room: string;
  /** Whether the room of the sample is public without a restriction. */
  readonly hasPublicRooms: boolean;
}
