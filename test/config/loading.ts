// Plugins of the build that make its files load faster, because a small run does little but load.
import { basename } from 'node:path';
import type { OutputChunk, Plugin } from 'rolldown';

/**
 * Takes Node's own modules from `process.getBuiltinModule`. An import of one as an ES module evaluates all its exports, also
 * those that Node loads on demand, such as the streams of `node:fs`.
 */
export const builtinModules: Plugin = {
  name: 'builtin-modules',
  renderChunk: (code) => {
    const lines = code.split('\n');
    // Imports come first, after the line that names the interpreter. A text further down may look like one.
    for (let at = code.startsWith('#!') ? 1 : 0; lines[at]?.startsWith('import ') === true; at += 1)
      lines[at] = (lines[at] ?? '').replace(/^import (.+) from ("node:[\w/]+");$/u, (_line, names: string, from) => {
        return `const ${patternOf(names)} = process.getBuiltinModule(${from});`;
      });
    return { code: lines.join('\n'), map: null };
  },
};

/** Throws for a form of import that no source uses. */
function patternOf(names: string): string {
  if (/^[\w$]+$/u.test(names)) return names;
  if (!/^\{[^}]*\}$/u.test(names)) throw new Error(`The build cannot convert: import ${names}`);
  return names.replaceAll(' as ', ': ');
}

/**
 * The same in the code of commander, whose `node:child_process` is left out: it starts processes only for subcommands that are
 * programs, and chatform has none.
 */
export const commanderAlone: Plugin = {
  name: 'commander-alone',
  transform: (code, id) => {
    if (!id.includes('/node_modules/commander/')) return null;
    const alone = code
      .replaceAll("require('node:child_process')", '{}')
      .replaceAll(/\brequire\(('node:[\w/]+')\)/gu, 'globalThis.process.getBuiltinModule($1)');
    return { code: alone, map: null };
  },
};

/**
 * Makes imports on demand load the bundle that has the module. Otherwise each first loads a file that only exports some names of
 * that bundle.
 */
export const directImports: Plugin = {
  name: 'direct-imports',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const facades = new Map(chunks.map(facadeIn).filter((facade) => facade !== undefined));
    for (const chunk of chunks) {
      const code = chunk.code.replace(/\bimport\("([^"]*\/)([^"/]+)"\)/gu, (call, folder: string, file: string) => {
        const facade = facades.get(file);
        return facade === undefined ? call : `import("${folder}${facade.from}").then((all) => (${facade.names}))`;
      });
      if (code !== chunk.code) chunk.code = code;
    }
    for (const { fileName } of chunks) if (facades.has(basename(fileName))) delete bundle[fileName];
    for (const name of Object.keys(bundle)) if (facades.has(basename(name, '.map'))) delete bundle[name];
  },
};

interface Facade {
  /** The file of the bundle. */
  readonly from: string;
  /** An object with the exported names, made from the names of the bundle in `all`. */
  readonly names: string;
}

/** The name of a file that only exports names of a bundle, or undefined for any other file. */
function facadeIn({ fileName, code, isDynamicEntry }: OutputChunk): [string, Facade] | undefined {
  const [, imported, from, exported] =
    /^import \{ ([^}]*) \} from "\.\/([^"/]+)";\s*export \{ ([^}]*) \};\s*$/u.exec(code) ?? [];
  if (!isDynamicEntry || imported === undefined || from === undefined || exported === undefined) return undefined;
  const insides = new Map(pairsIn(imported).map(([inside, local]) => [local, inside]));
  const pairs = pairsIn(exported).map(([local, outside]) => `${outside}: all.${insides.get(local)}`);
  return [basename(fileName), { from, names: `{ ${pairs.join(', ')} }` }];
}

/** Of a list such as `a, b as c`: the names before and after. */
function pairsIn(list: string): [string, string][] {
  return list.split(', ').map((pair) => {
    const [before = '', after = before] = pair.split(' as ');
    return [before, after];
  });
}
