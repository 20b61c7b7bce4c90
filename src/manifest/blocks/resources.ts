// The declared resources in the order of their addresses, read again from their files on demand.

import { compareText, isObject } from '../../lib/json.ts';
import { JoinedSeries, type Series } from '../../lib/series.ts';
import { addressOf } from '../../model/address.ts';
import type { Resource } from '../../model/resource.ts';
import { Problems } from '../checks/problems.ts';
import { attributeSources, type BlockContent, type BlockContext, contentOf, readBlock } from './block.ts';
import type { BlockList, DeclaredValue } from './block-list.ts';
import { type DeclarationIndex, indexInList } from './declaration-index.ts';
import type { BlockId } from './key-index.ts';
import { ReadSeries } from './resource-series.ts';

/** What a value declares, in its kind's normal form. */
type ContentOf = (declared: DeclaredValue) => BlockContent;

/** `others`: sorted resources of kinds that have neither a section nor a source, by kind. */
export function resourcesOf(
  declarations: DeclarationIndex,
  context: BlockContext,
  others: ReadonlyMap<string, Series<Resource>>,
): Series<Resource> {
  // Checks have reported all problems and collected all children by now.
  const quiet: BlockContext = { ...context, problems: new Problems() };
  const series = new Map<string, Series<Resource>>();
  for (const { kind } of context.kinds) {
    const keys = declarations.keyIndexOf(kind);
    if (keys === undefined) series.set(kind, others.get(kind) ?? []);
    else series.set(kind, new ReadSeries(keys.inOrder(), (ids) => readBlocks(ids, declarations, quiet)));
  }
  const inOrder = [...series].sort(([left], [right]) => compareText(`${left}.`, `${right}.`));
  return new JoinedSeries(inOrder.map(([, part]) => part));
}

/** Reads the blocks list by list, and returns their resources in the given order. */
function readBlocks(ids: readonly BlockId[], declarations: DeclarationIndex, context: BlockContext): Resource[] {
  const byList = new Map<BlockList, number[]>();
  for (const [position, id] of ids.entries()) {
    const list = declarations.listAt(id);
    if (list === undefined) continue;
    const known = byList.get(list);
    if (known === undefined) byList.set(list, [position]);
    else known.push(position);
  }
  const resources: Resource[] = [];
  for (const [list, positions] of byList) {
    const content = contentIn(list, context);
    for (const [at, value] of list.valuesAt(positions.map((place) => indexInList(ids[place] ?? 0))).entries()) {
      const position = positions[at] ?? 0;
      const id = ids[position] ?? 0;
      resources[position] = declarations.flawed.has(id)
        ? readFlawed(list, id, value, context)
        : resourceOf(list.kind.kind, value, content);
    }
  }
  return resources;
}

function resourceOf(kind: string, declared: DeclaredValue, contentOf: ContentOf): Resource {
  const { key, source, block } = declared;
  const { attributes, lifecycle } = contentOf(declared);
  const address = addressOf(kind, key);
  if (block === undefined) return { address, attributes, lifecycle, source };
  return { address, attributes, lifecycle, source, attributeSources: attributeSources(block) };
}

function contentIn({ kind, file }: BlockList, context: BlockContext): ContentOf {
  const ofList = () => file;
  return ({ key, value, block }) =>
    contentOf(kind, key, isObject(value) ? value : {}, block?.document.fileOf ?? ofList, context);
}

/** The content without the refused parts. */
function readFlawed(list: BlockList, id: BlockId, value: DeclaredValue, context: BlockContext): Resource {
  const block = value.block ?? list.blockAt(indexInList(id));
  const { address } = block;
  return { address, ...readBlock(block, context), source: value.source, attributeSources: attributeSources(block) };
}
