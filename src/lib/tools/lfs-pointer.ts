// Recognises pointers of Git LFS, which a checkout has in place of the files themselves until they are fetched.
import { Buffer } from 'node:buffer';

const start = Buffer.from('version https://git-lfs.github.com/spec/');

/** The number of first bytes that `isLfsPointer` needs. */
export const lfsStartBytes = start.length;

/** Longer files are not pointers. */
export const maxLfsPointerBytes = 1024;

export function isLfsPointer(bytes: Uint8Array): boolean {
  return start.equals(bytes.subarray(0, start.length));
}

/** What the file is, and what to do: clauses without a full stop. */
export const lfsPointer = 'it is a pointer of Git LFS, and the file itself was not fetched';
export const lfsAdvice = 'Run git lfs pull (in a GitHub workflow, set lfs: true for actions/checkout)';

/** A reader met a pointer. */
export class LfsPointerError extends Error {
  constructor() {
    super(lfsPointer);
    this.name = 'LfsPointerError';
  }
}
