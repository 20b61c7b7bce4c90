// Splits a manifest into its sections, and sections into objects, by indentation alone and without parsing.
import { readPlainKey } from './plain-block.ts';

/** From the start of a line to the start of another one. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** One top-level key with everything below it. */
export interface OutlinePart extends TextRange {
  readonly key: string;
  /** The objects of a section in block style. */
  readonly items?: readonly OutlineItem[];
}

export interface OutlineItem extends TextRange {
  readonly key: string;
  /** Offset of the key. */
  readonly offset: number;
}

/**
 * The parts of a text that holds one document in block style. Undefined when the indentation alone does not tell what
 * belongs together.
 */
export function splitText(text: string, sections: ReadonlySet<string>): readonly OutlinePart[] | undefined {
  // Readers disagree about a lone carriage return and a byte order mark inside the text; a lone surrogate is no character.
  if (/\r(?!\n)|\ufeff|\p{Surrogate}/u.test(text)) return undefined;
  const parts: OutlinePart[] = [];
  let lines: TextRange | undefined;
  let key = '';
  const close = (end: number): boolean => {
    if (lines === undefined) return true;
    const range = { start: lines.start, end };
    const items = sections.has(key) && isBlockSection(text, range) ? itemsOf(text, range) : undefined;
    if (items === 'unclear') return false;
    parts.push({ key, ...range, ...(items === undefined ? {} : { items }) });
    return true;
  };
  for (let start = 0; start < text.length; start = nextLine(text, start)) {
    if (!isContent(text, start)) {
      // An indented line before any key that it could belong to.
      if (lines === undefined && /^ +[^ \r\n#]/u.test(text.slice(start, nextLine(text, start)))) return undefined;
      continue;
    }
    const found = /[A-Za-z_]\w*:(?=[ \r\n]|$)/uy;
    found.lastIndex = start;
    const name = found.exec(text)?.[0];
    if (name === undefined) return undefined;
    if (!close(start)) return undefined;
    key = name.slice(0, -1);
    if (parts.some((part) => part.key === key)) return undefined;
    lines = { start, end: start };
  }
  return close(text.length) && parts.length > 0 ? parts : undefined;
}

function nextLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end + 1;
}

/** Whether the line has content in its first column. */
function isContent(text: string, start: number): boolean {
  const sign = text.charCodeAt(start);
  return sign !== 32 && sign !== 35 && sign !== 10 && !(sign === 13 && text.charCodeAt(start + 1) === 10);
}

/** Whether only a comment follows the key. */
function isBlockSection(text: string, { start, end }: TextRange): boolean {
  const line = text.slice(start, Math.min(end, nextLine(text, start)));
  return /^\w+:(?: *| +#.*)\r?\n?$/u.test(line);
}

/** Undefined when nothing stands below the key. */
function itemsOf(text: string, { start, end }: TextRange): readonly OutlineItem[] | undefined | 'unclear' {
  const items: OutlineItem[] = [];
  let indent = -1;
  let open: { readonly key: string; readonly offset: number; readonly start: number } | undefined;
  for (let line = nextLine(text, start); line < end; line = nextLine(text, line)) {
    let at = line;
    while (text.charCodeAt(at) === 32) at += 1;
    const sign = text.charCodeAt(at);
    if (sign === 10 || sign === 35 || Number.isNaN(sign)) continue;
    if (sign === 13 && text.charCodeAt(at + 1) === 10) continue;
    if (indent === -1) indent = at - line;
    if (at - line > indent) continue;
    // Tabs, list items in the column of their key, and similar.
    if (at - line < indent) return 'unclear';
    const key = readPlainKey(text, at, end);
    if (key === undefined) return 'unclear';
    if (open !== undefined) items.push({ ...open, end: line });
    open = { key, offset: at, start: line };
  }
  if (open !== undefined) items.push({ ...open, end });
  return items.length === 0 ? undefined : items;
}
