#!/usr/bin/env node
// How does chatform start? Reads the command line, runs one command, says what went wrong, exits with its code.
import { version } from '../version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  // Scripts ask this often: it is answered before anything else is loaded. A reader may be gone already.
  process.stdout.on('error', () => {});
  process.stdout.write(`${version}\n`);
} else {
  const [{ runCommandLine }, { nodeEnvironment }, { setFlagsFromString }] = await Promise.all([
    import('./command-line.ts'),
    import('./node-environment.ts'),
    import('node:v8'),
  ]);
  // A plan keeps its first thousands of steps. V8 would conclude that all steps live long, and let millions of them lie.
  setFlagsFromString('--no-allocation-site-pretenuring');
  process.exitCode = await runCommandLine(nodeEnvironment());
}
