// Is every declared block right, and do they fit together? Once through all of them, kind by kind, none kept.
import { addressOf } from '../model/address.ts';
import { isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { Reference } from '../resources/define.ts';
import { type BlockContext, cleanContent, readBlock } from './block.ts';
import { type BlockList, SectionList } from './block-list.ts';
import { type Declarations, placeIn } from './declarations.ts';
import { type DeclaredBlock, placeOf, spotOfKey } from './declared.ts';
import { fileRules } from './file-attributes.ts';
import { checkSharedKey, DistinctChannels, References, type Surroundings } from './relations.ts';
import { checkRestricted, type Restrictions } from './restrictions.ts';
import { type KeyedRow, SourceList } from './sources/source-list.ts';
import { toJson } from './tree.ts';

export interface CheckContext extends BlockContext {
  readonly around: Surroundings;
  readonly restrictions: Restrictions;
  /** May the object stand in a part of the manifests that could not be read? */
  readonly isUnread: (reference: Reference) => boolean;
}

/** One block as it is found: its value, and its parts with their places when something is to be told. */
interface Found {
  readonly list: BlockList;
  /** Of the list. */
  readonly number: number;
  readonly index: number;
  readonly key: string;
  readonly value: JsonValue;
  blockOf(): DeclaredBlock;
}

/** Fills the declarations. Kinds are read in the order of the registry, which has those first that others name. */
export async function checkBlocks(declarations: Declarations, context: CheckContext): Promise<void> {
  const pass = new Pass(declarations, context);
  for (const kind of context.kinds) {
    for (const [number, list] of declarations.lists.entries()) {
      if (list.kind !== kind) continue;
      if (list instanceof SectionList) await pass.section(list, number);
      else if (list instanceof SourceList) await pass.source(list, number);
    }
  }
  pass.end();
}

class Pass {
  readonly #declarations: Declarations;
  readonly #context: CheckContext;
  readonly #references: References;
  readonly #distinct = new DistinctChannels();

  constructor(declarations: Declarations, context: CheckContext) {
    this.#declarations = declarations;
    this.#context = context;
    this.#references = new References(context.around, context);
  }

  async section(list: SectionList, number: number): Promise<void> {
    for (let index = 0; index < list.items.length; index += 1) {
      const block = list.blockAt(index);
      const blockOf = () => block;
      const found = { list, number, index, key: block.key, value: toJson(block.entry.value, list.places), blockOf };
      if (!this.#isFirst(found)) continue;
      if (namesFile(found)) await this.#context.fileAttributes.prepare(list.kind, found.value, list.file);
      this.#check(found);
    }
  }

  async source(list: SourceList, number: number): Promise<void> {
    // One function for all rows: of a million, each would be garbage at once.
    let current: KeyedRow | undefined;
    const blockOf = () => list.blockOf(current as KeyedRow);
    for (const row of list.scan(this.#context.problems)) {
      current = row;
      const { key, value } = row;
      const found = { list, number, index: list.length, key, value, blockOf };
      if (!this.#isFirst(found)) continue;
      list.keep(row);
      if (namesFile(found)) await this.#context.fileAttributes.prepare(list.kind, value, list.file);
      this.#check(found);
    }
  }

  end(): void {
    this.#distinct.report(this.#declarations, this.#context);
  }

  #isFirst(found: Found): boolean {
    const { list, number, index, key } = found;
    const first = this.#declarations.add(list, number, key, index);
    if (first === undefined) return true;
    const block = found.blockOf();
    const other = this.#declarations.blockAt(first) ?? block;
    const detail = `${block.address} is declared here and at ${placeOf(other)}. Keep one of them.`;
    this.#context.problems.add('manifest.duplicate-resource', detail, spotOfKey(block));
    return false;
  }

  #check(found: Found): void {
    const { list, number, index, key } = found;
    const { kind } = list;
    const { restrictions, problems } = this.#context;
    if (!restrictions.isEmpty) {
      const names = isObject(found.value) ? Object.keys(found.value) : [];
      const declared = { file: list.file.name, address: addressOf(kind.kind, key), names };
      checkRestricted(declared, found.blockOf, restrictions, problems);
    }
    const place = placeIn(number, index);
    const attributes = this.#attributes(found, place);
    checkSharedKey(kind, key, found.blockOf, place, this.#declarations, this.#context);
    this.#references.check(kind, attributes, found.blockOf, this.#context.isUnread);
    this.#distinct.note(attributes, place);
  }

  #attributes({ list, key, value, blockOf }: Found, place: number): JsonObject {
    const { problems } = this.#context;
    const clean = cleanContent(list.kind, key, value, list.file, this.#context);
    if (clean !== undefined) return clean.attributes;
    const errorsBefore = problems.errors;
    const { attributes } = readBlock(blockOf(), this.#context);
    if (problems.errors > errorsBefore) this.#declarations.flawed.add(place);
    return attributes;
  }
}

function namesFile({ list, value }: Found): boolean {
  if (!isObject(value)) return false;
  for (const [name] of fileRules(list.kind)) if (typeof value[name] === 'string') return true;
  return false;
}
