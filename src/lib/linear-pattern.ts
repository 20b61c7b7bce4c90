// Matches regular expressions of manifests in bounded time, so that an expression under review cannot stop the runner. Their
// syntax is that of RegExp with the flag u.
//
// RegExp backtracks, which takes exponential time for expressions such as ^(a+)+$. Simple expressions
// cannot cause that and are left to RegExp. RE2 matches the others in linear time. Its package is loaded only for them.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

export interface LinearPattern {
  readonly source: string;
  test(text: string): boolean;
}

/** With two repetitions of single characters RegExp takes at most cubic time, which is short for keys of 200 characters. */
const mostRepetitions = 2;

/** Throws a SyntaxError if the expression is invalid or cannot be matched in bounded time. */
export function linearPattern(source: string): LinearPattern {
  const native = new RegExp(source, 'u');
  const bare = source.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/gsu, 'x');
  const repeatsGroups = /\)[*+?{]/u.test(bare);
  const repetitions = bare.replaceAll(/\(\?/gu, '(').match(/[*+{]|\?(?![?])/gu)?.length ?? 0;
  if (!repeatsGroups && repetitions <= mostRepetitions) return native;
  const { RE2JS: engine } = createRequire(import.meta.url)('re2js') as { RE2JS: typeof RE2JS };
  try {
    const compiled = engine.compile(engine.translateRegExp(source));
    return { source, test: (text) => compiled.matcher(text).find() };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /u, '') : String(cause);
    throw new SyntaxError(
      `Invalid regular expression: /${source}/u: it needs RE2 to be matched in bounded time, and RE2 has no lookarounds and backreferences: ${why}`,
    );
  }
}
