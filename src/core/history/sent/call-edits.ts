// Edits the calls that state has recorded, while the drafts of a plan change, delete and send their lines again.
import type { RecordEdit } from '../../model/record.ts';
import { pathOfCall, printCall, type RecordedCall, withMark, withoutLines } from './recorded-calls.ts';

/** A line of a recorded call: the number of the call and the index of the line in it, both from 0. */
interface CallLine {
  readonly call: number;
  readonly place: number;
}

export class CallEdits {
  readonly #sent: readonly RecordedCall[];
  /** Calls with other fingerprints than in state, and the indexes of the lines that calls lose. */
  readonly #changed = new Map<number, RecordedCall>();
  readonly #lost = new Map<number, Set<number>>();

  constructor(sent: readonly RecordedCall[]) {
    this.#sent = sent;
  }

  /** Returns a call with the fingerprints so far, and with the lines that it has lost. */
  call(number: number): RecordedCall {
    const known = this.#changed.get(number) ?? this.#sent[number];
    return known ?? { marks: '', identities: '', first: 0, last: 0, isUnsure: false };
  }

  mark({ call, place }: CallLine, mark: string): void {
    this.#changed.set(call, withMark(this.call(call), place, mark));
  }

  lose({ call, place }: CallLine): void {
    const lost = this.#lost.get(call) ?? new Set();
    this.#lost.set(call, lost);
    lost.add(place);
  }

  /** Returns an edit of state for each of these calls. */
  edits(calls: Iterable<number>): RecordEdit[] {
    return [...new Set(calls)].map((call) => {
      const remaining = withoutLines(this.call(call), this.#lost.get(call) ?? new Set());
      return { op: 'set', path: pathOfCall(call), value: printCall(remaining) };
    });
  }
}
