// Support: arbitrary estates of a few users and channels, and the edits in them that the platform can make.
import fc from 'fast-check';
import type { Address } from '../../../src/core/model/address.ts';
import type { StateRecord } from '../../../src/core/model/record.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { isObject, type JsonValue } from '../../../src/lib/json.ts';
import type { Section, Sections } from '../../core/resources/support/kind-sample.ts';
import { blocksOf } from '../../core/resources/support/samples.ts';
import { kindNamed, resources } from './planning.ts';

/** Objects refer only to objects of the estate whose kinds come earlier in the registry. */
export const estate = estateWhere(() => true);

/** An estate that has at least one object of every kind. */
export const estateOfEveryKind = estateWhere((section) => Object.keys(section).length > 0);

function estateWhere(accepts: (section: Section) => boolean): fc.Arbitrary<Resource[]> {
  return registry
    .filter(({ isChild }) => isChild !== true)
    .reduce<fc.Arbitrary<Sections>>(
      (before, kind) =>
        before.chain((others) =>
          blocksOf(kind, others)
            .filter(accepts)
            .map((section) => ({ ...others, [kind.name]: section })),
        ),
      fc.constant({}),
    )
    .map((sections) => resources(sections));
}

/** The estate without edits that the platform cannot make to the current objects (semantics §1.3, §2.2). */
export function possible(desired: readonly Resource[], state: ReadonlyMap<Address, StateRecord>): Resource[] {
  const addresses = new Set(desired.map(({ address }) => address));
  return desired.map((resource) => {
    const record = state.get(resource.address);
    if (record === undefined) return resource;
    const definitions = definitionsOf(resource);
    const { attributes } = record;
    const next = Object.entries(resource.attributes).flatMap(([name, value]): [string, JsonValue][] => {
      const change = definitions[name]?.change;
      if (change === 'create_only') {
        const was = attributes[name];
        // Fixed at creation, but the line goes when its user is no longer declared.
        if (name === 'inviter_id' && !addresses.has(`user.${String(was)}`)) return [];
        return was === undefined ? [] : [[name, was]];
      }
      if (change === 'one_way' && attributes[name] === true) return [[name, true]];
      return [[name, name === 'members' ? possibleMembers(value, attributes.members) : value]];
    });
    return { ...resource, attributes: Object.fromEntries(next) };
  });
}

function possibleMembers(wanted: JsonValue, before: JsonValue | undefined): JsonValue {
  if (!isObject(wanted) || !isObject(before)) return wanted;
  return Object.fromEntries(
    Object.entries(wanted).map(([id, line]): [string, JsonValue] => {
      const was = Object.hasOwn(before, id) ? before[id] : undefined;
      if (!isObject(line) || !isObject(was) || line.invitation_status === undefined) return [id, line];
      const { invitation_status: _status, ...rest } = line;
      return [id, was.invitation_status === undefined ? rest : { ...rest, invitation_status: was.invitation_status }];
    }),
  );
}

function definitionsOf({ address }: Resource) {
  return kindNamed(address.slice(0, address.indexOf('.'))).attributes;
}

/** Attributes of the registry that the sampled estates do not contain, so that no new attribute is forgotten. */
export function leftOut(samples: readonly (readonly Resource[])[]): string[] {
  const seen = new Set(
    samples
      .flat()
      .flatMap(({ address, attributes }) =>
        Object.keys(attributes).map((name) => `${address.slice(0, address.indexOf('.'))}.${name}`),
      ),
  );
  return registry
    .filter(({ isChild }) => isChild !== true)
    .flatMap(({ name: kind, attributes }) =>
      // A mode matters only for a refresh.
      Object.entries(attributes).flatMap(([name, { change }]) => (change === 'mode' ? [] : [`${kind}.${name}`])),
    )
    .filter((name) => !seen.has(name));
}
