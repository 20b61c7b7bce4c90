// Checks that the declared objects fit together: references, shared namespaces, distinct channels.

import { digestOf } from '../../lib/digest.ts';
import { InternalError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { LinearPattern } from '../../lib/linear-pattern.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { printPosition } from '../../model/source.ts';
import type { KindDefinition, Reference } from '../../resources/definition/kind.ts';
import type { BlockValue } from '../blocks/block.ts';
import { type DeclaredBlock, spotOfKey, spotOfMeaning } from '../blocks/declared-block.ts';
import type { LoadContext } from '../document/document.ts';
import type { Problems } from '../problems/problems.ts';
import type { Declarations } from './declarations.ts';
import type { RemovalEntry } from './removals.ts';

/** What the objects are checked against. */
export interface Surroundings {
  readonly declarations: Declarations;
  readonly removed: ReadonlyMap<Address, RemovalEntry>;
  /** By section: patterns of the keys that others manage. */
  readonly external: ReadonlyMap<string, readonly LinearPattern[]>;
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

  /** The address and place of what is declared under the key, and is of a kind that the reference does not mean. */
  #ofOtherKind({ keyName }: KindDefinition, { kinds: named, key }: Reference): string | undefined {
    for (const { name, keyName: otherName } of this.#context.kinds) {
      if (otherName !== keyName || named.includes(name)) continue;
      const position = this.#around.declarations.positionOf(name, key);
      if (position !== undefined) return `${addressOf(name, key)} (${printPosition(position)})`;
    }
    return undefined;
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
    ({ name: kind, section }) =>
      named.includes(kind) && external.get(section)?.some((pattern) => pattern.test(key)) === true,
  );
}

/** The kind that messages name, of those that may declare what is missing. */
function firstKind(reference: Reference, { kinds }: LoadContext): KindDefinition {
  const kind = kinds.find(({ name }) => name === reference.kinds[0]);
  if (kind === undefined) throw new InternalError(`${reference.role} refers to an unknown kind`);
  return kind;
}

function adviceFor(reference: Reference, { declarations, removed }: Surroundings, context: LoadContext): string {
  const { name: kind, section } = firstKind(reference, context);
  const entry = removed.get(addressOf(kind, reference.key))?.entry;
  if (entry !== undefined) return ` It is listed under removed at ${printPosition(entry.source)}.`;
  const suggestion = context.suggestions.sentence(reference.key, declarations.keysOf(kind));
  return `${suggestion} Declare it under ${section}, or add a matching pattern to policy.external.${section} if it is managed elsewhere.`;
}

/** Open and group channels share one namespace of channel_url, users and bots one of user_id. Called for each block as it is read. */
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

/** Finds distinct channels of which the platform would make one, since it identifies them by the same values. */
export class DistinctChannels {
  /** The key of the first channel, by a digest of what identifies it. */
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
