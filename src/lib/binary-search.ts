// Binary search.

/** `holds` must be true up to some place below `length` and false behind it. Returns the last place where it is true, or -1. */
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
