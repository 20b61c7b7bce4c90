// Support: bundles of the programs that tests start. From its sources each start of a program takes a second longer.
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';

const bundles = new Map<string, Promise<string>>();

/** The path of the bundle, with the packages of the project. The program must not look for files beside its own. */
export function bundleOf(file: string): Promise<string> {
  const bundle = bundles.get(file) ?? makeBundle(file);
  bundles.set(file, bundle);
  return bundle;
}

async function makeBundle(file: string): Promise<string> {
  // Each worker makes its own.
  const outfile = join(inject('installed'), 'bundles', `${process.pid}-${basename(file, '.ts')}.mjs`);
  // CommonJS parts load packages.
  const banner =
    "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    banner: { js: banner },
  });
  return outfile;
}
