// Runs long computations in slices, so that timers, answers and signals are handled in between.

/** A computation that can pause wherever it yields. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** The number of simple units of work after which a computation yields. It corresponds to a few milliseconds. */
export const sliceLength = 1 << 13;

/** Runs a sliced computation to its end without pausing. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}

/** Runs the computation, waiting for `pause` at each yield. Rejects with what the computation throws. */
export async function inSlices<T>(work: Sliced<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    await pause();
  }
}
