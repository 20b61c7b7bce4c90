// Puts records into state without a call to the platform, many with one fsync, into an empty state where that is asked.

import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { objectRecords } from '../../model/run-metadata.ts';

/** Entries that wait for one fsync together. */
const batch = 500;

/** Refused (6) when something is in state: it would be mixed up with what is found. */
export function demandEmptyState(state: StateSnapshot, place: string, advice: string): void {
  const [first] = objectRecords(state.records());
  if (first === undefined) return;
  throw new Refusal(
    'state.occupied',
    exitCode.conflict,
    `The state ${place} is not empty: it knows ${first.address}, for one.`,
    `Nothing was changed. ${advice}`,
  );
}

/** Gives their number. `why` names the steps that they are written as. */
export async function putRecords(records: Iterable<StateRecord>, why: string, state: StateWriter): Promise<number> {
  let waiting: Promise<void>[] = [];
  let count = 0;
  for (const record of records) {
    waiting.push(state.done(`${record.address}#${why}`, { type: 'put', record }));
    count += 1;
    if (waiting.length < batch) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  return count;
}
