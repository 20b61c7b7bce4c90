// Support: checks names of files as a file system that ignores case and the normal form of Unicode sees them.
import { expect } from 'vitest';

export function expectDistinctNames(names: readonly string[]): void {
  const seen = names.map((name) => name.normalize('NFC').toLowerCase());
  expect([...new Set(seen)], names.join(', ')).toEqual(seen);
}
