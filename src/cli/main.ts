#!/usr/bin/env node
// The program: reads the command line, runs one command, exits with its code.
import { version } from '../version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  // Scripts ask this often, so it is answered before anything else is loaded. The reader may be gone already.
  process.stdout.on('error', () => {});
  process.stdout.write(`${version}\n`);
} else {
  const [{ runCommandLine }, { nodeEnvironment }, { setFlagsFromString }] = await Promise.all([
    import('./command-line.ts'),
    import('./node-environment.ts'),
    import('node:v8'),
  ]);
  // A plan keeps its first thousands of steps. V8 would conclude that all steps live long, and not collect millions of them.
  setFlagsFromString('--no-allocation-site-pretenuring');
  process.exitCode = await runCommandLine(nodeEnvironment());
}
