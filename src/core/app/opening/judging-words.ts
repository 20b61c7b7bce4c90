// Whether the working folder may judge a saved plan: whether any file that a search for manifests can find has a word by which a
// manifest declares a policy or limits.
//
// Reading manifests costs a small apply a sixth of its time, and most folders have no policy. So the texts are searched first, without
// parsing them. Whatever a search for words cannot settle, such as a link, an escape or another file as base, counts as such a word. Files
// that an ignore list excludes are searched as well, which costs time alone. Links that manifests are not read through are left out.

import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { piecesOf } from '../../../lib/path-streams.ts';
import { hiddenPart, isInside } from '../../../lib/paths.ts';
import type { PlanSettings } from '../../model/plan.ts';

export type PlannedRates = Pick<PlanSettings, 'rate_plan' | 'rate_share'>;

/**
 * YAML spells a key otherwise only with an escape that makes a letter or joins lines. A file with a zero byte is in another encoding.
 * An overlay names its base with `extends`.
 */
const decisiveWords = ['policy', 'extends', 'limits', '\\x', '\\u', '\\U', '\\\n', '\\\r', '\0'];
const limitWords = ['application', 'rate_plan', 'rate_share'];
const longestWord = 11;
/** Limits are compared in files up to this size. */
const mostBytes = 1 << 16;
const pieceBytes = 1 << 20;
const mostFolders = 100;

/** `limits` are those of the plan. Limits that the files repeat add nothing. */
export async function mayJudge(folder: string, limits: PlannedRates): Promise<boolean> {
  let applications = 0;
  let ratePlans = 0;
  try {
    const root = await realpath(folder);
    for await (const file of filesIn(root, root)) {
      const text = await textWithLimits(file);
      if (text === undefined) continue;
      if (!repeats(text, limits)) return true;
      applications += countOf(text, /\bapplication\b/gu);
      ratePlans += countOf(text, /\brate_plan\b/gu);
    }
  } catch (error) {
    // Whatever the reason, the loader of manifests reports it better.
    if (error instanceof Error) return true;
    throw error;
  }
  // An application without a rate plan has the strictest one.
  return applications !== ratePlans && (applications > 0 || ratePlans > 0);
}

/** Whether the file may declare a policy or limits. */
export async function mayDeclareRules(file: string): Promise<boolean> {
  try {
    return (await textWithLimits(file)) !== undefined;
  } catch (error) {
    if (error instanceof Error) return true;
    throw error;
  }
}

class Unsettled extends Error {}

async function* filesIn(folder: string, root: string, depth = 0): AsyncGenerator<string> {
  if (depth > mostFolders) throw new Unsettled(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'node_modules') continue;
    const path = join(folder, name);
    if (entry.isDirectory()) yield* filesIn(path, root, depth + 1);
    else if (entry.isSymbolicLink()) {
      const target = await realpath(path);
      if (isInside(root, target) && hiddenPart(root, target) === undefined) throw new Unsettled(path);
    } else if (/\.ya?ml$/iu.test(name)) {
      if (!entry.isFile()) throw new Unsettled(path);
      yield path;
    }
  }
}

/** The text of a file that has words of limits, with a byte as a character. Undefined without such a word. */
async function textWithLimits(file: string): Promise<string | undefined> {
  let end = Buffer.alloc(0);
  let text: string | undefined;
  for await (const piece of piecesOf(file, pieceBytes)) {
    const bytes = end.length === 0 ? piece : Buffer.concat([end, piece]);
    if (decisiveWords.some((word) => bytes.includes(word))) throw new Unsettled(file);
    if (limitWords.some((word) => bytes.includes(word))) {
      if (bytes.length > mostBytes || end.length > 0) throw new Unsettled(file);
      text = bytes.toString('latin1');
    }
    end = Buffer.from(bytes.subarray(-longestWord));
  }
  return text;
}

/** The beginning of a line, behind which neither a comment nor a quoted text is open. */
const plainSoFar = /^(?:[^"'#]|"[^"\\]*"|'[^']*')*$/u;

/** Whether each limit in the text is the one of the plan, as a plain value behind its plain key. */
function repeats(text: string, limits: PlannedRates): boolean {
  const declared = /\b(rate_plan|rate_share)\b(?:: +([\w.]+)(?=[\s,}]|$))?/gu;
  for (const { 0: declaration, 1: name, 2: value, index } of text.matchAll(declared)) {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
    if (name === undefined || declaration === name || !plainSoFar.test(line)) return false;
    if (value !== String(limits[name as keyof PlannedRates])) return false;
  }
  return true;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
