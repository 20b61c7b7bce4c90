// Tests the promise over four thousand more schedules: a file of its own, so that two cores share the eight thousand.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_005_000, 4_000);
