// Tests the promise where channels and archives are removed and come back between kills, each schedule from a seed of its own.
import { keepsPromise } from './support/many.ts';
import { returningScenarioOf } from './support/returns.ts';

keepsPromise(1_000_000, returningScenarioOf);
