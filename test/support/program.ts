// Support: the installed program, for tests that start it as a separate process.
import { join } from 'node:path';
import { inject } from 'vitest';

const dist = join(inject('installed'), 'dist');

/** The path for Node. */
export const program = join(dist, 'cli/main.js');

/** The command for shell scripts. */
export const runProgram = `'${process.execPath}' '${program}'`;
