// Checks every declared block, and whether the blocks fit together. Reads them kind by kind and keeps none.

import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { addressOf } from '../../model/address.ts';
import { type BlockContext, cleanContent, type FileOf, readBlock } from '../blocks/block.ts';
import { type BlockList, SectionList } from '../blocks/block-list.ts';
import { blockIdOf, type DeclarationIndex } from '../blocks/declaration-index.ts';
import { type DeclaredBlock, fileIn, printBlockPosition, spotOfKey, spotOfPath } from '../blocks/declared-block.ts';
import { fileRules } from '../blocks/file-attributes.ts';
import { takesAway } from '../overlays/merge.ts';
import { LayeredList, refuseNothing } from '../overlays/overlay-lists.ts';
import { blockProperties } from '../schema/block-schema.ts';
import { type KeyedRow, SourceList } from '../sources/source-list.ts';
import { type IdPaths, toJson } from '../yaml/tree.ts';
import type { SecretVariables } from './application.ts';
import { type AllowedHosts, checkCallbacks } from './callbacks.ts';
import { checkSharedKey, DistinctChannels, References, type Surroundings } from './relations.ts';
import { checkRestricted, type Restrictions } from './restrictions.ts';
import { quoted } from './wording.ts';

export interface CheckContext extends BlockContext {
  readonly around: Surroundings;
  readonly restrictions: Restrictions;
  readonly secrets: SecretVariables;
  readonly allowedHosts: AllowedHosts;
}

/** One block with its value. `blockOf` gives the places of its parts, for problems. */
interface Found {
  readonly list: BlockList;
  /** Number of the list in `DeclarationIndex.lists`. */
  readonly number: number;
  readonly index: number;
  readonly key: string;
  readonly value: JsonValue;
  readonly fileOf: FileOf;
  blockOf(): DeclaredBlock;
}

/** Fills the declarations. The registry orders kinds so that those that others refer to come first. */
export async function checkBlocks(declarations: DeclarationIndex, context: CheckContext): Promise<void> {
  const pass = new Pass(declarations, context);
  for (const kind of context.kinds) {
    for (const [number, list] of declarations.lists.entries()) {
      if (list.kind !== kind) continue;
      const inner = list instanceof LayeredList ? list.inner : list;
      if (inner instanceof SectionList) await pass.section(inner, list, number);
      else if (inner instanceof SourceList) await pass.source(inner, list, number);
    }
  }
  pass.end();
}

class Pass {
  readonly #declarations: DeclarationIndex;
  readonly #context: CheckContext;
  readonly #references: References;
  readonly #distinct = new DistinctChannels();

  constructor(declarations: DeclarationIndex, context: CheckContext) {
    this.#declarations = declarations;
    this.#context = context;
    this.#references = new References(context.around, context);
  }

  async section(items: SectionList, list: BlockList, number: number): Promise<void> {
    const attributes = new Set(Object.keys(blockProperties(items.kind)));
    for (let index = 0; index < items.items.length; index += 1) {
      const block = items.blockAt(index);
      if (this.#isEmptied(items, number, index, block, attributes)) {
        while (index + 1 < items.items.length && attributes.has(items.blockAt(index + 1).key)) index += 1;
        continue;
      }
      if (list instanceof LayeredList) await this.#takeLaid(block, list, number, index);
      else await this.#takeBlock(block, items.idPaths, { list, number, index });
    }
  }

