// Tests the promise over as many schedules more: a file of its own, so that two cores share them.
import { keepsPromise } from './support/many.ts';

keepsPromise(1_005_000);
