// The fingerprint of a line in state: one part for what people see of its message, and one for the rest, such as data.

const seenLength = 4;
/** In characters, of six bits each. */
export const dataMarkLength = 3;
export const markLength = seenLength + dataMarkLength;

/** `text`: people see the difference. `data`: only programs do. `unknown`: nobody knows what the message is like. */
export type EditedPart = 'text' | 'data' | 'unknown';

/** For a part that nobody knows on the platform. */
const [unknownSeen, unknownData] = ['*'.repeat(seenLength), '*'.repeat(dataMarkLength)];

/** A fingerprint that no line has, for a message that may differ from every line. */
export const unknownMark = unknownSeen + unknownData;

/** Returns the part of a fingerprint for what people see. */
export function seenMark(mark: string): string {
  return mark.slice(0, seenLength);
}

/** Whether both lines look the same to people. */
export function isSeenAlike(left: string, right: string): boolean {
  return seenMark(left) === seenMark(right);
}

/** Returns what differs, given the fingerprint of a line as it was sent and as it is. */
export function editedPart(sent: string, current: string): EditedPart {
  if (sent === unknownMark) return 'unknown';
  return isSeenAlike(sent, current) ? 'data' : 'text';
}

/** Makes the part unknown in which a line differs from what was sent, so that the line still differs in that part alone. */
export function withUnknownPart(sent: string, part: EditedPart): string {
  if (part === 'unknown') return unknownMark;
  return part === 'data' ? seenMark(sent) + unknownData : unknownSeen + sent.slice(seenLength);
}
