// Support: the program as it is installed, for tests that start it as a process of its own.
import { join } from 'node:path';
import { inject } from 'vitest';

/** For Node. */
export const program = join(inject('installed'), 'dist/cli/main.js');

/** For scripts of a shell. */
export const runProgram = `'${process.execPath}' '${program}'`;
