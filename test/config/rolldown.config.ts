// How the program is bundled: what a run loads together lies in one file, because a small run does little but load.
import { readdirSync, readFileSync } from 'node:fs';
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
    'app/session/node-clock.ts',
    'lib/duration.ts',
    'lib/variable.ts',
    'view/words.ts',
  ],
  plan: ['app/plan.ts'],
  command: [
    'cli/command-line.ts',
    'cli/node-environment.ts',
    'cli/commands/plan.ts',
    'cli/commands/validate.ts',
    'cli/output/show-plan.ts',
    'cli/ports.ts',
    'view/terminal/plan.ts',
  ],
  refresh: ['app/live/refresh.ts'],
  // Apart from all that only may need it: undici comes with it.
  client: ['platform/client.ts'],
  apply: ['app/apply.ts', 'cli/commands/apply.ts', 'cli/output/run-report.ts', 'cli/output/run-watcher.ts'],
  emulator: ['app/session/embedded-emulator.ts', 'app/session/emulator-settings.ts'],
};

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

export default {
  input: {
    'cli/main': 'src/cli/main.ts',
    library: 'src/library.ts',
    // A thread of its own, beside the bundle that starts it (src/convert/parts/helper.ts).
    'parts/worker': 'src/convert/parts/worker.ts',
  },
  platform: 'node',
  // Packages stay as they were installed.
  external: (id, importer) => importer !== undefined && !id.startsWith('.') && !isAbsolute(id),
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
