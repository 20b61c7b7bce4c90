// Tests the promise over many schedules, each from a seed of its own.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_000_000);
