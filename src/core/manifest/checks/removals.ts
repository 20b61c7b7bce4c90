// Reads the entries of `removed:` and checks their addresses.

import { isList, isObject, type JsonObject } from '../../../lib/json.ts';
import { type Address, keyOf, kindOf, parseAddress } from '../../model/address.ts';
import type { RemovedEntry } from '../../model/resource.ts';
import { printPosition } from '../../model/source.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { LoadContext } from '../document/load-context.ts';
import type { Spot } from '../problems/problems.ts';
import { oneOf, quoted } from '../problems/wording.ts';
import type { Declarations } from './declarations.ts';

/** An entry of `removed:` with its spot. */
export interface RemovalEntry {
  readonly entry: RemovedEntry;
  readonly spot: Spot;
}

/** Returns the entries of all `removed` lists by address. */
export function readRemoved(
  documents: readonly ManifestDocument[],
  context: LoadContext,
): ReadonlyMap<Address, RemovalEntry> {
  const entries = new Map<Address, RemovalEntry>();
  for (const document of documents) {
    const { removed } = document.outline;
    for (const [index, item] of (isList(removed) ? removed : []).entries()) {
      if (isObject(item)) readItem(item, ['removed', String(index)], document, entries, context);
    }
  }
  return entries;
}

/** Reports and leaves out entries whose object is still declared. */
export function withoutDeclared(
  removals: ReadonlyMap<Address, RemovalEntry>,
  declarations: Declarations,
  { problems }: LoadContext,
): RemovedEntry[] {
  return Array.from(removals.values()).flatMap(({ entry, spot }) => {
    const position = declarations.positionOf(kindOf(entry.address), keyOf(entry.address));
    if (position === undefined) return [entry];
    const detail = `${entry.address} is declared at ${printPosition(position)}. Remove the declaration there, or the entry here.`;
    problems.add('manifest.removed-and-declared', detail, spot);
    return [];
  });
}

function readItem(
  item: JsonObject,
  path: readonly string[],
  document: ManifestDocument,
  entries: Map<Address, RemovalEntry>,
  context: LoadContext,
): void {
  const { problems } = context;
  const spot = spotIn(document, [...path, 'address']);
  const address = typeof item.address === 'string' ? parseAddress(item.address) : undefined;
  const kind = context.kinds.find((candidate) => address !== undefined && candidate.name === kindOf(address));
  if (address === undefined || kind === undefined) {
    if (typeof item.address === 'string') problems.add('manifest.bad-address', badAddress(item.address, context), spot);
    return;
  }
  const removal = item.on_remove as RemovedEntry['on_remove'];
  if (removal !== undefined && !kind.removals.includes(removal)) {
    const detail = `${removal} is not possible for a ${kind.title}. Expected ${oneOf(kind.removals)}.`;
    problems.add('manifest.wrong-value', detail, { ...spotIn(document, [...path, 'on_remove']), address });
    return;
  }
  const first = entries.get(address);
  if (first !== undefined) {
    const detail = `${address} is listed here and at ${printPosition(first.entry.source)}. Keep one of them.`;
    problems.add('manifest.declared-twice', detail, { ...spot, address });
  } else {
    const source = spot.source.position(spot.offset);
    const entry = { address, ...(removal === undefined ? {} : { on_remove: removal }), source };
    entries.set(address, { entry, spot: { ...spot, address } });
  }
}

function badAddress(text: string, { kinds, suggestions }: LoadContext): string {
  const names = kinds.map(({ name: kind }) => kind);
  const [date = ''] = text.split('.', 1);
  const key = text.slice(date.length + 1);
  const suggestion = names.includes(date)
    ? ''
    : suggestions.sentence(
        text,
        names.map((name) => `${name}.${key}`),
      );
  return `${quoted(text)} is not a kind and a key. Write ${oneOf(names.map((name) => `${name}.KEY`))}.${suggestion}`;
}
