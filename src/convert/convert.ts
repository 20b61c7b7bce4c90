// Converts an export: reads the items of a source once, in their order, and writes archives, objects and the ledger.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../lib/json.ts';
import type { Collect } from '../lib/series.ts';
import type { StagedFiles } from '../lib/staged-files.ts';
import { Channels, type DeclaredChannel } from './channels.ts';
import type { Decisions, Proposals } from './decisions.ts';
import type { Helper } from './parts/helper.ts';
import { convertPart, takeAll } from './parts/part.ts';
import { decidedReasons, type ReasonCode, reasons } from './reasons.ts';
import { Run, type Written } from './run.ts';
import type { OpenExport } from './sources/source.ts';
import { type User, Users } from './users.ts';

export interface ConversionInput {
  /** `slack`, as in decisions. */
  readonly source: string;
  readonly opened: OpenExport;
  readonly decisions: Decisions;
  readonly files: StagedFiles;
  readonly collect: Collect;
  /** Starts a second thread, which converts some of the parts. `known`: strangers so far. */
  startHelper?(known: readonly User[]): Helper;
  /** Told after every batch. */
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
  const setup = { source, users, channels, decisions, collect };
  const run = new Run({ ...setup, files });
  await takeAll(run, opened.read(), onProgress);
  const helper = input.startHelper?.(users.strangers.met);
  try {
    for (const [number, part] of opened.parts.entries()) {
      const made = await helper?.part(number);
      if (made !== undefined && users.meetStrangers(made.strangers)) {
        channels.addSenders(made.senders);
        run.add(made);
        continue;
      }
      // The other thread knows only the strangers of one part, and what goes wrong there is told here.
      const folder = join(files.folder, `part-${number}`);
      await rm(folder, { recursive: true, force: true });
      run.add(await convertPart(part, folder, setup, made === undefined ? onProgress : undefined));
    }
  } finally {
    await helper?.close();
  }
  const written = run.end(files.before);
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
