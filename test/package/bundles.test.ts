// Tests which bundles a command loads: few, without cycles, and no package that it does not need.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { together } from '../config/rolldown.config.ts';
import { type Bundle, bundlesIn } from '../support/build.ts';

const installed = inject('installed');
const chunks = new Map((await bundlesIn(installed)).map((bundle) => [bundle.fileName, bundle]));
const codeOf = (fileName: string): string => readFileSync(join(installed, 'dist', fileName), 'utf8');

/** Small files of the same name that import it. */
function named(name: string): Bundle {
  const [found] = [...chunks.values()]
    .filter((chunk) => chunk.name === name)
    .sort((left, right) => right.moduleIds.length - left.moduleIds.length);
  if (found === undefined) throw new Error(`there is no bundle ${name}`);
  return found;
}

/** The files that are loaded with a file, including itself, and the packages and modules of Node. */
function loadedWith(fileName: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(fileName)) return loaded;
  loaded.add(fileName);
  for (const other of chunks.get(fileName)?.imports ?? []) loadedWith(other, loaded);
  return loaded;
}

/** A few lines that load packages and validators on demand, and the parts of undici. */
const loaders = ['lib/packages.cjs', 'core/manifest/schema/validators.cjs', 'core/platform/undici.cjs'];

/** What the bundler adds for commander, which is CommonJS. */
const runtime = 'rolldown-runtime';

function namesLoadedWith(fileName: string): string[] {
  const names = [...loadedWith(fileName)].map((file) => chunks.get(file)?.name ?? file);
  return names.filter((name) => !name.startsWith('node:') && !loaders.includes(name)).sort();
}

test('--version loads only the version', () => {
  expect(namesLoadedWith('cli/main.js')).toEqual(['cli/main', 'version']);
});

test.for([
  { bundle: 'validate', loads: ['access', 'kinds', 'validate', 'version'] },
  { bundle: 'plan', loads: ['access', 'kinds', 'plan', 'state', 'validate', 'version'] },
  { bundle: 'command', loads: ['command', 'kinds', runtime, 'version'] },
  { bundle: 'refresh', loads: ['access', 'connect', 'kinds', 'plan', 'refresh', 'state', 'validate', 'version'] },
  // An apply of a saved plan loads nothing that reads or compares manifests.
  { bundle: 'apply', loads: ['apply', 'command', 'connect', 'kinds', runtime, 'state', 'version'] },
  { bundle: 'show', loads: ['command', 'kinds', runtime, 'show', 'version'] },
  { bundle: 'client', loads: ['client', 'kinds', 'state', 'version'] },
])('the bundle $bundle is loaded with few others, and no package', ({ bundle, loads }) => {
  expect(namesLoadedWith(named(bundle).fileName)).toEqual(loads);
});

test('an apply of a saved plan loads nothing that starts processes', () => {
  const loaded = [...loadedWith(named('apply').fileName)].filter((fileName) => chunks.has(fileName));
  expect(loaded.filter((fileName) => codeOf(fileName).includes('node:child_process'))).toEqual([]);
});

test("the code of undici comes without its HTTP/2 client, fetch, and Node's own clients", () => {
  const undici = codeOf('core/platform/undici-parts.cjs');
  expect(undici).toMatch(/client-h1/u);
  expect(undici).not.toMatch(/require\(["']node:https?2?["']\)|class FormData\b/u);
});

test('no file imports a module of Node as an ES module, which would evaluate all its exports', () => {
  const importing = [...chunks.values()].filter(({ fileName }) => /^import [^;]* from "node:/mu.test(codeOf(fileName)));
  expect(importing.map(({ fileName }) => fileName)).toEqual([]);
});

test('no file only exports names of a bundle', () => {
  const facades = [...chunks.values()].filter(({ fileName }) =>
    /^(?:import \{[^}]*\} from "[^"]*";\s*export \{[^}]*\}|export \{[^}]*\} from "[^"]*");\s*$/u.test(codeOf(fileName)),
  );
  expect(facades.map(({ fileName }) => fileName)).toEqual([]);
});

test('the bundles are ASCII, of which V8 keeps one byte a character', () => {
  const files = Object.keys(together).map((name) => named(name).fileName);
  expect(files.filter((fileName) => /[^\0-\x7f]/u.test(codeOf(fileName)))).toEqual([]);
});

test('the library loads nothing of the command line', () => {
  expect(namesLoadedWith('library.js')).toEqual(['kinds', 'library', 'version']);
});

test.for(Object.entries(together))(
  '%s contains each of its modules, or is loaded with a bundle that does',
  ([name, files]) => {
    const loaded = [...loadedWith(named(name).fileName)];
    const modules = loaded.flatMap((file) => chunks.get(file)?.moduleIds ?? []).map((id) => id.replaceAll('\\', '/'));
    expect(files.filter((file) => !modules.some((id) => id.endsWith(`/src/${file}`)))).toEqual([]);
  },
);

test('no two bundles import each other, because code would run before its dependencies', () => {
  const cycles = [...chunks.values()].filter(({ fileName, imports }) =>
    imports.some((other) => chunks.has(other) && loadedWith(other).has(fileName)),
  );
  expect(cycles.map(({ fileName }) => fileName)).toEqual([]);
});
