// Tests the promise over many schedules, each with its own seed.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_000_000, 900);
