// Puts records into state without a call to the platform: many with one fsync, or as its whole contents at once.

import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateHeader, StateSnapshot, StateWriter } from '../../model/ports.ts';
import { entryAddress, type StateEntry, type StateRecord } from '../../model/record.ts';
import { objectRecords } from '../../model/run-metadata.ts';
import type { NumberedSnapshot, StateContents } from '../../state/records/view.ts';
import { type Begun, type Ended, entryRecords } from './trail.ts';

/** Entries that wait for one fsync together. */
const batch = 500;

/** Refused (6) when something is in state: it would be mixed up with what is found. */
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

/** The contents of a state with one more entry in its trail, so that both count from the same moment on. */
export function withEntry(
  state: NumberedSnapshot & { readonly header: StateHeader },
  begun: Begun,
  ended: Ended,
  header = state.header,
): StateContents {
  const { serial, pending } = state;
  const entry = entryRecords(state, begun, ended);
  return { header, serial, pending, records: () => putAmong(state.records(), entry) };
}

/** Records with others put among them; both are sorted by address, and so is the result. */
export function* putAmong(records: Iterable<StateRecord>, put: readonly StateRecord[]): Generator<StateRecord> {
  let next = 0;
  for (const record of records) {
    for (let one = put[next]; one !== undefined && one.address <= record.address; one = put[next]) {
      yield one;
      next += 1;
    }
    if (put[next - 1]?.address !== record.address) yield record;
  }
  yield* put.slice(next);
}

/** Gives the number of entries. `why` names the steps that they are written as. */
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

/** The same for records that are put in their place. */
export function putRecords(records: Iterable<StateRecord>, why: string, state: StateWriter): Promise<number> {
  const entries = function* (): Generator<StateEntry> {
    for (const record of records) yield { type: 'put', record };
  };
  return writeEntries(entries(), why, state);
}
