// Where does a plan keep what is long of it? A few thousand of each in memory, and of more all in temporary files.
import { tmpdir } from 'node:os';
import { Spool } from './spool.ts';

/** So many changes of a kind, and steps of a kind and phase. */
const inMemoryOfEach = 5_000;

export function planSpool(): Spool {
  return new Spool({ folder: tmpdir(), inMemory: inMemoryOfEach });
}