  async #takeLaid(block: DeclaredBlock, list: LayeredList, number: number, index: number): Promise<void> {
    const laid = this.#laid(list, index, block);
    if (laid !== undefined) await this.#takeBlock(laid, list.idPaths, { list, number, index });
  }

  async #takeBlock(block: DeclaredBlock, ids: IdPaths, place: Pick<Found, 'list' | 'number' | 'index'>): Promise<void> {
    const value = toJson(block.entry.value, ids);
    await this.#take({ ...place, key: block.key, value, fileOf: (name) => fileIn(block, name), blockOf: () => block });
  }

  async #take(found: Found): Promise<void> {
    if (!this.#isFirst(found)) return;
    this.#checkRestricted(found);
    const { list, value, fileOf } = found;
    if (namesFile(found)) await this.#context.fileAttributes.prepare(list.kind, value, fileOf);
    this.#checkContent(found);
  }

  /** Undefined when the block is none of its own: it lies over another one, or takes one away, or is taken away. */
  #laid(list: LayeredList, index: number, block: DeclaredBlock): DeclaredBlock | undefined {
    if (list.isUsed(index)) return undefined;
    const laid = list.lay(block);
    if (laid === undefined || !takesAway(laid.entry.value)) return laid;
    if (list.isOverlay) refuseNothing(laid, this.#context.problems);
    return list.isOverlay ? undefined : laid;
  }

  async source(rows: SourceList, list: BlockList, number: number): Promise<void> {
    // One function for all rows, to save a closure for each of a million.
    let current: KeyedRow | undefined;
    const blockOf = () => rows.blockOf(current as KeyedRow);
    const fileOf = () => rows.file;
    // The rows of an overlay were kept when its keys were read.
    const isKept = rows.length > 0;
    let count = 0;
    for (const row of rows.scan(this.#context.problems)) {
      current = row;
      const { key, value } = row;
      const index = isKept ? count : rows.length;
      count += 1;
      if (list instanceof LayeredList && (list.isOverlay || list.hasOverlay(key))) {
        if (!isKept) rows.keep(row);
        await this.#takeLaid(rows.blockOf(row), list, number, index);
        continue;
      }
      const found = { list, number, index, key, value, fileOf, blockOf };
      if (!this.#isFirst(found)) continue;
      rows.keep(row);
      this.#checkRestricted(found);
      if (namesFile(found)) await this.#context.fileAttributes.prepare(list.kind, value, fileOf);
      this.#checkContent(found);
    }
  }

  /** Reports a block without content above keys that are named as its attributes: they are not indented far enough. */
  #isEmptied(
    list: SectionList,
    number: number,
    index: number,
    block: DeclaredBlock,
    attributes: ReadonlySet<string>,
  ): boolean {
    const { value } = block.entry;
    const isEmpty = value.type === 'scalar' && value.value === null && value.text === '';
    const next = isEmpty && index + 1 < list.items.length ? list.blockAt(index + 1).key : undefined;
    if (next === undefined || !attributes.has(next)) return false;
    this.#declarations.add(list, number, block.key, index);
    this.#declarations.flawed.add(blockIdOf(number, index));
    const detail = `${block.key} has no content, and the lines below it are named as the attributes of a ${list.kind.title}. Indent ${quoted(next)} further than ${quoted(block.key)}.`;
    const { source, offset } = spotOfKey(list.blockAt(index + 1));
    this.#context.problems.add('manifest.wrong-type', detail, { source, offset });
    return true;
  }

  end(): void {
    this.#distinct.report(this.#declarations, this.#context);
  }

  #isFirst(found: Found): boolean {
    const { list, number, index, key, value } = found;
    this.#context.secrets.check(list.kind, value, (path) => spotOfPath(found.blockOf(), path, 'value'));
    const first = this.#declarations.add(list, number, key, index);
    if (first === undefined) return true;
    const block = found.blockOf();
    const other = this.#declarations.blockAt(first) ?? block;
    const detail = `${block.address} is declared here and at ${printBlockPosition(other)}. Keep one of them.`;
    this.#context.problems.add('manifest.duplicate-resource', detail, spotOfKey(block));
    return false;
  }

  #checkRestricted({ list, key, value, blockOf }: Found): void {
    const { restrictions, problems } = this.#context;
    if (restrictions.isEmpty) return;
    const address = addressOf(list.kind.kind, key);
    const names = isObject(value) ? Object.keys(value) : [];
    const { parts = [{ file: list.file, names }] } = list instanceof LayeredList ? blockOf().document : {};
    for (const { file, names: own } of parts) {
      checkRestricted({ file: file.name, address, names: own }, blockOf, restrictions, problems);
    }
  }

  #checkContent({ list, number, index, key, value, fileOf, blockOf }: Found): void {
    const { kind } = list;
    const id = blockIdOf(number, index);
    const clean = cleanContent(kind, key, value, fileOf, this.#context);
    const attributes = clean?.attributes ?? this.#flawed(blockOf(), id);
    // Only the first problem of a spot is shown, and an invalid key matters more than a shared one.
    checkSharedKey(kind, key, blockOf, id, this.#declarations, this.#context);
    this.#references.check(kind, attributes, blockOf);
    checkCallbacks(kind, attributes, blockOf, this.#context.allowedHosts, this.#context.problems);
    this.#distinct.add(kind, attributes, id);
  }

  #flawed(block: DeclaredBlock, id: number): JsonObject {
    const { problems } = this.#context;
    const errorsBefore = problems.errors;
    const { attributes } = readBlock(block, this.#context);
    if (problems.errors > errorsBefore) this.#declarations.flawed.add(id);
    return attributes;
  }
}

function namesFile({ list, value }: Found): boolean {
  if (!isObject(value)) return false;
  for (const [name] of fileRules(list.kind)) if (typeof value[name] === 'string') return true;
  return false;
}
