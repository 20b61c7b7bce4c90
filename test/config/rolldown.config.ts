// How the program is bundled: what a run loads together lies in one file, because a small run does little but load.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { type OutputBundle, type OutputOptions, type PluginContext, type RolldownOptions, rolldown } from 'rolldown';
import { builtinModules, commanderAlone, directImports } from './loading.ts';
import { noticesOf } from './notices.ts';

/**
 * By the name of the bundle: modules that are loaded together. Each brings along what it imports and no bundle above it
 * has. All other modules lie in files of their own.
 */
export const together: Readonly<Record<string, readonly string[]>> = {
  version: ['version.ts'],
  // What a saved plan needs as well, without reading manifests.
  kinds: [
    'core/resources/index.ts',
    'core/app/context/this-process.ts',
    'core/app/context/open-application.ts',
    'core/app/context/refusals.ts',
    'core/app/context/repository.ts',
    'core/app/context/state-key.ts',
    'core/app/history-files/history-source.ts',
    'lib/durable-files.ts',
    'lib/heap.ts',
    'lib/lookalikes.ts',
    'lib/typed-arrays.ts',
    'lib/option-values.ts',
    'lib/patterns/glob.ts',
    'lib/patterns/secret-values.ts',
    'lib/suggestions.ts',
    'core/manifest/document/application-variables.ts',
    'core/model/action.ts',
    'core/model/addressed-series.ts',
    'core/model/calls/base-url.ts',
    'core/model/change.ts',
    'core/model/diagnostic.ts',
    'core/model/documents.ts',
    'core/model/sorted-diagnostics.ts',
    'core/model/source.ts',
    'core/model/library/option.ts',
    'core/model/library/program-options.ts',
    'core/model/library/use-cases.ts',
    'core/model/ci-systems.ts',
    'core/model/plan.ts',
    'core/model/ports.ts',
    'core/model/signing/signature.ts',
    'core/model/stores/declared-place.ts',
    'core/model/stores/local-path.ts',
    'core/model/stores/places.ts',
    'lib/words.ts',
  ],
  // What a saved plan for an emulator needs of the code that reads manifests.
  access: ['core/manifest/files/access.ts'],
  validate: ['core/app/validate.ts', 'core/manifest/load.ts'],
  // What plans and runs need, whatever a plan is made from.
  state: [
    'core/app/context/open-state.ts',
    'core/app/context/state-contents.ts',
    'core/app/git/older-commit.ts',
    'core/app/plans/facts.ts',
    'lib/tools/pasted-words.ts',
    'core/planner/judges/acknowledgements.ts',
    'core/planner/judges/channel-limit.ts',
    'core/planner/live/conditions.ts',
    'core/planner/live/observation.ts',
    'core/planner/live/stored-values.ts',
    'core/planner/order/estimate.ts',
    'core/planner/plan-file/hash.ts',
    // Brings along what drafts the work on an object, for plans and for the proof of a saved one.
    'core/planner/proof.ts',
    'core/planner/take-over.ts',
    'core/planner/targets.ts',
    'core/platform/limits.ts',
    'core/platform/rate-headers.ts',
    // The state of most runs. Other stores are loaded on demand.
    'core/state/stores/folder.ts',
    'core/view/text/notes.ts',
  ],
  plan: ['core/app/plan.ts', 'core/view/text/plan-problems.ts'],
  command: [
    'cli/command-line.ts',
    'cli/process/environment.ts',
    'cli/flags/variable-warnings.ts',
    'cli/commands/plan.ts',
    'cli/commands/validate.ts',
    'cli/output/show-plan.ts',
    'cli/output/ports.ts',
    // Shown of plans and of runs.
    'core/view/diff/value-diff.ts',
    'core/view/summary/not-compared.ts',
    'core/view/summary/people.ts',
    'core/view/summary/stages.ts',
    'core/view/summary/verdict.ts',
    'core/view/text/budget.ts',
  ],
  connect: ['core/app/context/connect.ts'],
  refresh: ['core/app/plans/refresh.ts'],
  // Apart from all that only may need it: undici comes with it.
  client: ['core/platform/client.ts'],
  apply: ['core/app/apply.ts', 'cli/commands/apply.ts', 'cli/output/run-report.ts', 'cli/output/run-watcher.ts'],
  show: ['core/view/terminal/plan.ts'],
  emulator: ['core/app/context/embedded-emulator.ts'],
};

