// Tests the promise over five thousand more schedules: a file of its own, so that two cores share the ten thousand.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_005_000, 5_000);
