// Divides a long manifest by its indentation into chunks that can be parsed separately, and parses them.
import type { Problems, SourceText } from '../problems/problems.ts';
import { type ParsedDocuments, parseEntries } from './read-yaml.ts';
import type { TreeEntry } from './tree.ts';

/** A range of whole lines: top-level keys with everything below them, or objects of a section. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** The section whose objects the chunk continues. */
  readonly section?: string;
}

const space = 32;
/** Matches the first character of a key. Other characters may begin something else. */
const beginsKey = /[\p{L}\p{N}_"']/u;

/**
 * Returns chunks of at least `length` characters, except for the last. Returns undefined if the indentation is not enough
 * to divide the text. A line inside quotes or brackets may look like a key. Then the chunk before it has an error.
 */
export function chunksOf(text: string, sections: ReadonlySet<string>, length: number): readonly Chunk[] | undefined {
  // Readers disagree about a lone carriage return and a byte order mark inside the text. The other characters are not
  // allowed in YAML.
  if (/\r(?!\n)|[\ufeff\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/u.test(text)) return undefined;
  const chunks: Chunk[] = [];
  let open: Omit<Chunk, 'end'> = { start: 0 };
  const cut = (next: Omit<Chunk, 'end'>): void => {
    const leavesSection = open.section !== undefined && open.section !== next.section;
    if (!leavesSection && next.start - open.start < length) return;
    chunks.push({ ...open, end: next.start });
    open = next;
  };
  const keys = new Set<string>();
  /** The section that the line belongs to, and the indentation of its objects. */
  let section: { readonly name: string; indent?: number } | undefined;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    let content = start;
    while (text.charCodeAt(content) === space) content += 1;
    const indent = content - start;
    if (content >= end || text[content] === '#' || text[content] === '\r') continue;
    if (indent === 0) {
      const line = text.slice(start, end);
      const key = /^[A-Za-z_]\w*(?=:(?:[ \r]|$))/u.exec(line)?.[0];
      if (key === undefined || keys.has(key)) return undefined;
      if (keys.size > 0) cut({ start });
      keys.add(key);
      section = sections.has(key) && /^\w+: *(?: #.*)?\r?$/u.test(line) ? { name: key } : undefined;
    } else if (keys.size === 0) return undefined;
    else if (section !== undefined) {
      const isFirst = section.indent === undefined;
      section.indent ??= indent;
      if (indent < section.indent) return undefined;
      if (indent === section.indent && !isFirst && beginsKey.test(text[content] ?? ''))
        cut({ start, section: section.name });
    }
  }
  return keys.size === 0 ? undefined : [...chunks, { ...open, end: text.length }];
}

/** Returns undefined if the text must be read as a whole. */
export function parseInChunks(
  source: SourceText,
  sections: ReadonlySet<string>,
  problems: Problems,
  length: number,
): ParsedDocuments | undefined {
  const chunks = chunksOf(source.text, sections, length);
  if (chunks === undefined) return undefined;
  const entries = new Map<string, TreeEntry>();
  // Drop these problems, because reading the whole file reports them again.
  const reports: Parameters<Problems['add']>[] = [];
  const reporter = { add: (...report: Parameters<Problems['add']>) => void reports.push(report) };
  for (const { start, end, section } of chunks) {
    const value = section === undefined ? undefined : entries.get(section)?.value;
    if (section !== undefined && value?.type !== 'map') return undefined;
    // The entries were just read, so nothing else refers to them.
    const target = value?.type === 'map' ? (value.entries as Map<string, TreeEntry>) : entries;
    if (!parseEntries(source, start, end, target, reporter)) return undefined;
  }
  for (const report of reports) problems.add(...report);
  return { trees: [{ type: 'map', offset: entries.values().next().value?.offset ?? 0, entries }], isPartial: false };
}
