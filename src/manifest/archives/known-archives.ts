// What is known of archives that were read before, and stayed as they were? Whoever loads may bring a memory for it.
import type { Archive } from '../../resources/messages/archive.ts';

/** One reading of one file. */
export interface ArchiveReading {
  /** Absolute, links followed. */
  readonly path: string;
  /** Another one after every change of the file. */
  readonly version: string;
  /** When the file was changed, in Unix milliseconds. */
  readonly changedAt: number;
  readonly linesOfBlock: number;
}

export interface KnownArchives {
  /** What such a reading gave; undefined when nobody knows any more. */
  recall(reading: ArchiveReading): Archive | undefined;
  /** To be told of readings about which there was nothing to say. It may keep them or not. */
  keep(reading: ArchiveReading, archive: Archive): void;
}
