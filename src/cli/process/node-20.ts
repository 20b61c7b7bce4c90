// What exists for Node 20 alone, which has no support since April 2026. This file goes when "engines" in package.json says 22.
import module from 'node:module';

/** Node 20 has no compile cache; Node 22.8 and later always have `module.enableCompileCache`. */
export function enableCompileCache(folder: string): void {
  (module as { readonly enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(folder);
}

/** The major version of V8 in Node 22. */
const v8OfNode22 = 12;

/**
 * V8 optimises a function after nine times as much work as usual, because a small run ends before that pays. V8 of Node 20 measures
 * executed code, later ones calls, and each prints an error about the flags of the other. Later ones also let the space for new
 * objects grow with large runs, although a small one takes no longer to collect.
 */
export const flagsOfV8: readonly string[] =
  Number.parseInt(process.versions.v8, 10) < v8OfNode22
    ? ['--interrupt-budget=1200000']
    : ['--invocation-count-for-maglev=3600', '--invocation-count-for-turbofan=27000', '--semi-space-growth-factor=1'];
