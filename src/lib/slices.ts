// Long computations in slices, between which the rest of the process goes on: timers, answers, signals.

/** A computation that can pause wherever it yields, and returns its result. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** After so many simple units of work a computation yields: they take some milliseconds. */
export const sliceLength = 1 << 13;

export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}

/** `pause` lets others go on, and resolves when the computation may. Rejects with what the computation throws. */
export async function inSlices<T>(work: Sliced<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    await pause();
  }
}
