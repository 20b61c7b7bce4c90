// Divides a long manifest into chunks that can be edited or formatted separately.
import { type Chunk, chunksOf } from '../files/chunks.ts';
import { parseEntries } from '../files/read-yaml.ts';
import type { TreeEntry } from '../files/tree.ts';
import { Problems, SourceText } from '../problems/problems.ts';

/** Shorter texts are edited and formatted as a whole. */
export const minChunkedLength = 1 << 16;

/**
 * Returns undefined if the text has a problem, or a part of it depends on another one, as in a text in quotes that looks like a
 * key. `sections` are the names of sections that contain objects.
 */
export function soundChunks(text: string, sections: ReadonlySet<string>, length: number): readonly Chunk[] | undefined {
  const source = new SourceText('', text);
  const problems = new Problems();
  /** The keys of the objects of the section that later chunks continue. */
  let keys = new Set<string>();
  const isSound = ({ start, end, section }: Chunk): boolean => {
    const entries = new Map<string, TreeEntry>();
    if (!parseEntries(source, start, end, entries, problems) || problems.count > 0) return false;
    if (section === undefined) {
      const last = [...entries.values()].at(-1)?.value;
      keys = new Set(last?.type === 'map' ? last.entries.keys() : []);
      return true;
    }
    const before = keys.size;
    for (const key of entries.keys()) keys.add(key);
    return keys.size === before + entries.size;
  };
  const chunks = chunksOf(text, sections, length);
  return chunks?.every(isSound) === true ? chunks : undefined;
}
