// Checks of files that are neither manifests nor read with them.
import { mappingSchema } from './mapping-schema.ts';
import { testSchema } from './test-schema.ts';
import { type Check, check } from './validate.ts';

/** For a file of tests. */
export const testCheck: Check = check('test', () => testSchema);

/** For a mapping of tables. */
export const mappingCheck: Check = check('mapping', () => mappingSchema);
