// Checks relations between declared objects: references, shared namespaces, distinct channels.

import { digestOf } from '../../../lib/digest.ts';
import { InternalError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { LinearPattern } from '../../../lib/patterns/linear-pattern.ts';
import type { KindDefinition, Reference } from '../../kinds/definition/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { printPosition } from '../../model/source.ts';
import type { BlockValue } from '../document/block.ts';
import { spotOfKey, spotOfMeaning } from '../document/block-spots.ts';
import type { DeclaredBlock } from '../document/declared-block.ts';
import type { LoadContext } from '../document/load-context.ts';
import type { Problems } from '../problems/problems.ts';
import type { Declarations } from './declarations.ts';
import type { RemovalEntry } from './removals.ts';

/** The context of these checks. */
export interface RelationContext {
  readonly declarations: Declarations;
  readonly removed: ReadonlyMap<Address, RemovalEntry>;
  /** Patterns of keys that are managed elsewhere, by section. */
  readonly external: ReadonlyMap<string, readonly LinearPattern[]>;
  /** Whether the object may be in a part of the manifests that could not be read. */
  isUnread(reference: Pick<Reference, 'kinds' | 'key'>): boolean;
}

/** Checks that members, operators and inviters are declared or external. All kinds that they may name must have been read. */
export class References {
  readonly #around: RelationContext;
  readonly #context: LoadContext;
  readonly #advice = new Map<Address, string>();

  constructor(around: RelationContext, context: LoadContext) {
    this.#around = around;
    this.#context = context;
  }

  /** Does not report objects that may be in a part that could not be read. */
  check(kind: KindDefinition, attributes: JsonObject, blockOf: () => DeclaredBlock): void {
    for (const reference of kind.references?.(attributes) ?? []) {
      if (!mayExist(reference, this.#around, this.#context)) this.#report(reference, blockOf());
    }
  }

  #report(reference: Reference, block: DeclaredBlock): void {
    const kind = firstKind(reference, this.#context);
    const other = this.#ofOtherKind(kind, reference);
    if (other !== undefined) {
      const detail = `${reference.key} is named as ${reference.role} of ${block.address}, but ${other} is not a ${kind.title}. Name a ${kind.title}, or remove the line.`;
      this.#context.problems.add('manifest.wrong-kind', detail, spotOfMeaning(block, reference.path));
      return;
    }
    const address = addressOf(kind.name, reference.key);
    const advice = this.#advice.get(address) ?? adviceFor(reference, this.#around, this.#context);
    this.#advice.set(address, advice);
    const detail = `${reference.key} is named as ${reference.role} of ${block.address}, but no manifest declares ${address}.${advice}`;
    const code = kind.keyName === 'user_id' ? 'manifest.undeclared-user' : 'manifest.undeclared-object';
    this.#context.problems.add(code, detail, spotOfMeaning(block, reference.path));
  }

  /** Returns the address and position of an object with this key whose kind the reference does not allow. */
  #ofOtherKind({ keyName }: KindDefinition, { kinds: named, key }: Reference): string | undefined {
    for (const { name, keyName: otherName } of this.#context.kinds) {
      if (otherName !== keyName || named.includes(name)) continue;
      const position = this.#around.declarations.positionOf(name, key);
      if (position !== undefined) return `${addressOf(name, key)} (${printPosition(position)})`;
    }
    return undefined;
  }
}

/** Whether an object is declared, managed elsewhere, or possibly in a part that could not be read. */
export function mayExist(
  reference: Pick<Reference, 'kinds' | 'key'>,
  { declarations, external, isUnread }: RelationContext,
  { kinds }: LoadContext,
): boolean {
  const { kinds: possibleKinds, key } = reference;
  if (possibleKinds.some((kind) => declarations.has(kind, key)) || isUnread(reference)) return true;
  return kinds.some(
    ({ name: kind, section }) =>
      possibleKinds.includes(kind) && external.get(section)?.some((pattern) => pattern.test(key)) === true,
  );
}

/** Returns the kind that messages name, the first of the possible kinds. */
function firstKind(reference: Reference, { kinds }: LoadContext): KindDefinition {
  const kind = kinds.find(({ name }) => name === reference.kinds[0]);
  if (kind === undefined) throw new InternalError(`${reference.role} refers to an unknown kind`);
  return kind;
}

function adviceFor(reference: Reference, { declarations, removed }: RelationContext, context: LoadContext): string {
  const { name: kind, section } = firstKind(reference, context);
  const entry = removed.get(addressOf(kind, reference.key))?.entry;
  if (entry !== undefined) return ` It is listed under removed at ${printPosition(entry.source)}.`;
  const suggestion = context.suggestions.sentence(reference.key, declarations.keysOf(kind));
  return `${suggestion} Declare it under ${section}, or add a matching pattern to policy.external.${section} if it is managed elsewhere.`;
}

/** Checks the namespaces that kinds share: channel_url of channels, user_id of users and bots. Called for each block. */
export function checkSharedKey(
  { kind, key, blockOf }: Pick<BlockValue, 'kind' | 'key' | 'blockOf'>,
  declarations: Declarations,
  { kinds, problems }: LoadContext,
): void {
  for (const other of kinds) {
    if (other === kind || other.keyName !== kind.keyName) continue;
    const first = declarations.positionOf(other.name, key);
    if (first === undefined) continue;
    const detail = `${addressOf(kind.name, key)} and ${addressOf(other.name, key)} (${printPosition(first)}) have the same ${kind.keyName}, so the platform cannot tell them apart. Rename one.`;
    const code = kind.keyName === 'user_id' ? 'manifest.shared-user-id' : 'manifest.shared-channel-url';
    problems.add(code, detail, spotOfKey(blockOf()));
  }
}

/** Finds distinct channels that the platform would treat as one, because it identifies them by the same values. */
export class DistinctChannels {
  /** The key of the first channel with each identity, by digest. */
  readonly #keys = new Map<string, string>();

  check(
    { kind, key, blockOf }: Pick<BlockValue, 'kind' | 'key' | 'blockOf'>,
    attributes: JsonObject,
    declarations: Declarations,
    problems: Problems,
  ): void {
    const values = kind.identity?.of(attributes);
    if (values === undefined) return;
    const digest = digestOf([kind.name, values]);
    const first = this.#keys.get(digest);
    if (first === undefined) {
      this.#keys.set(digest, key);
      return;
    }
    const position = declarations.positionOf(kind.name, first);
    const place = position === undefined ? '' : ` (${printPosition(position)})`;
    const detail = `${addressOf(kind.name, key)} and ${addressOf(kind.name, first)}${place} are distinct and have the same members and custom_type, so the platform would treat them as one channel. Change one of them, or declare is_distinct: false.`;
    problems.add('manifest.same-distinct-channel', detail, spotOfMeaning(blockOf(), ['is_distinct']));
  }
}
