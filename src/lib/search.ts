// Where in something sorted does a place lie?

/** The last of `length` places for which a test holds that holds for the first few of them, or for none: then -1. */
export function lastWhere(length: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
