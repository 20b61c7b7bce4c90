// Tests the promise with channels and history files that are removed and restored between kills, each schedule with its own seed.
import { keepsPromise } from './support/many.ts';
import { returningScenarioOf } from './support/returns.ts';

keepsPromise(1_000_000, 600, returningScenarioOf);
