// Writes records to state without calls to the platform, batched by fsync or as the whole contents at once.

import { countObjects, objectRecords } from '../../model/addressed-series.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateHeader, StateSnapshot, StateWriter } from '../../model/ports.ts';
import { entryAddress, type StateEntry, type StateRecord } from '../../model/record.ts';
import type { NumberedSnapshot, StateContents } from '../../state/records/view.ts';
import type { Ports } from './ports.ts';
import { actOf, type Begun, entryRecords, type FinishedRun, readRuns } from './trail.ts';

/** The number of entries that share one fsync. */
const batch = 500;

/** Refused (6) when state contains objects, which would be mixed up with the new ones. */
export function demandEmptyState(state: StateSnapshot, place: string, advice: string): void {
  const [first] = objectRecords(state.records());
  if (first === undefined) return;
  throw new Refusal(
    'state.occupied',
    exitCode.conflict,
    `The state ${place} is not empty: it contains ${first.address}, for example.`,
    `Nothing was changed. ${advice}`,
  );
}

/** Refused (66) when state contains no object of the application, so that nothing could be compared. */
export function demandObjects(state: StateSnapshot, place: string, application: string): void {
  if (objectRecords(state.records()).next().done !== true) return;
  throw new Refusal(
    'state.empty',
    exitCode.notFound,
    `The state ${place} contains no object of ${application}, so there is nothing to compare.`,
    'Check --state (CHATFORM_STATE) and the application. State is empty until the first apply. If the state was lost, run chatform state rebuild.',
  );
}

type Written = NumberedSnapshot & { readonly header: StateHeader };

/** The contents of a state plus one trail entry, so that both become visible at the same time. */
export function withEntry(state: Written, begun: Begun, ended: FinishedRun, header = state.header): StateContents {
  const { serial, pending } = state;
  const entry = entryRecords(state, begun, ended);
  return { header, serial, pending, records: () => putAmong(state.records(), entry) };
}

/** The contents of a state that belongs to another application from now on. */
export function rebound(state: Written, to: string, ports: Pick<Ports, 'env' | 'clock'>): StateContents {
  const ended = { outcome: 'done', detail: `from ${state.header.application} to ${to}` };
  return withEntry(state, actOf('state rebind', ports), ended, { ...state.header, application: to });
}

/**
 * A state whose runs have changed nothing, for example because the first token or base URL was wrong, as the state of another
 * application. It has the name of an application that it knows nothing of. Undefined if it is in use.
 */
export function boundIfUnused(
  application: string,
  state: NumberedSnapshot,
  ports: Pick<Ports, 'env' | 'clock'>,
): StateContents | undefined {
  if (!isWritten(state) || state.pending.length > 0 || countObjects(state.records()) > 0) return undefined;
  const hasChanged = readRuns(state).some(
    ({ command, counts }) => command !== 'state rebind' && counts?.succeeded !== 0,
  );
  if (hasChanged) return undefined;
  return rebound(state, application, ports);
}

function isWritten(state: NumberedSnapshot): state is Written {
  return state.header !== undefined;
}

/** Merges two series of records that are sorted by address. Records of `put` replace equal addresses. */
export function* putAmong(records: Iterable<StateRecord>, put: Iterable<StateRecord>): Generator<StateRecord> {
  const added = put[Symbol.iterator]();
  let next = added.next();
  for (const record of records) {
    let isReplaced = false;
    for (; next.done !== true && next.value.address <= record.address; next = added.next()) {
      isReplaced = next.value.address === record.address;
      yield next.value;
    }
    if (!isReplaced) yield record;
  }
  for (; next.done !== true; next = added.next()) yield next.value;
}

/** Returns the number of entries. `why` becomes part of their step ids. */
export async function writeEntries(entries: Iterable<StateEntry>, why: string, state: StateWriter): Promise<number> {
  let waiting: Promise<void>[] = [];
  let count = 0;
  for (const entry of entries) {
    waiting.push(state.done(`${entryAddress(entry)}#${why}`, entry));
    count += 1;
    if (waiting.length < batch) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  return count;
}

/** Writes records as `put` entries and returns their number. */
export function putRecords(records: Iterable<StateRecord>, why: string, state: StateWriter): Promise<number> {
  const entries = function* (): Generator<StateEntry> {
    for (const record of records) yield { type: 'put', record };
  };
  return writeEntries(entries(), why, state);
}
