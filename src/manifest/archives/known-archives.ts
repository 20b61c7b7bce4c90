// The interface of a cache for archives: what an earlier load found in files that have not changed since.
import type { Archive } from '../../resources/messages/archive.ts';

/** One reading of one file. */
export interface ArchiveReading {
  /** Absolute, links followed. */
  readonly path: string;
  /** Differs after every change of the file. */
  readonly version: string;
  /** When the file was changed, in Unix milliseconds. */
  readonly changedAt: number;
  readonly linesOfBlock: number;
}

export interface KnownArchives {
  /** What this reading gave; undefined when it is not cached. */
  recall(reading: ArchiveReading): Archive | undefined;
  /** Called for readings without any problem. The cache may keep or ignore them. */
  keep(reading: ArchiveReading, archive: Archive): void;
}
