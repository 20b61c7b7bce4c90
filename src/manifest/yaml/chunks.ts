// Divides a long manifest into chunks that can be parsed one by one, by its indentation alone.

/** Whole lines, from offset to offset: top-level keys with all below them, or objects of a section. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  /** The section whose objects the chunk continues. */
  readonly section?: string;
}

const space = 32;
/** Other keys begin with a sign that may as well begin something else. */
const beginsKey = /[\p{L}\p{N}_"']/u;

/**
 * Chunks of at least `length` characters, but for the last. Undefined when the indentation alone does not tell what
 * belongs together. A line inside of quotes or brackets may be taken for a key: the chunk before it has an error then.
 */
export function chunksOf(text: string, sections: ReadonlySet<string>, length: number): readonly Chunk[] | undefined {
  // Readers disagree about a lone carriage return and a byte order mark inside the text. No other of these characters is
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
