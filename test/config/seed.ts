// Gives every property of a run one seed, so that a failing run can be repeated: FC_SEED=… npm test.
import fc from 'fast-check';
import { inject } from 'vitest';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seed') });
