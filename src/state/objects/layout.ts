// The objects under the prefix of a state, and what their keys mean. All but heads are written once and never changed.
//
//   head/<epoch>                one holder's lock, and which of the other objects count
//   journal/<epoch>/<number>    the entries of one flush of one holder, or a fence
//   segment/<epoch>/<number>    the entries of many flushes
//   snapshot/<id>/<number>      some of the records, sorted by address
//   probe/<id>                  from a test of the store; may be removed at any time

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

/** The epoch of the holder that wrote the object; undefined for keys that are not of this backend. */
export function epochOfKey(key: string): number | undefined {
  const [, epoch] = /^(?:head|journal|segment|snapshot)\/(\d+)(?:[./]|$)/u.exec(key) ?? [];
  return epoch === undefined ? undefined : Number(epoch);
}

/** Keys are listed as texts. */
function padded(number: number): string {
  return String(number).padStart(10, '0');
}
