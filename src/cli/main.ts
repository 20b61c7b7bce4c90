#!/usr/bin/env node
// The program: reads the command line, runs one command, exits with its code.
import { isAbsolute, join } from 'node:path';
import { version } from '../version.ts';
import { enableCompileCache, flagsOfV8 } from './process/node-20.ts';

/** Those that nothing else loads. */
const modulesOfUndici = ['node:assert', 'node:net'] as const;

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  // Scripts call this often, so answer before loading anything else. The reader may have closed the pipe.
  process.stdout.on('error', () => {});
  process.stdout.write(`${version}\n`);
} else {
  keepCompiledCode(process.env);
  // Drivers of databases warn their programmers on standard error. Whoever debugs with --trace-deprecation still sees it.
  if (process.traceDeprecation !== true && process.throwDeprecation !== true) process.noDeprecation = true;
  const [{ runCommandLine }, { nodeEnvironment, processInterrupts, flushed }] = await Promise.all([
    import('./command-line.ts'),
    import('./process/environment.ts'),
    // An apply is waited for, so its code is read beside that of the command line. A failure surfaces when the command is loaded.
    first === 'apply' ? import('./commands/apply.ts').catch(() => undefined) : undefined,
  ]);
  const interrupts = processInterrupts();
  const environment = nodeEnvironment(interrupts);
  // Optimising costs a small run more than it saves, and undici parses responses in WebAssembly. The flags are set after Node has
  // loaded the modules that the run needs, because V8 ignores the compiled code that Node ships of them once a flag has changed.
  if (first === 'apply') for (const name of modulesOfUndici) process.getBuiltinModule(name);
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  // V8 would let the heap of a large run grow to four times what is alive. A small run is over before it comes to twice that.
  const flags = ['--wasm-tiering-budget=200000000', '--heap-growing-percent=100', ...flagsOfV8];
  for (const flag of flags) setFlagsFromString(flag);
  const exit = await runCommandLine(environment);
  // An output that could not be written has set it already.
  if (exit !== 0) process.exitCode = exit;
  await flushed(interrupts);
  // Node would take the heap apart before it ends by itself.
  process.exit();
}

/**
 * Enables Node's compile cache, except in CI, where folders start empty. The cache is in the user's own
 * folder, because cached code is executed and Node's default below the temporary folder may belong to another user. V8 refuses code
 * that was compiled under other flags, so applies, which load files before the flags are set that other commands load afterwards,
 * have a cache of their own.
 */
function keepCompiledCode({ CI: ci = '', XDG_CACHE_HOME: caches = '', HOME: home = '' }: NodeJS.ProcessEnv): void {
  const folder = isAbsolute(caches) ? caches : join(home, '.cache');
  const cache = first === 'apply' ? 'apply' : '';
  if (ci === '' && isAbsolute(folder)) enableCompileCache(join(folder, 'chatform', cache));
}
