// Converts an export: reads the items of a source once, in their order, and writes archives, objects and the ledger.
import type { JsonObject } from '../lib/json.ts';
import type { Collect } from '../lib/series.ts';
import type { StagedFiles } from '../lib/staged-files.ts';
import { Channels, type DeclaredChannel } from './channels.ts';
import { Converter, type Written } from './converter.ts';
import type { Decisions, Proposals } from './decisions.ts';
import { decidedReasons, type ReasonCode, reasons } from './export/reasons.ts';
import type { OpenExport } from './export/source.ts';
import { Users } from './users.ts';

export interface ConversionInput {
  /** `slack`, as in decisions. */
  readonly source: string;
  readonly opened: OpenExport;
  readonly decisions: Decisions;
  readonly files: StagedFiles;
  readonly collect: Collect;
  /** Called after every batch. */
  onProgress?(bytes: number, items: number): void;
}

export interface Conversion extends Written {
  readonly users: Iterable<readonly [string, JsonObject]>;
  readonly channels: readonly DeclaredChannel[];
  readonly proposals: Proposals;
  /** Reasons by which something was left out that nobody decided to leave out. */
  readonly undecided: readonly ReasonCode[];
}

export async function convert(input: ConversionInput): Promise<Conversion> {
  const { source, opened, decisions, files, collect, onProgress } = input;
  const users = new Users(opened.roster.users, decisions);
  const channels = new Channels(opened.roster.channels, users, decisions);
  const converter = new Converter({ source, users, channels, decisions, collect, files });
  for await (const { items, bytes } of opened.read()) {
    let count = 0;
    for (const item of items) {
      converter.take(item);
      count++;
    }
    onProgress?.(bytes, count);
  }
  const written = converter.end(files.before);
  const missing = written.tally.reasons.map(({ code }) => code).filter((code) => reasons[code].outcome === 'left_out');
  const undecided = missing.filter((code) => !decidedReasons.has(code));
  return {
    ...written,
    users: users.declared(),
    channels: [...channels.declared()],
    proposals: { userIds: users.ids(), channelUrls: channels.urls(), undecided },
    undecided: undecided.filter((code) => !decisions.accepted.has(code)),
  };
}
