// Matches the regular expressions of users in linear time, so that an expression under review cannot stop the runner. Their syntax is that of RE2
// (https://github.com/google/re2/wiki/Syntax), except that a brace as a character needs a backslash. The package decides what is valid: its tables
// are its own, so every Node gives the same answers.
import packages from '../packages.cjs';

export interface LinearPattern {
  readonly source: string;
  /** Whether the expression matches anywhere in the text. Unpaired surrogates count as U+FFFD. */
  test(text: string): boolean;
  /** The named groups of the first match, or undefined without a match. */
  groups(text: string): Readonly<Record<string, string>> | undefined;
  /** Of each match, the text of the first group, or the whole match if the expression has no group. `end`: where the match ends. */
  parts(text: string): Iterable<{ readonly part: string; readonly end: number }>;
  readonly groupCount: number;
  /** The number of instructions, to which the time of a match is proportional at worst. */
  readonly size: number;
}

export const maxCharacters = 10_000;
/** Alternatives of many keys need some tens of thousands of instructions. */
const maxInstructions = 100_000;

/** Throws a SyntaxError, with a rewriting where RegExp has what RE2 has not. The message has no full stop. */
export function linearPattern(source: string): LinearPattern {
  const { RE2JS: engine } = packages.re2js();
  if (source.length > maxCharacters)
    throw new SyntaxError(
      `The regular expression is longer than ${maxCharacters.toLocaleString('en')} characters. Split it`,
    );
  let compiled: ReturnType<typeof engine.compile>;
  try {
    // Unpaired surrogates would make V8's codePointAt read what follows a sliced text.
    compiled = engine.compile(source.toWellFormed());
    if (hasLooseBrace(source)) throw new Error(looseBrace);
  } catch (cause) {
    throw new SyntaxError(`Invalid regular expression ${quoted(source)}: ${reasonFor(source, cause)}`, { cause });
  }
  const size = compiled.programSize();
  const groupCount = compiled.groupCount();
  if (size > maxInstructions)
    throw new SyntaxError(
      `The regular expression ${quoted(source)} is too large: its repetitions multiply. Repeat less often`,
    );
  return {
    source,
    size,
    groupCount,
    test: (text) => compiled.test(text.toWellFormed()),
    groups: (text) => {
      const found = compiled.matcher(text.toWellFormed());
      return found.find() ? presentGroups(found.getNamedGroups()) : undefined;
    },
    *parts(text) {
      const matcher = compiled.matcher(text.toWellFormed());
      while (matcher.find()) yield { part: matcher.group(Math.min(1, groupCount)) ?? '', end: matcher.end() };
    },
  };
}

const looseBrace = 'a brace that is not part of a repetition';

/** RE2 would take `${name}` for the end of the text and six characters, which matches nothing. */
function hasLooseBrace(source: string): boolean {
  const bare = source
    .replaceAll(/\\Q.*?(?:\\E|$)/gsu, 'x')
    .replaceAll(/\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/gsu, 'x')
    .replaceAll(/\{\d+(?:,\d*)?\}/gu, '*');
  return /[{}]/u.test(bare);
}

const maxShown = 100;

function quoted(source: string): string {
  return `"${source.length > maxShown ? `${source.slice(0, maxShown).toWellFormed()}…` : source}"`;
}

function presentGroups(groups: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(groups).filter((group): group is [string, string] => group[1] !== null));
}

/** Constructs of RegExp that RE2 lacks, with the advice for each. */
const rewritings: readonly (readonly [construct: RegExp, advice: string])[] = [
  [
    /\(\?<?[=!]/u,
    'RE2 has no look-around. List the texts that may match, as one or more expressions, or negate the condition around it',
  ],
  [/\\[1-9]|\\k</u, 'RE2 has no backreferences. Write out the alternatives'],
  [/\(\?>|[*+?}]\+/u, 'RE2 has no atomic groups and possessive repetitions, and needs none. Remove the + or ?>'],
  [/\\u/u, String.raw`Write a code point as \x{1F600}`],
  [/\\c/u, String.raw`Write a control character as \x01`],
  [/\\[pP]\{[^}]*=/u, String.raw`Write a script or category by its name alone: \p{Greek}, \p{Lu}`],
  [/\\[pP]\{/u, String.raw`Write a category by its short name: \p{L}, \p{Lu}, \p{N}`],
  [/\(\?P?<\w+>/u, 'Names of groups may not repeat. Write (?:…), because names have no effect here'],
  [/\[\^?\]/u, String.raw`A set may not be empty. Write \] for a bracket`],
];

function reasonFor(source: string, cause: unknown): string {
  const why = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /u, '') : String(cause);
  const [, prefix] = /^\^\(\?!([\w-]{1,40})\)(?:\.\*\$?)?$/u.exec(source) ?? [];
  if (prefix !== undefined) return `${why}. RE2 has no look-around. Write ${withoutPrefix(prefix)}`;
  if (why === looseBrace) {
    const hint = source.includes('${') ? 'Variables are not inserted here. ' : '';
    return `${why}. ${hint}${String.raw`Write \{ and \} for braces`}`;
  }
  if (why.startsWith('invalid repeat count')) return `${why}. Repetitions may multiply to 1,000`;
  const bare = source.replaceAll(/\\\\/gu, '');
  const [, advice = 'Correct the expression, in the syntax of RE2'] =
    rewritings.find(([construct]) => construct.test(bare)) ?? [];
  return `${why}. ${advice}`;
}

/** The expression for texts that do not begin with the prefix. */
export function withoutPrefix(prefix: string): string {
  const nested = [...prefix].reduceRight((rest, char) => `(?:$|[^${char}]${rest === '' ? '' : `|${char}${rest}`})`, '');
  return `^${nested}`;
}
