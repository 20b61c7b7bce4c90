// Plugins of the build that make its files load faster, because a small run does little but load.
import type { Plugin } from 'rolldown';

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
