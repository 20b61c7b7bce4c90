// Which objects does `removed:` name, and can they be meant?
import { type Address, kindOf, parseAddress } from '../model/address.ts';
import { isList, isObject, type JsonObject } from '../model/json.ts';
import type { Removal, RemovedEntry } from '../model/resource.ts';
import { printPosition } from '../model/source.ts';
import { type DeclaredBlock, placeOf } from './declared.ts';
import { type LoadContext, type ManifestDocument, spotIn } from './document.ts';
import { oneOf, quote } from './wording.ts';

export function readRemoved(
  documents: readonly ManifestDocument[],
  declared: ReadonlyMap<Address, DeclaredBlock>,
  context: LoadContext,
): ReadonlyMap<Address, RemovedEntry> {
  const entries = new Map<Address, RemovedEntry>();
  for (const document of documents) {
    const { removed } = document.outline;
    for (const [index, item] of (isList(removed) ? removed : []).entries()) {
      if (isObject(item)) readItem(item, ['removed', String(index)], document, entries, declared, context);
    }
  }
  return entries;
}

function readItem(
  item: JsonObject,
  path: readonly string[],
  document: ManifestDocument,
  entries: Map<Address, RemovedEntry>,
  declared: ReadonlyMap<Address, DeclaredBlock>,
  context: LoadContext,
): void {
  const { problems } = context;
  const spot = spotIn(document, [...path, 'address']);
  const address = typeof item.address === 'string' ? parseAddress(item.address) : undefined;
  const kind = context.kinds.find((candidate) => address !== undefined && candidate.kind === kindOf(address));
  if (address === undefined || kind === undefined) {
    if (typeof item.address === 'string') problems.add('manifest.bad-address', badAddress(item.address, context), spot);
    return;
  }
  const removal = item.on_remove as Removal | undefined;
  if (removal !== undefined && !kind.removals.includes(removal)) {
    const detail = `${removal} is not possible for a ${kind.title}: expected ${oneOf(kind.removals)}.`;
    problems.add('manifest.wrong-value', detail, { ...spotIn(document, [...path, 'on_remove']), address });
    return;
  }
  const first = entries.get(address);
  const block = declared.get(address);
  if (first !== undefined) {
    const detail = `${address} stands here and at ${printPosition(first.source)}. Keep one of them.`;
    problems.add('manifest.declared-twice', detail, { ...spot, address });
  } else if (block !== undefined) {
    const detail = `${address} is declared at ${placeOf(block)}. Remove the declaration there, or the entry here.`;
    problems.add('manifest.removed-and-declared', detail, { ...spot, address });
  } else {
    const source = spot.source.position(spot.offset);
    entries.set(address, { address, ...(removal === undefined ? {} : { on_remove: removal }), source });
  }
}

function badAddress(text: string, { kinds, suggestions }: LoadContext): string {
  const names = kinds.map(({ kind }) => kind);
  const [given = ''] = text.split('.', 1);
  const key = text.slice(given.length + 1);
  const suggestion = names.includes(given)
    ? ''
    : suggestions.sentence(
        text,
        names.map((name) => `${name}.${key}`),
      );
  return `${quote(text)} is not a kind and a key. Write ${oneOf(names.map((name) => `${name}.KEY`))}.${suggestion}`;
}
