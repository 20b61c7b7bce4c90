// What exists for Node 20 alone, which has no support since April 2026. This file goes when "engines" in package.json says 22.
import module from 'node:module';

/** Node 20 has no compile cache; Node 22.8 and later always have `module.enableCompileCache`. */
export function enableCompileCache(folder: string): void {
  (module as { readonly enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(folder);
}

/**
 * V8 of Node 20 would soon optimise all code; later versions would print an error about that flag. They let the space for new
 * objects grow with large runs, although a small one takes no longer to collect.
 */
export const flagsOfV8: readonly string[] = [
  Number.parseInt(process.versions.v8, 10) < 12 ? '--interrupt-budget=1200000' : '--semi-space-growth-factor=1',
];
