// Support: the program as it is installed, for tests that start it as a process of its own.
import { join } from 'node:path';
import { inject } from 'vitest';

const dist = join(inject('installed'), 'dist');

/** For Node. */
export const program = join(dist, 'cli/main.js');

/** For scripts of a shell. */
export const runProgram = `'${process.execPath}' '${program}'`;
