// Checks that the declared objects fit together: references, shared namespaces, distinct channels.

import { digestOf } from '../../lib/digest.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { printPosition } from '../../model/source.ts';
import type { KindDefinition, Reference } from '../../resources/define.ts';
import type { DeclarationIndex } from '../blocks/declaration-index.ts';
import { type DeclaredBlock, printBlockPosition, spotOfKey, spotOfMeaning } from '../blocks/declared-block.ts';
import type { LoadContext } from '../blocks/document.ts';
import type { BlockId } from '../blocks/key-index.ts';
import type { RemovalEntry } from '../blocks/removed.ts';

/** What the objects are checked against. */
export interface Surroundings {
  readonly declarations: DeclarationIndex;
  readonly removed: ReadonlyMap<Address, RemovalEntry>;
  /** By section: patterns of the keys that others manage. */
  readonly external: ReadonlyMap<string, readonly RegExp[]>;
  /** Whether the object may stand in a part of the manifests that could not be read. */
  isUnread(reference: Pick<Reference, 'kind' | 'key'>): boolean;
}

/** Checks that members, operators and inviters are declared or external, once all kinds they may name have been read. */
export class References {
  readonly #around: Surroundings;
  readonly #context: LoadContext;
  readonly #advice = new Map<Address, string>();

  constructor(around: Surroundings, context: LoadContext) {
    this.#around = around;
    this.#context = context;
  }

  /** Reports nothing about objects that may stand in a part that could not be read. */
  check(kind: KindDefinition, attributes: JsonObject, blockOf: () => DeclaredBlock): void {
    for (const reference of kind.references(attributes)) {
      if (!mayExist(reference, this.#around, this.#context)) this.#report(reference, blockOf());
    }
  }

  #report(reference: Reference, block: DeclaredBlock): void {
    const address = addressOf(reference.kind, reference.key);
    const advice = this.#advice.get(address) ?? adviceFor(reference, this.#around, this.#context);
    this.#advice.set(address, advice);
    const detail = `${reference.key} is named as ${reference.role} of ${block.address}, and no manifest declares ${address}.${advice}`;
    const code = reference.kind === 'user' ? 'manifest.undeclared-user' : 'manifest.undeclared-object';
    this.#context.problems.add(code, detail, spotOfMeaning(block, reference.path));
  }
}

/** Whether an object is declared, is managed by others, or may be declared in a part that could not be read. */
export function mayExist(
  { kind, key }: Pick<Reference, 'kind' | 'key'>,
  { declarations, external, isUnread }: Surroundings,
  { kinds }: LoadContext,
): boolean {
  if (declarations.has(kind, key) || isUnread({ kind, key })) return true;
  const section = kinds.find((candidate) => candidate.kind === kind)?.section ?? '';
  return (external.get(section) ?? []).some((pattern) => pattern.test(key));
}

function adviceFor(
  reference: Reference,
  { declarations, removed }: Surroundings,
  { suggestions, kinds }: LoadContext,
): string {
  const entry = removed.get(addressOf(reference.kind, reference.key))?.entry;
  if (entry !== undefined) return ` It is to be removed: see ${printPosition(entry.source)}.`;
  const suggestion = suggestions.sentence(reference.key, declarations.keysOf(reference.kind));
  const section = kinds.find(({ kind }) => kind === reference.kind)?.section ?? reference.kind;
  return `${suggestion} Declare it under ${section}; or, if it is managed elsewhere, let policy.external.${section} match it.`;
}

/** Open and group channels share one namespace of channel_url. Called for each block as it is read. */
export function checkSharedKey(
  kind: KindDefinition,
  key: string,
  blockOf: () => DeclaredBlock,
  id: BlockId,
  declarations: DeclarationIndex,
  { kinds, problems }: LoadContext,
): void {
  for (const other of kinds) {
    if (other === kind || other.keyName !== kind.keyName || !declarations.has(other.kind, key)) continue;
    const found = declarations.find(other.kind, key);
    if (found === undefined) continue;
    const isLater = (declarations.keyIndexOf(other.kind)?.find(key) ?? 0) > id;
    const [block, first] = isLater ? [found, blockOf()] : [blockOf(), found];
    const detail = `${block.address} and ${first.address} (${printBlockPosition(first)}) have the same ${kind.keyName}, so the platform could not tell them apart. Rename one.`;
    problems.add('manifest.shared-channel-url', detail, spotOfKey(block));
  }
}

/** The platform finds a distinct channel by its members and custom_type (base, POST /group_channels). */
export class DistinctChannels {
  /** By a digest of members and custom_type. */
  readonly #blocks = new Map<string, BlockId[]>();

  add(attributes: JsonObject, id: BlockId): void {
    if (attributes.is_distinct !== true || !isObject(attributes.members)) return;
    const identity = digestOf([Object.keys(attributes.members).sort(), attributes.custom_type ?? '']);
    const known = this.#blocks.get(identity);
    if (known === undefined) this.#blocks.set(identity, [id]);
    else known.push(id);
  }

  report(declarations: DeclarationIndex, { problems }: LoadContext): void {
    for (const ids of this.#blocks.values()) {
      if (ids.length === 1) continue;
      const blocks = ids.flatMap((id) => declarations.blockAt(id) ?? []);
      const [first, ...others] = blocks.sort((left, right) => (left.address < right.address ? -1 : 1));
      for (const block of first === undefined ? [] : others) {
        const detail = `${block.address} and ${first?.address} (${printBlockPosition(first ?? block)}) are distinct and have the same members and custom_type, so the platform would make one channel of them. Change one of them, or declare is_distinct: false.`;
        problems.add('manifest.same-distinct-channel', detail, spotOfMeaning(block, ['is_distinct']));
      }
    }
  }
}
