// Records history files in state as far as their messages are on the platform (semantics §4.6).
//
// chatform records a history file up to its first missing message. For the calls after that, apply searches the channel before it
// sends them.

import { compareText } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import type { Spool } from '../../../lib/spool.ts';
import { firstLines, historyFileOf, historyFileValue } from '../../history/lines/history-file.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import type { Address } from '../../model/address.ts';
import type { ChannelFigures } from '../../model/migration-report.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { recordAsApplied } from '../../planner/diff/applied-record.ts';
import { messages } from '../../resources/messages/messages.ts';
import type { Ports } from '../context/ports.ts';
import type { VerifiedChannel } from './channel.ts';
import { type VerifiedPlatform, verifyHistoryFiles } from './history-files.ts';

export interface FoundHistoryFiles {
  /** One record for each history file that is at least partly on the platform. */
  readonly records: Series<StateRecord>;
  /** History files that are only partly on the platform, or whose channel cannot be read. */
  readonly partial: readonly ChannelFigures[];
}

/** Opens a connection for the work, and closes it afterwards. */
type PlatformOpener = <T>(work: (platform: VerifiedPlatform) => Promise<T>) => Promise<T>;

/**
 * Iterates over `historyFiles` several times. Connects only if there is a history file. `recordOf` returns the record of a history file that
 * is in state already.
 */
export async function findHistoryFiles(
  historyFiles: () => Iterable<Resource>,
  connect: PlatformOpener,
  spool: Spool,
  ports: Ports,
  recordOf: (historyFile: Address) => StateRecord | undefined = () => undefined,
): Promise<FoundHistoryFiles> {
  let count = 0;
  for (const _history_file of historyFiles()) count += 1;
  const records = spool.collect<StateRecord>();
  if (count === 0) return { records: records.end(), partial: [] };
  ports.notify({ type: 'rebuild-comparing', historyFiles: count });
  const verifiedByAddress = new Map<Address, VerifiedChannel>();
  const onVerified = (address: Address, verified: VerifiedChannel) => void verifiedByAddress.set(address, verified);
  await connect((platform) => verifyHistoryFiles(historyFiles(), platform, { isWhole: true, onVerified }, ports));
  const partial: ChannelFigures[] = [];
  for (const resource of historyFiles()) {
    const verified = verifiedByAddress.get(resource.address);
    if (verified === undefined) continue;
    const { figures, reach = { whole: 0, some: figures.declared } } = verified;
    if (reach.some === 0) continue;
    const record = recordOf(resource.address);
    if (record !== undefined) {
      records.push(withUnsureLines(record, reach.some));
      if (reach.some < figures.declared) partial.push(figures);
      continue;
    }
    records.push(recordAsSent(withFoundMarks(resource, figures), reach.whole, reach.some));
    if (reach.whole < figures.declared) partial.push(figures);
  }
  partial.sort((left, right) => compareText(left.channel_url, right.channel_url));
  return { records: records.end(), partial };
}

/** Leaves out incomplete reactions and pins, so that the next plan looks for each of them. */
function withFoundMarks(resource: Resource, { altered_fields, not_compared }: ChannelFigures): Resource {
  const isFound = (name: string): boolean =>
    !Object.hasOwn(altered_fields, name) &&
    !not_compared.some(({ field, why }) => field === name && why === 'not_shown');
  const attributes = Object.fromEntries(
    Object.entries(resource.attributes).filter(([name]) => !markNames.has(name) || isFound(name)),
  );
  return { ...resource, attributes };
}

const markNames: ReadonlySet<string> = new Set(['reactions', 'pinned']);

/** State keeps what it knows. Which of its further lines up to `some` are on the platform is looked up when they are sent. */
function withUnsureLines(record: StateRecord, some: number): StateRecord {
  const { restored: _known, history: _former, ...attributes } = record.attributes;
  const historyFile = { ...mapOf(record.attributes, 'history'), unsure_to: some };
  return { ...record, attributes: { ...attributes, history: historyFile } };
}

/** The first `sentLines` lines are on the platform. Which of the lines up to `some` are there is unknown. */
function recordAsSent(resource: Resource, sentLines: number, some: number): StateRecord {
  const historyFile = historyFileOf(resource.attributes);
  if (sentLines === historyFile.messages) return recordAsApplied(messages, resource);
  // Read marks are sent again after the missing messages.
  const { mark_as_read: _again, reactions: _reactions, pinned: _pinned, ...attributes } = resource.attributes;
  const sent = historyFileValue(firstLines(historyFile, sentLines));
  const record = recordAsApplied(messages, { ...resource, attributes: { ...attributes, history: sent } });
  if (some <= sentLines) return record;
  const remembered = { ...mapOf(record.attributes, 'history'), unsure_to: some };
  return { ...record, attributes: { ...record.attributes, history: remembered } };
}
