// Where does a plan keep what is long of it? A few thousand of each in memory, and of more all in temporary files.

import type { Spool } from '../lib/spool.ts';
import { temporarySpool } from './output-files.ts';

/** So many changes of a kind, and steps of a kind and phase. */
const inMemoryOfEach = 5_000;

export function planSpool(): Spool {
  return temporarySpool(inMemoryOfEach);
}
