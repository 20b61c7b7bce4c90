/** Returns the last index below `length` where `holds` is true, or -1. `holds` must be true up to some index and false after it. */
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
