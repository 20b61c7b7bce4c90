// The contract of a source: one system whose exports can be read.
import type { FileTree } from '../../lib/file-tree.ts';
import type { Collect } from '../../lib/series.ts';
import type { Decisions } from '../decisions.ts';
import type { Roster, SourceItem } from '../model.ts';

export interface Batch {
  /** Made one by one, so that few of them are in memory. */
  readonly items: Iterable<SourceItem>;
  /** How much of the export was read for them, in bytes of its unpacked files. */
  readonly bytes: number;
}

export interface OpenExport {
  readonly roster: Roster;
  /** The size of all files that will be read, unpacked. */
  readonly totalBytes: number;
  /** Every object, and the messages that are in no part, in source order. Goes through the export once. */
  read(): AsyncIterable<Batch>;
  /** What follows, in source order: parts that can be converted side by side. */
  readonly parts: readonly ExportPart[];
}

/** All messages of some channels, and nothing else. */
export interface ExportPart {
  /** Of its unpacked files. */
  readonly bytes: number;
  read(): AsyncIterable<Batch>;
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
  /** Does the export look like one of this source? Reads little. */
  recognises(tree: FileTree): boolean | Promise<boolean>;
  /**
   * Throws a refusal when it cannot be read. `decisions.folders` alone matters here. `collect` keeps on disk what would
   * grow with the number of messages.
   */
  open(tree: FileTree, decisions: Decisions, collect: Collect): Promise<OpenExport>;
}
