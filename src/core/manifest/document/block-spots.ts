// Where the parts of a declared block are, for problems.
import { printPosition } from '../../model/source.ts';
import { entryIn, nearest, offsetOfText, valueOffset } from '../files/tree.ts';
import type { Spot } from '../problems/problems.ts';
import { type DeclaredBlock, isSecret, positionOfBlock } from './declared-block.ts';

export function printBlockPosition(block: DeclaredBlock): string {
  return printPosition(positionOfBlock(block));
}

export function spotOfKey({ document, entry, address }: DeclaredBlock): Spot {
  return { source: document.source, offset: entry.offset, address };
}

/** Returns the position of a path in the declaration. List items are identified by index. */
export function spotOfPath(block: DeclaredBlock, path: readonly string[], at: 'key' | 'value'): Spot {
  const entry = nearest(block.entry, path);
  const offset = at === 'key' ? entry.offset : valueOffset(entry);
  return { source: block.document.source, offset, address: block.address, secret: isSecret(block.kind, path) };
}

/**
 * Returns the position of a path in normal form. List items are found by text, because lists are sorted, and attributes
 * also under their other spellings.
 */
export function spotOfMeaning(block: DeclaredBlock, path: readonly string[]): Spot {
  const [name = '', ...rest] = path;
  const spellings = Object.entries(block.kind.spellings ?? {}).filter(([, { use }]) => use === name);
  const [text] = rest;
  for (const declaredName of [name, ...spellings.map(([spelling]) => spelling)]) {
    const entry = entryIn(block.entry.value, declaredName);
    if (entry === undefined) continue;
    const offset = text === undefined ? undefined : offsetOfText(entry.value, text);
    if (offset !== undefined) return { source: block.document.source, offset, address: block.address };
    if (text === undefined) return spotOfPath(block, [declaredName], 'value');
  }
  return spotOfPath(block, path, 'value');
}
