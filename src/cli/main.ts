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
  const [{ runCommandLine }, { nodeEnvironment, processInterrupts, flushed }, { setFlagsFromString }] =
    await Promise.all([import('./command-line.ts'), import('./process/environment.ts'), import('node:v8')]);
  const interrupts = processInterrupts();
  // Optimising costs a small run more than it saves. On Node 20 V8 would soon optimise all code. Later versions would
  // print an error about the second flag. undici parses responses in WebAssembly. The flags are not set
  // earlier, because V8 ignores the compiled code that Node ships of its own modules once a flag has changed.
  setFlagsFromString('--wasm-tiering-budget=200000000');
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=1200000');
  const exit = await runCommandLine(nodeEnvironment(interrupts));
  // An output that could not be written has set it already.
  if (exit !== 0) process.exitCode = exit;
  if (interrupts.isInterrupted) {
    await flushed();
    process.exit();
  }
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
