// Tests the promise over further schedules, in a separate file so that two cores share the work.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_005_000, 900);
