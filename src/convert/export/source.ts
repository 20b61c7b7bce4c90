// The contract of a source: one system whose exports can be read.
import type { FileTree } from '../../lib/file-tree.ts';
import type { Collect } from '../../lib/series.ts';
import type { ExportWindow } from './coverage.ts';
import type { Roster, SourceItem } from './items.ts';

export interface Batch {
  /** Made one by one, so that few of them are in memory. */
  readonly items: Iterable<SourceItem>;
  /** How much of the export was read for them, in bytes of its unpacked files. */
  readonly bytes: number;
  /** The path in the tree of the file that was read. */
  readonly file: string;
  /** The name of the window that the file belongs to. Undefined: the export has one. */
  readonly window?: string;
}

export interface OpenExport {
  readonly roster: Roster;
  /** The size of all files that will be read, unpacked. */
  readonly totalBytes: number;
  /** Paths of the files that `read` goes through. All others of the tree are left out. */
  readonly files: readonly string[];
  /** The lists of people and channels are complete, and all channels have one range of time, as in a workspace. */
  readonly isWhole: boolean;
  /** What the export says of its times, by the names of its windows. */
  readonly windows?: ReadonlyMap<string, ExportWindow>;
  /** Every object and message, in source order. Goes through the export once. */
  read(): AsyncIterable<Batch>;
}

export interface OpeningOptions {
  /** The source id of the channel whose messages are in a folder that two channels could own, by the folder's name. */
  readonly folders: ReadonlyMap<string, string>;
  /** Which ids of before belong to users and channels that got new ones since, by the new id. */
  readonly renamed: Readonly<Record<'users' | 'channels', ReadonlyMap<string, string>>>;
  /** Keeps on disk what would grow with the number of messages. */
  readonly collect: Collect;
  /** Of the export, as it was named: `Acme Slack export Jan 1 2024 - Jan 31 2024.zip`. */
  readonly name: string;
}

export interface Source {
  /** As on the command line. */
  readonly name: string;
  /** For people: `Slack`. */
  readonly title: string;
  /** What such an export is, for people who gave another one. */
  readonly form: string;
  /** Can an export be one file that is no zip? */
  readonly isSingleFile: boolean;
  /** Whether an id changes when somebody or something is renamed. */
  readonly idsAreNames: boolean;
  /** Does the export look like one of this source? Reads little. */
  recognises(tree: FileTree): boolean | Promise<boolean>;
  /** Throws a refusal when the export cannot be read. */
  open(tree: FileTree, options: OpeningOptions): Promise<OpenExport>;
}
