// Checks that the declared objects fit together: references, shared namespaces, distinct channels.

import { digestOf } from '../../lib/digest.ts';
import { InternalError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
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
  isUnread(reference: Pick<Reference, 'kinds' | 'key'>): boolean;
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
    const kind = firstKind(reference, this.#context);
    const other = this.#ofOtherKind(kind, reference);
    if (other !== undefined) {
      const detail = `${reference.key} is named as ${reference.role} of ${block.address}, and ${other.address} (${printBlockPosition(other)}) cannot be that: only a ${kind.title} can. Name another; or leave the ${reference.role} out.`;
      this.#context.problems.add('manifest.wrong-kind', detail, spotOfMeaning(block, reference.path));
      return;
    }
    const address = addressOf(kind.kind, reference.key);
    const advice = this.#advice.get(address) ?? adviceFor(reference, this.#around, this.#context);
    this.#advice.set(address, advice);
    const detail = `${reference.key} is named as ${reference.role} of ${block.address}, and no manifest declares ${address}.${advice}`;
    const code = kind.keyName === 'user_id' ? 'manifest.undeclared-user' : 'manifest.undeclared-object';
    this.#context.problems.add(code, detail, spotOfMeaning(block, reference.path));
  }

  /** What is declared under the key, and is of a kind that the reference does not mean. */
  #ofOtherKind({ keyName }: KindDefinition, { kinds: named, key }: Reference): DeclaredBlock | undefined {
    const { kinds } = this.#context;
    const others = kinds.filter((other) => other.keyName === keyName && !named.includes(other.kind));
    return others.map(({ kind }) => this.#around.declarations.find(kind, key)).find((block) => block !== undefined);
  }
}

/** Whether an object is declared, is managed by others, or may be declared in a part that could not be read. */
export function mayExist(
  reference: Pick<Reference, 'kinds' | 'key'>,
  { declarations, external, isUnread }: Surroundings,
  { kinds }: LoadContext,
): boolean {
  const { kinds: named, key } = reference;
  if (named.some((kind) => declarations.has(kind, key)) || isUnread(reference)) return true;
  return kinds.some(
    ({ kind, section }) => named.includes(kind) && external.get(section)?.some((pattern) => pattern.test(key)) === true,
  );
}

/** The kind that messages name, of those that may declare what is missing. */
function firstKind(reference: Reference, { kinds }: LoadContext): KindDefinition {
  const found = kinds.find(({ kind }) => kind === reference.kinds[0]);
  if (found === undefined) throw new InternalError(`${reference.role} refers to an unknown kind`);
  return found;
}

function adviceFor(reference: Reference, { declarations, removed }: Surroundings, context: LoadContext): string {
  const { kind, section } = firstKind(reference, context);
  const entry = removed.get(addressOf(kind, reference.key))?.entry;
  if (entry !== undefined) return ` It is to be removed: see ${printPosition(entry.source)}.`;
  const suggestion = context.suggestions.sentence(reference.key, declarations.keysOf(kind));
  return `${suggestion} Declare it under ${section}; or, if it is managed elsewhere, let policy.external.${section} match it.`;
}

/** Open and group channels share one namespace of channel_url, users and bots one of user_id. Called for each block as it is read. */
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
    const code = kind.keyName === 'user_id' ? 'manifest.shared-user-id' : 'manifest.shared-channel-url';
    problems.add(code, detail, spotOfKey(block));
  }
}

/** Finds distinct channels of which the platform would make one, since it identifies them by the same values. */
export class DistinctChannels {
  /** By a digest of what identifies them. */
  readonly #blocks = new Map<string, BlockId[]>();

  add({ kind, identity }: KindDefinition, attributes: JsonObject, id: BlockId): void {
    const values = identity?.of(attributes);
    if (values === undefined) return;
    const digest = digestOf([kind, values]);
    const known = this.#blocks.get(digest);
    if (known === undefined) this.#blocks.set(digest, [id]);
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