for (const file of Object.values(together).flat()) {
  if (!existsSync(join(import.meta.dirname, '../../src', file))) {
    throw new Error(`test/config/rolldown.config.ts: src/${file} does not exist. Name the file that has its code now.`);
  }
}

const names = Object.keys(together);

const output: OutputOptions = {
  dir: 'dist',
  // A small run spends much of its time on reading code. The package has the comments in its types, and the licences in NOTICES.txt.
  comments: false,
  chunkFileNames: 'parts/[name]-[hash].js',
  // For the traces of bugs; src/cli/output/source-places.ts reads them.
  // Escapes what is not ASCII, because V8 compiles text of one byte a character faster. The code stays readable.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
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

const packages = join(import.meta.dirname, '../../node_modules');
// The condition `node` of the package leads to its CommonJS build.
const yaml = join(packages, 'yaml/browser/dist');

export default {
  input: { 'cli/main': 'src/cli/main.ts', library: 'src/library.ts' },
  platform: 'node',
  // Packages stay as they were installed. Every run that reads manifests loads `yaml`, and its build for browsers, which
  // is of modules, can be bundled without the parts that nothing uses. The CommonJS build of `jsonc-parser` passes its `require`
  // on, which the bundlers of programs cannot follow.
  external: (id, importer) =>
    importer !== undefined &&
    (id.endsWith('.cjs') ||
      (!id.startsWith('.') && !isAbsolute(id) && !/^(?:yaml|jsonc-parser|commander)(?:\/|$)/u.test(id))),
  resolve: {
    alias: {
      'yaml/util': join(yaml, 'util.js'),
      yaml: join(yaml, 'index.js'),
      'jsonc-parser': join(packages, 'jsonc-parser/lib/esm/main.js'),
      commander: join(packages, 'commander/index.js'),
    },
  },
  plugins: [
    builtinModules,
    commanderAlone,
    directImports,
    { name: 'copy-commonjs', generateBundle: copyCommonJs },
    { name: 'notices', generateBundle: writeNotices },
  ],
  output,
  // An import on demand says when something is needed first, also where another module happens to have loaded it.
  checks: { ineffectiveDynamicImport: false },
} satisfies RolldownOptions;

/** Copies what stays CommonJS, so that it can load packages and validators on demand. */
async function copyCommonJs(this: PluginContext): Promise<void> {
  const sources = join(import.meta.dirname, '../../src');
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.cjs')) continue;
    const file = join(sources, name);
    const source = basename(name) === 'undici-parts.cjs' ? await withoutUnused(file) : readFileSync(file);
    this.emitFile({ type: 'asset', fileName: name.replaceAll('\\', '/'), source });
  }
}

/**
 * What undici loads and chatform never uses: it speaks HTTP/1.1, sends texts and bytes, and sets the limit of headers that undici
 * would take from Node's own client (src/core/platform/client.ts).
 */
const unusedOfUndici = ['./client-h2.js', '../web/fetch/body.js', 'node:http'];

/**
 * Bundles the parts of undici that every request needs. Its HTTP/2 client would load most of Node's network code. The bundle stays
 * CommonJS, because the runtime of a module that requires clashes in bundles of programs.
 */
async function withoutUnused(input: string): Promise<string> {
  const alias = Object.fromEntries(unusedOfUndici.map((id) => [id, false as const]));
  const bundle = await rolldown({ input, platform: 'node', resolve: { alias } });
  const { output: made } = await bundle.generate({ format: 'cjs', comments: false });
  return made[0].code;
}

/** Generated files contain code and data of packages as well, with comments that name their paths. */
function writeNotices(this: PluginContext, _options: unknown, bundle: OutputBundle): void {
  const code = Object.values(bundle).flatMap((file) =>
    file.type === 'chunk' ? file.moduleIds : file.fileName.endsWith('.cjs') ? [String(file.source)] : [],
  );
  this.emitFile({ type: 'asset', fileName: 'NOTICES.txt', source: noticesOf(code) });
}
