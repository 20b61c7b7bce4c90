#!/usr/bin/env node
// The program: reads the command line, runs one command, exits with its code.
import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import { version } from '../version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  // Scripts call this often, so answer before loading anything else. The reader may have closed the pipe.
  process.stdout.on('error', () => {});
  process.stdout.write(`${version}\n`);
} else {
  keepCompiledCode(process.env);
  const [{ runCommandLine }, { nodeEnvironment }, { setFlagsFromString }] = await Promise.all([
    import('./command-line.ts'),
    import('./process/environment.ts'),
    import('node:v8'),
  ]);
  // undici parses responses in WebAssembly. V8 would soon optimise the parser, which costs a small apply more than it saves.
  setFlagsFromString('--wasm-tiering-budget=200000000');
  const exit = await runCommandLine(nodeEnvironment());
  // An output that could not be written has set it already.
  if (exit !== 0) process.exitCode = exit;
}

/**
 * Enables the compile cache of Node 22.8 and later, except in CI, where folders start empty. The cache is in the user's own
 * folder, because cached code is executed and Node's default below the temporary folder may belong to another user.
 */
function keepCompiledCode({ CI: ci = '', XDG_CACHE_HOME: caches = '', HOME: home = '' }: NodeJS.ProcessEnv): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  const folder = isAbsolute(caches) ? caches : join(home, '.cache');
  if (ci === '' && isAbsolute(folder)) enableCompileCache?.(join(folder, 'chatform'));
}
