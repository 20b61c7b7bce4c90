// Searches the manifests of the working folder for words that may declare a policy or limits, which then judge a saved plan.
//
// Loading manifests would slow a small apply, and most folders have no policy. So chatform searches their texts before it parses any.
// It loads the manifests if it finds such a word, or if the search cannot tell: at a link, an escape or a base in another file. It also
// searches files that an ignore list excludes, which costs only time.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { piecesOf } from '../../../lib/path-streams.ts';
import type { PlanSettings } from '../../model/plan.ts';
import { cautiousRatePlan } from '../context/application.ts';

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

/** `limits` come from the plan. Files that declare equal limits cannot change its judgement. */
export async function mayJudge(folder: string, limits: PlannedRates): Promise<boolean> {
  try {
    for await (const file of filesIn(folder)) {
      const text = await textWithLimits(file);
      if (text !== undefined && !repeats(text, limits)) return true;
    }
    return false;
  } catch (error) {
    // Whatever the reason, the loader of manifests reports it better.
    if (error instanceof Error) return true;
    throw error;
  }
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

async function* filesIn(folder: string, depth = 0): AsyncGenerator<string> {
  if (depth > mostFolders) throw new Unsettled(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'node_modules') continue;
    const path = join(folder, name);
    // The loader follows some links and reports the others.
    if (entry.isSymbolicLink()) throw new Unsettled(path);
    if (entry.isDirectory()) yield* filesIn(path, depth + 1);
    else if (/\.ya?ml$/iu.test(name)) {
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

/** A key and its value on one line. A plain value has no character that could have a meaning in YAML. */
const pair = String.raw`(\w+): +("[^"\\]*"|'[^']*'|(?:[^\s"'#{}[\],|>&*!%@\x60?]|\$\{\w+\})+)`;
const lineEnd = '(?: +#.*| *)$';
const applicationBlock = /^application:.*(?:\n(?: .*)?$)*/gmu;
const flowForm = new RegExp(String.raw`^application: +\{ *((?:${pair}(?: *, *| *(?=\})))+)\}${lineEnd}`, 'u');
const blockHead = new RegExp(`^application:${lineEnd}`, 'u');
const blockLine = new RegExp(`^( +)${pair}${lineEnd}`, 'u');
const flowPair = new RegExp(pair, 'gu');

/**
 * Whether the text declares only the limits of the plan. Each must be a plain value directly in an `application` block at the
 * beginning of a line. The word elsewhere leaves the answer to the loader.
 */
function repeats(text: string, limits: PlannedRates): boolean {
  const lines = text.replaceAll('\r\n', '\n');
  if (lines.includes('\r')) return false;
  const uncommented = lines.replaceAll(/^[ \t]*(?:#.*)?$/gmu, '');
  const elsewhere = uncommented.replaceAll(applicationBlock, '');
  return (
    !/\b(?:application|rate_plan|rate_share)\b/u.test(elsewhere) &&
    (uncommented.match(applicationBlock) ?? []).every((block) => repeatsIn(block, limits))
  );
}

function repeatsIn(block: string, limits: PlannedRates): boolean {
  const entries = entriesOf(block);
  if (entries === undefined) return false;
  const { rate_plan = cautiousRatePlan, rate_share = limits.rate_share } = Object.fromEntries(entries);
  return rate_plan === limits.rate_plan && String(rate_share) === String(limits.rate_share);
}

/** Undefined for a block in another form. */
function entriesOf(block: string): readonly (readonly [name: string, value: string])[] | undefined {
  const [head = '', ...lines] = block.split('\n').filter((line) => line !== '');
  const [, flow] = lines.length === 0 ? (flowForm.exec(head) ?? []) : [];
  if (flow !== undefined) return Array.from(flow.matchAll(flowPair), ([, name = '', value = '']) => [name, value]);
  const entries = lines.map((line) => blockLine.exec(line) ?? []);
  const indents = new Set(entries.map(([, indent]) => indent));
  if (!blockHead.test(head) || indents.size !== 1 || indents.has(undefined)) return undefined;
  return entries.map(([, , name = '', value = '']) => [name, value]);
}
