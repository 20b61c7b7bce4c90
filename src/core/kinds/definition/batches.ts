// Splits lists into the batches that calls can carry.

export function inBatches<T>(values: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < values.length; start += size) batches.push(values.slice(start, start + size));
  return batches;
}

/** In bytes, so that the host, path and channel also fit into a URL of 4 KB. */
const maxQueryBytes = 3500;

/** Splits ids into batches that fit into a query, at most a hundred each (platform §5.1). */
export function inUrlBatches(ids: readonly string[]): string[][] {
  return [...urlBatchesOf(ids, (id) => id)];
}

/** Like `inUrlBatches`, for anything that has an id. */
export function* urlBatchesOf<T>(items: Iterable<T>, idOf: (item: T) => string): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const length = encodeURIComponent(`${idOf(item)},`).length;
    if (batch.length === 100 || (batch.length > 0 && bytes + length > maxQueryBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}
