// The keys of the objects under the prefix of a state. All objects but heads are written once and never changed.
//
//   head/<epoch>                one holder's lock, and the names of the objects in use
//   journal/<epoch>/<number>    the entries of one flush of one holder, or a fence
//   segment/<epoch>/<number>    the entries of many flushes
//   snapshot/<id>/<number>      some of the records, sorted by address
//   probe/<id>                  written by a test of the store, before anybody has the lock
//   tmp/<key>/<id>              an object that a folder is still writing

export const headPrefix = 'head/';

export function headKey(epoch: number): string {
  return `${headPrefix}${padded(epoch)}`;
}

export function journalKey(epoch: number, number: number): string {
  return `${journalPrefix(epoch)}${padded(number)}`;
}

export function journalPrefix(epoch: number): string {
  return `journal/${epoch}/`;
}

export function segmentKey(epoch: number, number: number): string {
  return `segment/${epoch}/${padded(number)}`;
}

export function snapshotKey(id: string, part: number): string {
  return `snapshot/${id}/${padded(part)}`;
}

export function isSnapshotKey(key: string): boolean {
  return key.startsWith('snapshot/');
}

/** The number of a journal object. */
export function numberOfKey(key: string): number {
  return Number(key.slice(key.lastIndexOf('/') + 1));
}

/** The epoch of the holder that wrote the object, or undefined for keys that the engine does not use. */
export function epochOfKey(key: string): number | undefined {
  const [, epoch] = /^(?:tmp\/)?(?:head|journal|segment|snapshot)\/(\d+)(?:[./]|$)/u.exec(key) ?? [];
  return epoch === undefined ? undefined : Number(epoch);
}

/**
 * Whether the object was written before the holder of this epoch. Listed temporary objects belong to other processes. False for
 * objects of a test, which has no epoch and may still be running.
 */
export function isBefore(key: string, epoch: number): boolean {
  return (epochOfKey(key) ?? Number.POSITIVE_INFINITY) < epoch + Number(key.startsWith('tmp/'));
}

/** Whether the object is a part of a state, not a leftover of an attempt. */
export function isPart(key: string): boolean {
  return epochOfKey(key) !== undefined && !key.startsWith('tmp/');
}

/** Returns the key of an object that a test of the store writes. `id` must be unique. */
export function probeKey(id: string): string {
  return `probe/${id}`;
}

/** Whether a test of the store wrote the object, or is still writing it. */
export function isProbe(key: string): boolean {
  return /^(?:tmp\/)?probe\//u.test(key);
}

/** Keys sort as text. */
function padded(number: number): string {
  return String(number).padStart(10, '0');
}
