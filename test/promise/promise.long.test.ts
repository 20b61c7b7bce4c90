// Tests the promise over the first five thousand schedules, each from a seed of its own; promise-more.long.test.ts plays as many more.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_000_000, 5_000);
