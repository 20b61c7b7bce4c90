// Recognises what git, editors and shells do to text files, so that a damaged state or copy can be explained.

/** `words` continues "the file …". */
export interface TextChange {
  readonly kind: 'merge' | 'encoding' | 'line-ends';
  readonly words: string;
}

/** Longer parts of a file are not looked at for an encoding or line ends, which concern the whole file. */
const startBytes = 1 << 16;
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Returns undefined for bytes that are not text or that nothing known has changed. */
export function textChangeIn(bytes: Buffer): TextChange | undefined {
  const start = bytes.subarray(0, startBytes);
  if (isUtf16(start)) return { kind: 'encoding', words: 'is UTF-16 instead of UTF-8' };
  if (start.includes(0)) return undefined;
  if (hasConflict(bytes)) return { kind: 'merge', words: 'contains the conflict markers of a merge' };
  if (start.includes('\r\n')) return { kind: 'line-ends', words: 'has Windows line ends (CRLF)' };
  if (start.subarray(0, utf8Mark.length).equals(utf8Mark))
    return { kind: 'encoding', words: 'begins with a byte order mark' };
  return undefined;
}

function isUtf16(start: Buffer): boolean {
  const mark = start.length < 2 ? 0 : start.readUInt16BE();
  if (mark === 0xfeff || mark === 0xfffe) return true;
  // Without a mark, the first character of a line of JSON shows the order of the bytes.
  return start.length >= 2 && (mark === 0x7b00 || mark === 0x007b);
}

function hasConflict(bytes: Buffer): boolean {
  return bytes.indexOf('<<<<<<< ') === 0 || bytes.includes('\n<<<<<<< ') || bytes.includes('\n>>>>>>> ');
}
