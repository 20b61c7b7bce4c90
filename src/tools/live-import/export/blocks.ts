// Builds the blocks of live objects so that each is valid on its own and together with the others.
import { hash, randomUUID } from 'node:crypto';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { mapOf } from '../../../core/kinds/definition/values.ts';
import { callbackFault, isTrusted } from '../../../core/manifest/checks/callbacks.ts';
import { isPersonal } from '../../../core/manifest/document/block.ts';
import { prune } from '../../../core/manifest/document/prune.ts';
import { checksFor } from '../../../core/manifest/schema/validate.ts';
import { declarable, type UndeclarablePart } from '../../../core/manifest/write/declarable-block.ts';
import { addressOf } from '../../../core/model/address.ts';
import { printPath } from '../../../core/model/change.ts';
import type { ListedObject } from '../../../core/refresh/listing.ts';
import { digestOf } from '../../../lib/digest.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';

/** Expects objects in the order of the registry, where referenced kinds come first. */
export class ExportedBlocks {
  readonly #kinds: readonly KindDefinition[];
  readonly #otherInitials: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #declared = new Map<string, NameTable>();
  /** By kind, the keys that manifests already declare. */
  readonly #before = new Map<string, NameTable>();
  /** Salted, because keys come from the platform and somebody could choose keys that collide in the table. */
  readonly #salt = randomUUID();
  /** By kind, the keys that are referenced but not declared. */
  readonly #missing = new Map<string, Set<string>>();
  readonly #distinct = new Set<string>();
  readonly notes: string[] = [];
  hasPersonal = false;
  /** Hosts that the platform calls. */
  readonly hosts = new Set<string>();

  /** `otherInitials` has, by kind, attributes that are written even if they have the documented initial value. */
  constructor(kinds: readonly KindDefinition[], otherInitials: ReadonlyMap<string, ReadonlySet<string>> = new Map()) {
    this.#kinds = kinds;
    this.#otherInitials = otherInitials;
  }

  /** Notes an object that manifests already declare, before the first block is made. */
  know(kind: KindDefinition, key: string, attributes: JsonObject): void {
    this.#in(this.#before, kind.name).add(this.#nameOf(key));
    const identity = kind.identity?.of(attributes);
    if (identity !== undefined) this.#distinct.add(digestOf([kind.name, identity]));
  }

  /** Undefined for an object that cannot be declared. */
  blockOf(kind: KindDefinition, { key, attributes, hidden }: ListedObject): JsonObject | undefined {
    const rival = this.#kinds.find(
      ({ name: other, keyName }) => keyName === kind.keyName && other !== kind.name && this.isDeclared(other, key),
    );
    if (rival !== undefined) {
      const why = `${addressOf(rival.name, key)} has the same ${kind.keyName}, and a manifest can declare only one of them.`;
      return this.#without(kind, key, [{ path: [], why }]);
    }
    const { block: own, leftOut } = declarable(
      kind,
      key,
      attributes,
      checksFor(this.#kinds),
      this.#otherInitials.get(kind.name),
    );
    this.#without(kind, key, leftOut);
    if (own === undefined) return undefined;
    if (kind.memberships !== undefined && Object.keys(mapOf(own, kind.memberships)).length === 0) {
      const why = `It has no members that can be declared, and a new ${kind.title} needs one. It stays as it is.`;
      return this.#without(kind, key, [{ path: [], why }]);
    }
    const faults = (kind.callbacks?.(own) ?? []).flatMap(({ url, path }) => {
      const why = callbackFault(url);
      if (why === undefined && !isTrusted(url, [])) this.hosts.add(new URL(url).host);
      return why === undefined ? [] : [{ path: path.slice(0, 1), why }];
    });
    this.#without(kind, key, faults);
    if (faults.some(({ path: [name = ''] }) => kind.required.includes(name))) return undefined;
    const block = this.#asOnlyOne(kind, key, withoutParts(own, faults));
    for (const name of hidden) {
      const why =
        'It is set, but the platform does not show its value. Declare it to manage it; otherwise it stays as it is.';
      this.#without(kind, key, [{ path: [name], why }]);
    }
    if (kind.onlyKey !== undefined && Object.keys(block).length === 0) return undefined;
    this.#in(this.#declared, kind.name).add(this.#nameOf(key));
    this.hasPersonal ||= isPersonal(key, block);
    for (const { kinds: named, key: other } of kind.references?.(block) ?? []) {
      const [first = ''] = named;
      if (named.some((object) => this.isDeclared(object, other))) continue;
      this.#missing.set(first, (this.#missing.get(first) ?? new Set()).add(other));
    }
    return block;
  }

  /** Whether the object is among the blocks, or was declared before. */
  isDeclared(kind: string, key: string): boolean {
    return [this.#declared, this.#before].some((tables) => tables.get(kind)?.find(this.#nameOf(key)) !== undefined);
  }

  /** Whether the object is among the blocks. */
  isExported(kind: string, key: string): boolean {
    return this.#declared.get(kind)?.find(this.#nameOf(key)) !== undefined;
  }

  count(kind: string): number {
    return this.#declared.get(kind)?.size ?? 0;
  }

  /** By section, the ids that are referenced but not declared, sorted. `isExternal` says which of them a policy has already. */
  missing(isExternal: (section: string, id: string) => boolean = () => false): ReadonlyMap<string, readonly string[]> {
    const sections = this.#kinds.flatMap(({ name: kind, section }): [string, string[]][] => {
      const ids = [...(this.#missing.get(kind) ?? [])].filter((id) => !isExternal(section, id));
      return ids.length === 0 ? [] : [[section, ids.sort()]];
    });
    return new Map(sections);
  }

  note(address: string, what: string, why: string): void {
    this.notes.push(`${address}: ${what}left out. ${why}`);
  }

  #without(kind: KindDefinition, key: string, leftOut: readonly UndeclarablePart[]): undefined {
    const address = addressOf(kind.name, key);
    for (const { path, why } of leftOut) this.note(address, path.length === 0 ? '' : `${printPath(path)} is `, why);
  }

  #in(tables: Map<string, NameTable>, kind: string): NameTable {
    const known = tables.get(kind) ?? new NameTable();
    tables.set(kind, known);
    return known;
  }

  #nameOf(key: string): string {
    return hash('sha256', this.#salt + key, 'binary');
  }

  /** Distinct channels that look alike here differ in an attribute that could not be declared. */
  #asOnlyOne(kind: KindDefinition, key: string, block: JsonObject): JsonObject {
    const identity = kind.identity?.of(block);
    if (kind.identity === undefined || identity === undefined) return block;
    const digest = digestOf([kind.name, identity]);
    if (!this.#distinct.has(digest)) {
      this.#distinct.add(digest);
      return block;
    }
    const { attribute } = kind.identity;
    const why = 'Another distinct channel has the same members and custom_type, as far as they can be declared.';
    this.#without(kind, key, [{ path: [attribute], why }]);
    const { [attribute]: _shared, ...rest } = block;
    return rest;
  }
}

function withoutParts(block: JsonObject, parts: readonly UndeclarablePart[]): JsonObject {
  const remaining = prune(
    block,
    parts.map(({ path }) => path),
  );
  return isObject(remaining) ? remaining : {};
}

/** A pattern of `policy.external` that matches only this id. */
export function patternOf(id: string): string {
  return `^${id.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')}$`;
}
