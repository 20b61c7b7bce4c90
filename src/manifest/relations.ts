// Do the declared objects fit together? References, keys that share a namespace, distinct channels.
import { type Address, addressOf } from '../model/address.ts';
import { canonicalJson, isObject } from '../model/json.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import { printPosition } from '../model/source.ts';
import type { KindDefinition, Reference } from '../resources/define.ts';
import { type DeclaredBlock, placeOf, spotOfKey, spotOfMeaning } from './declared.ts';
import type { LoadContext } from './document.ts';

/** What the objects are checked against. */
export interface Surroundings {
  readonly blocks: ReadonlyMap<Address, DeclaredBlock>;
  readonly removed: ReadonlyMap<Address, RemovedEntry>;
  /** By section: keys that others manage. */
  readonly external: ReadonlyMap<string, readonly RegExp[]>;
}

/** Members, operators and inviters are declared, or external. */
export function checkReferences(resources: readonly Resource[], around: Surroundings, context: LoadContext): void {
  const sentences = new Map<Address, string>();
  for (const resource of resources) {
    const block = around.blocks.get(resource.address);
    for (const reference of block?.kind.references(resource.attributes) ?? []) {
      const address = addressOf(reference.kind, reference.key);
      if (block === undefined || around.blocks.has(address)) continue;
      const kind = context.kinds.find((candidate) => candidate.kind === reference.kind);
      if (isExternal(reference, kind, around)) continue;
      const advice = sentences.get(address) ?? adviceFor(reference, kind, around, context);
      sentences.set(address, advice);
      const detail = `${reference.key} is named as ${reference.role} of ${block.address}, and no manifest declares ${address}.${advice}`;
      const code = reference.kind === 'user' ? 'manifest.undeclared-user' : 'manifest.undeclared-object';
      context.problems.add(code, detail, spotOfMeaning(block, reference.path));
    }
  }
}

function isExternal(reference: Reference, kind: KindDefinition | undefined, { external }: Surroundings): boolean {
  return (external.get(kind?.section ?? '') ?? []).some((pattern) => pattern.test(reference.key));
}

function adviceFor(
  reference: Reference,
  kind: KindDefinition | undefined,
  { blocks, removed }: Surroundings,
  { suggestions }: LoadContext,
): string {
  const entry = removed.get(addressOf(reference.kind, reference.key));
  if (entry !== undefined) return ` It is to be removed: see ${printPosition(entry.source)}.`;
  const suggestion = suggestions.sentence(reference.key, keysOf(kind, blocks));
  const section = kind?.section ?? reference.kind;
  return `${suggestion} Declare it under ${section}; or, when others manage it, let policy.external.${section} match it.`;
}

/** One at a time: when there are no more suggestions to be had, nothing is gone through. */
function* keysOf(kind: KindDefinition | undefined, blocks: ReadonlyMap<Address, DeclaredBlock>): Generator<string> {
  for (const block of blocks.values()) if (block.kind === kind) yield block.key;
}

/** The platform finds open and group channels by one and the same channel_url. */
export function checkSharedKeys({ blocks }: Surroundings, { problems }: LoadContext): void {
  const byName = new Map<string, DeclaredBlock>();
  for (const block of blocks.values()) {
    const name = `${block.kind.keyName} ${block.key}`;
    const first = byName.get(name);
    if (first === undefined) byName.set(name, block);
    else {
      const detail = `${block.address} and ${first.address} (${placeOf(first)}) have the same ${block.kind.keyName}, by which the platform could not tell them apart. Rename one.`;
      problems.add('manifest.shared-channel-url', detail, spotOfKey(block));
    }
  }
}

/** Distinct channels are found by their members and custom_type: two alike would be one (base, POST /group_channels). */
export function checkDistinctChannels(
  resources: readonly Resource[],
  { blocks }: Surroundings,
  { problems }: LoadContext,
): void {
  const byIdentity = new Map<string, DeclaredBlock>();
  for (const { address, attributes } of resources) {
    const block = blocks.get(address);
    if (block === undefined || attributes.is_distinct !== true || !isObject(attributes.members)) continue;
    const identity = canonicalJson([Object.keys(attributes.members).sort(), attributes.custom_type ?? '']);
    const first = byIdentity.get(identity);
    if (first === undefined) byIdentity.set(identity, block);
    else {
      const detail = `${address} and ${first.address} (${placeOf(first)}) are distinct and have the same members and custom_type, so the platform would make one channel of them. Let one differ, or declare is_distinct: false.`;
      problems.add('manifest.same-distinct-channel', detail, spotOfMeaning(block, ['is_distinct']));
    }
  }
}
