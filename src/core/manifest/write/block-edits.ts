// Edits values of blocks in the text of a manifest. A long text is edited in chunks, so that an edit of one block does not need
// the documents of others.
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { escapePlaceholders } from '../document/fill.ts';
import { minChunkedLength, soundChunks } from './sound-chunks.ts';
import { type BlockEdit, type Edited, editWhole, noBlock } from './whole-edits.ts';

/** The length of a chunk, in characters. */
const chunkLength = 1000;

/**
 * The text must be a valid manifest. A text in the layout of `fmt` stays in that layout. `refused` says, by edit, why the
 * edit cannot be made.
 */
export function editBlocks<Edit extends BlockEdit>(
  text: string,
  edits: readonly Edit[],
  kinds: readonly KindDefinition[],
): Edited<Edit> {
  const sections = new Set(kinds.filter(({ onlyKey }) => onlyKey === undefined).map(({ section }) => section));
  const chunks = text.length > minChunkedLength ? soundChunks(text, sections, chunkLength) : undefined;
  if (chunks === undefined) return editWhole(text, edits, kinds);
  const newline = /^[^\n]*\r\n/u.test(text) ? '\r\n' : '\n';
  const refused = new Map<Edit, string>();
  const pending = new Set(edits);
  const byName = new Map<string, Edit[]>();
  for (const edit of edits) {
    const name = edit.key === undefined ? edit.section : escapePlaceholders(edit.key);
    byName.set(name, [...(byName.get(name) ?? []), edit]);
  }
  let result = '';
  for (const { start, end, section } of chunks) {
    const head = section === undefined ? '' : `${section}:${newline}`;
    const page = head + text.slice(start, end);
    const names = namesIn(page);
    const meant = [...names]
      .flatMap((name) => byName.get(name) ?? [])
      .filter((edit) => pending.has(edit) && names.has(edit.section));
    const edited = meant.length === 0 ? { text: page, refused } : editWhole(page, meant, kinds);
    // An edit that changes the head concerns more than the chunk.
    if (!edited.text.startsWith(head)) return editWhole(text, edits, kinds);
    for (const edit of meant) {
      const why = edited.refused.get(edit);
      if (why === noBlock) continue;
      pending.delete(edit);
      if (why !== undefined) refused.set(edit, why);
    }
    result += edited.text.slice(head.length);
  }
  // A key may be written in another way than as a plain text, and a block may be in brackets.
  const wholeEdit = pending.size === 0 ? { text: result, refused: [] } : editWhole(result, [...pending], kinds);
  return { text: wholeEdit.text, refused: new Map([...refused, ...wholeEdit.refused]) };
}

/** The keys at the beginnings of lines. */
function namesIn(page: string): ReadonlySet<string> {
  const keys = page.matchAll(/^ *(?:"([^"\\\n]*)"|'([^'\n]*)'|([^\s#"'][^:\n]*?)) *:(?=\s)/gmu);
  return new Set(Array.from(keys, ([, double, single, plain]) => double ?? single ?? plain ?? ''));
}
