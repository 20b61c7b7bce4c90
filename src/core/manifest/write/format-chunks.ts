// Formats a long manifest in chunks, so that only one chunk at a time is a document of the YAML package.
//
// What remains without the objects inside long sections is formatted as one page, which gives the order of the sections. In that
// page, a marker stands for these objects. Each chunk of them is formatted below a marker too, so that it is not the beginning of a
// map, whose comments and blank lines are treated in another way.
import type { Chunk } from '../files/chunks.ts';
import { soundChunks } from './sound-chunks.ts';

/** The objects of a section without the first and last ones. */
interface InnerObjects {
  readonly section: string;
  readonly indent: string;
  /** The chunks, as lines. */
  readonly pages: string[];
}

/**
 * Returns undefined if the text has a problem or can only be formatted as a whole. `format` formats a page, and returns undefined
 * if it has to be left as it is. Chunks have at least `length` characters.
 */
export function formatInChunks(
  text: string,
  sections: ReadonlySet<string>,
  format: (page: string) => string | undefined,
  length: number,
): string | undefined {
  const chunks = soundChunks(text, sections, length);
  if (chunks === undefined) return undefined;
  let marker = 'objects-between';
  while (text.includes(marker)) marker += '-';
  const { frame, runs } = withRuns(text, apart(text, chunks), marker);
  let unprinted = runs.length === 0 ? undefined : format(frame);
  if (unprinted === undefined) return undefined;
  const formatted: string[] = [];
  const add = (lines: string): boolean => {
    const above = formatted.at(-1) ?? '';
    formatted.push(lines);
    // Sorting may have moved a blank line, a comment or an empty value to the end, to which a comment below would belong.
    const last = above.slice(above.lastIndexOf('\n', above.length - 2) + 1);
    return last !== '\n' && !(/^\n* *#/u.test(lines) && /^ *#|:(?: #.*)?\n$/u.test(last));
  };
  // The printed sections may have another order than the runs.
  for (let at = unprinted.indexOf(marker); at !== -1; at = unprinted.indexOf(marker)) {
    const line = /^[^\n:]*/u.exec(unprinted.slice(at))?.[0] ?? '';
    const run = runs[Number(line.slice(marker.length))];
    const printed = `  ${line}: 1\n`;
    if (run === undefined || !unprinted.slice(at - 2).startsWith(printed)) return undefined;
    if (!add(unprinted.slice(0, at - 2))) return undefined;
    for (const page of run.pages) {
      const lines = format(`${run.section}:\n${run.indent}${marker}: 1\n${page}`);
      const head = `${run.section}:\n  ${marker}: 1\n`;
      if (lines?.startsWith(head) !== true || !add(lines.slice(head.length))) return undefined;
    }
    unprinted = unprinted.slice(at - 2 + printed.length);
  }
  return add(unprinted) ? formatted.join('') : undefined;
}

/**
 * Moves the beginning of each chunk up to the comments and blank lines above its first key, and joins chunks where these may belong
 * to the value before. The last objects of a section stay with the key below, because comments between them may belong to either.
 */
function apart(text: string, chunks: readonly Chunk[]): readonly Chunk[] {
  const parts: Chunk[] = [];
  for (const chunk of chunks) {
    const last = parts.pop();
    const start = chunk.section === undefined ? undefined : beginningAbove(text, chunk.start, last?.start ?? 0);
    if (last === undefined) parts.push(chunk);
    else if (chunk.section === undefined) parts.push({ start: last.start, end: chunk.end });
    else if (start === undefined) parts.push({ ...last, end: chunk.end });
    else parts.push({ ...last, end: start }, { ...chunk, start });
  }
  return parts.map(({ start, end, section }, at) =>
    section === undefined || at === parts.length - 1 ? { start, end } : { start, end, section },
  );
}

const headerOfBlockText = /[|>][-+\d]*(?: +#.*)?$/u;

/**
 * Returns where the comments and blank lines above a line begin. Returns undefined if these may belong to the value above them.
 * Nothing above `top` is read.
 */
function beginningAbove(text: string, start: number, top: number): number | undefined {
  const indent = indentAt(text, start);
  let hasComment = false;
  let above: string | undefined;
  let beginning = start;
  for (let end = start; end > top; ) {
    const from = text.lastIndexOf('\n', end - 2) + 1;
    const line = text.slice(from, end - 1);
    const content = line.trim();
    const isComment = content.startsWith('#');
    if (above === undefined) {
      hasComment ||= isComment;
      if (isComment && indentAt(text, from) !== indent) return undefined;
      if (content === '' || isComment) beginning = from;
      else {
        if (beginning === start) return start;
        // An empty value takes the comments below it, and one with a comment beside it the blank lines too.
        if (hasComment ? /:(?: +#.*)?$/u.test(content) : /: +#/u.test(content)) return undefined;
        above = line;
      }
    }
    // Blank lines may be a part of a text in lines. It begins below the next line that is not indented more than the key.
    if (above !== undefined) {
      if (headerOfBlockText.test(line)) return undefined;
      if (content !== '' && indentAt(text, from) <= indent) return beginning;
    }
    end = from;
  }
  return above === undefined ? undefined : beginning;
}

function indentAt(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at += 1;
  return at - start;
}

/** Returns the text with a marker in place of the objects inside each section, followed by the number of their run. */
function withRuns(
  text: string,
  parts: readonly Chunk[],
  marker: string,
): { readonly frame: string; readonly runs: readonly InnerObjects[] } {
  const runs: InnerObjects[] = [];
  let frame = '';
  let run: InnerObjects | undefined;
  for (const { start, end, section } of parts) {
    const page = text.slice(start, end);
    if (section === undefined) {
      frame += page;
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = { section, indent: /^ +(?=[^ #\n])/mu.exec(page)?.[0] ?? '', pages: [] };
      frame += `${run.indent}${marker}${runs.length}: 1\n`;
      runs.push(run);
    }
    run.pages.push(page);
  }
  return { frame, runs };
}
