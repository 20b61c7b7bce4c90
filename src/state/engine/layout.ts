// The objects under the prefix of a state, and what their keys mean. All but heads are written once and never changed.
//
//   head/<epoch>                one holder's lock, and which of the other objects count
//   journal/<epoch>/<number>    the entries of one flush of one holder, or a fence
//   segment/<epoch>/<number>    the entries of many flushes
//   snapshot/<id>/<number>      some of the records, sorted by address
//   probe/<id>                  from a test of the store
//   tmp/<key>/<id>              an object that a folder has not got yet

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

/** The epoch of the holder that wrote the object; undefined for keys that are not of the engine. */
export function epochOfKey(key: string): number | undefined {
  if (probePattern.test(key)) return 1;
  const [, epoch] = /^(?:tmp\/)?(?:head|journal|segment|snapshot)\/(\d+)(?:[./]|$)/u.exec(key) ?? [];
  return epoch === undefined ? undefined : Number(epoch);
}

/** Whether the object is from before the holder of this epoch. A temporary one that it lists is of another process. */
export function isBefore(key: string, epoch: number): boolean {
  return (epochOfKey(key) ?? Number.POSITIVE_INFINITY) < epoch + Number(key.startsWith('tmp/'));
}

/** Whether the object is a part of a state, and not left over from an attempt. */
export function isPart(key: string): boolean {
  return epochOfKey(key) !== undefined && !probePattern.test(key) && !key.startsWith('tmp/');
}

/** A store is tested before its first holder writes. Later holders may remove what a test has left. */
const probePattern = /^(?:tmp\/)?probe\//u;

/** Keys are listed as texts. */
function padded(number: number): string {
  return String(number).padStart(10, '0');
}
