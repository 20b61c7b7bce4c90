// The contract of a source: one system whose exports can be read.
import type { FileTree } from '../../../lib/file-tree.ts';
import type { Collect } from '../../../lib/series.ts';
import type { ExportWindow } from './coverage.ts';
import type { SourceFields } from './fields.ts';
import type { Roster, SourceItem } from './items.ts';
import type { ExportFields } from './look-at-fields.ts';

export interface ItemBatch {
  /** Created one by one, so that few items are in memory. */
  readonly items: Iterable<SourceItem>;
  /** The amount that was read for the items, in bytes of unpacked files. */
  readonly bytes: number;
  /** The path in the tree of the file that was read. */
  readonly file: string;
  /** The name of the window of the file. Undefined if the export has only one. */
  readonly window?: string;
}

export interface OpenExport {
  readonly roster: Roster;
  /** The size of all files that will be read, unpacked. */
  readonly totalBytes: number;
  /** Paths of the files that `read` reads. All other files of the tree are left out. */
  readonly files: readonly string[];
  /** The export has no list of people, although exports of the source do. Then nobody is missing from it. */
  readonly lacksPeople?: boolean;
  /**
   * The export has only messages that are new or changed since an earlier one. It covers no time: others may still be at the source,
   * but it replaces each message that it has, even one that is left out now.
   */
  readonly isPartial?: boolean;
  /** The times that the export states, by window. */
  readonly windows?: ReadonlyMap<string, ExportWindow>;
  /** Yields every object and message in source order, in one pass. */
  read(): AsyncIterable<ItemBatch>;
  /** After `read`, sentences for the report on how files were read. */
  notes?(): readonly string[];
}

export interface OpeningOptions {
  /** The source id of the channel of each ambiguous folder, by folder name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The earlier ids of renamed users and channels, by new id. */
  readonly renamed: Readonly<Record<'users' | 'channels', ReadonlyMap<string, string>>>;
  /** Looks at the fields of each row. Rows that `read` yields are counted. */
  readonly fields: ExportFields;
  /** Stores on disk the data that grows with the number of messages. */
  readonly collect: Collect;
  /** The file name of the export: `Acme Slack export Jan 1 2024 - Jan 31 2024.zip`. */
  readonly name: string;
}

export interface ExportSource {
  /** The name on the command line. */
  readonly name: string;
  /** The name for people: `Slack`. */
  readonly title: string;
  /** Describes such an export, for the message about a wrong one. */
  readonly form: string;
  /** Whether an export can be a single file that is not a zip. */
  readonly isSingleFile: boolean;
  /** Whether ids change when users or channels are renamed. */
  readonly idsAreNames: boolean;
  /** Whether ids of people are names or addresses. Then data that clients can read has user_ids in their place. */
  readonly idsArePersonal: boolean;
  /** Whether an id of a user is opaque, so that it can be a user_id: neither a name nor an address. */
  isOpaqueId(id: string): boolean;
  /**
   * Whether every export lists all users, all channels and all members of each channel, and all channels cover the same times, as
   * in a workspace. Then a missing user was removed. Otherwise nothing follows: users, channels and members of earlier exports stay.
   */
  readonly listsEverybody: boolean;
  /** What becomes of each field of the format. Empty for a source whose fields somebody else names. */
  readonly fields: SourceFields;
  /** Whether the export looks like one of this source. Reads little. */
  recognises(tree: FileTree): boolean | Promise<boolean>;
  /** Throws a refusal if the export cannot be read. */
  open(tree: FileTree, options: OpeningOptions): Promise<OpenExport>;
}
