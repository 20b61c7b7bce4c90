// How the program is bundled: what a run loads together lies in one file, because a small run does little but load.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { OutputOptions, PluginContext, RolldownOptions } from 'rolldown';

/**
 * By the name of the bundle: modules that are loaded together. Each brings along what it imports and no bundle above it
 * has. All other modules lie in files of their own.
 */
export const together: Readonly<Record<string, readonly string[]>> = {
  version: ['version.ts'],
  validate: [
    'app/validate.ts',
    'manifest/load.ts',
    'resources/index.ts',
    'app/context/node-clock.ts',
    'app/context/refusals.ts',
    'lib/option-values.ts',
    'model/ports.ts',
    'model/stores/places.ts',
    'view/text/words.ts',
  ],
  plan: ['app/plan.ts'],
  command: [
    'cli/command-line.ts',
    'cli/process/environment.ts',
    'cli/commands/plan.ts',
    'cli/commands/validate.ts',
    'cli/output/show-plan.ts',
    'cli/output/ports.ts',
    'view/terminal/plan.ts',
  ],
  refresh: ['app/plans/refresh.ts'],
  // Apart from all that only may need it: undici comes with it.
  client: ['platform/client.ts'],
  apply: [
    'app/apply.ts',
    'cli/commands/apply.ts',
    'cli/output/review-plan.ts',
    'cli/output/run-report.ts',
    'cli/output/run-watcher.ts',
  ],
  emulator: ['app/context/embedded-emulator.ts'],
};

for (const file of Object.values(together).flat()) {
  if (!existsSync(join(import.meta.dirname, '../../src', file))) {
    throw new Error(`test/config/rolldown.config.ts: src/${file} does not exist. Name the file that has its code now.`);
  }
}

const names = Object.keys(together);

const output: OutputOptions = {
  dir: 'dist',
  chunkFileNames: 'parts/[name]-[hash].js',
  // For the traces of bugs; src/cli/output/source-places.ts reads them.
  sourcemap: true,
  sourcemapExcludeSources: true,
  codeSplitting: {
    groups: names.map((name, at) => ({
      name,
      priority: names.length - at,
      test: (id: string) => (together[name] ?? []).some((file) => id.replaceAll('\\', '/').endsWith(`/src/${file}`)),
    })),
  },
};

// The condition `node` of the package leads to its CommonJS build.
const yaml = join(import.meta.dirname, '../../node_modules/yaml/browser/dist');

export default {
  input: { 'cli/main': 'src/cli/main.ts', library: 'src/library.ts' },
  platform: 'node',
  // Packages stay as they were installed. Every run that reads manifests loads `yaml`, and its build for browsers, which
  // is of modules, can be bundled without the parts that nothing uses.
  external: (id, importer) =>
    importer !== undefined && !id.startsWith('.') && !isAbsolute(id) && !/^yaml(?:\/|$)/u.test(id),
  resolve: { alias: { 'yaml/util': join(yaml, 'util.js'), yaml: join(yaml, 'index.js') } },
  plugins: [{ name: 'validators', generateBundle: copyValidators }],
  output,
  // An import on demand says when something is needed first, also where another module happens to have loaded it.
  checks: { ineffectiveDynamicImport: false },
} satisfies RolldownOptions;

/** src/manifest/schema/validate.ts loads them by name, from the folder `generated` beside it. */
function copyValidators(this: PluginContext): void {
  const folder = join(import.meta.dirname, '../../src/manifest/schema/generated');
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.cjs'))) {
    this.emitFile({ type: 'asset', fileName: `parts/generated/${name}`, source: readFileSync(join(folder, name)) });
  }
}
