// Tests the promise over the first four thousand schedules, each from a seed of its own; promise-more.long.test.ts plays as many more.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_000_000, 4_000);
