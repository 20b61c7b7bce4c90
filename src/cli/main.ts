#!/usr/bin/env node
// The program: reads the command line, runs one command, exits with its code.
import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import { version } from '../version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  // Scripts ask this often, so it is answered before anything else is loaded. The reader may be gone already.
  process.stdout.on('error', () => {});
  process.stdout.write(`${version}\n`);
} else {
  keepCompiledCode(process.env);
  const [{ runCommandLine }, { nodeEnvironment }, { setFlagsFromString }] = await Promise.all([
    import('./command-line.ts'),
    import('./process/environment.ts'),
    import('node:v8'),
  ]);
  // undici parses answers in WebAssembly. After ten of them V8 would optimise the parser, which costs a small apply a quarter
  // of its processor time.
  setFlagsFromString('--wasm-tiering-budget=200000000');
  process.exitCode = await runCommandLine(nodeEnvironment());
}

/**
 * From 22.8 on Node keeps what it has compiled for the next run, which a pipeline begins with empty folders. In the user's
 * own folder: Node's default, below that for temporary files, may be anybody's, and what lies there is run.
 */
function keepCompiledCode({ CI: ci = '', XDG_CACHE_HOME: caches = '', HOME: home = '' }: NodeJS.ProcessEnv): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  const folder = isAbsolute(caches) ? caches : join(home, '.cache');
  if (ci === '' && isAbsolute(folder)) enableCompileCache?.(join(folder, 'chatform'));
}
