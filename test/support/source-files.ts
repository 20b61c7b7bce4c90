// Support: the sources as text, and what they import.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  /** From `src/`, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Import {
  readonly from: string;
  readonly isReExport: boolean;
}

export interface Scanned {
  readonly imports: readonly Import[];
  /** The texts in the code, except templates that compute something. */
  readonly strings: readonly string[];
  /** The templates that compute something, with … in place of what they compute. */
  readonly templates: readonly string[];
  /** Without comments, and without what stands in strings and regular expressions. */
  readonly code: string;
}

const token =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|'(?<single>(?:\\.|[^'\\\n])*)'|"(?<double>(?:\\.|[^"\\\n])*)"|`(?<template>(?:\\[\s\S]|[^`\\])*)`|(?<regex>(?<=(?:^|[(,=:[!&|?{};>\n]|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*)/gu;

/** By text, because several tests scan the same sources. */
const scannedTexts = new Map<string, Scanned>();

/** Strings become `"n"`, so that no text in them is taken for code; what a template computes stays code. */
export function scan(text: string): Scanned {
  const known = scannedTexts.get(text);
  if (known !== undefined) return known;
  const scanned = scanText(text);
  scannedTexts.set(text, scanned);
  return scanned;
}

function scanText(text: string): Scanned {
  const strings: string[] = [];
  const templates: string[] = [];
  const code = text.replace(token, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (groups.comment !== undefined) return ' ';
    if (groups.regex !== undefined) return '/x/';
    const parts = [...(groups.template ?? '').matchAll(/\$\{([^}]*)\}/gu)].map(([, part]) => `(${part})`);
    if (parts.length > 0) {
      templates.push((groups.template ?? '').replace(/\$\{[^}]*\}/gu, '…'));
      return `(${parts.join('+')})`;
    }
    strings.push(groups.single ?? groups.double ?? groups.template ?? whole);
    return `"${strings.length - 1}"`;
  });
  const clause = String.raw`(?:\*(?:\s*as\s+[\w$]+)?|\{[^}]*\}|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s*as\s+[\w$]+))?)`;
  const found = code.matchAll(
    new RegExp(
      String.raw`\b(import|export)\s*(?:type\b\s*)?${clause}\s*from\s*"(\d+)"|\b(?:import|require)\s*\(?\s*"(\d+)"`,
      'gu',
    ),
  );
  const imports = [...found].map(([, keyword, from, bare]) => ({
    from: strings[Number(from ?? bare)] ?? '',
    isReExport: keyword === 'export',
  }));
  return { imports, strings, templates, code };
}

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

export function sourceFiles(): SourceFile[] {
  return readdirSync(`${projectRoot}/src`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:ts|cjs)$/u.test(path) && !path.includes('/generated/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${projectRoot}/src/${path}`, 'utf8') }));
}
