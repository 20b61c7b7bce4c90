// Hands the objects that a plan changes to the tally of what that means for people, each as it is before and after an apply. In a
// plan of drift alone, an object is as it was last applied before, and as others left it after.

import type { JsonObject } from '../../lib/json.ts';
import { NoticeTally } from '../access/notice-tally.ts';
import { PeopleMarks } from '../access/people-marks.ts';
import { type BeforeAndAfter, PeopleTally } from '../access/people-tally.ts';
import { type DecidingAttributes, decidingAttributes, meansAnything } from '../kinds/definition/edit-effects.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { flagOf, mapOf, namesIn } from '../kinds/definition/values.ts';
import { type Address, addressOf, keyOf } from '../model/address.ts';
import type { PeopleSection } from '../model/people/effects.ts';
import type { NoticeSection } from '../model/people/notices.ts';
import { applyEntry, type RecordEdit, type StateRecord } from '../model/record.ts';
import { endsObject } from '../model/resource.ts';
import type { ObjectRelations } from './diff/related-objects.ts';
import type { ObjectDraft } from './draft/draft.ts';
import type { OrderedDraft } from './order/steps.ts';

const applicationSettings = addressOf('settings', 'application');
/** The kinds whose objects decide who can do what, and who notices something. */
const deciding: ReadonlySet<string> = new Set([
  'user',
  'custom_type',
  'group_channel',
  'open_channel',
  'messages',
  'settings',
]);

interface PlanPeopleOptions {
  readonly kinds: readonly KindDefinition[];
  readonly nowMs: number;
  /** Whether the plan has the drift alone, so that state counts and not what is declared. */
  readonly isOfDrift: boolean;
  /** Whether the policy names users of others. */
  readonly hasExternalUsers: boolean;
  /** Makes what is asked about other objects, on demand. */
  readonly related: () => ObjectRelations;
  /** Whether migrated messages show hidden channels again. Absent: not known. */
  readonly migrationUnhides?: boolean | undefined;
  /** Gets the id of each person who notices something. */
  readonly notified?: ((id: string) => void) | undefined;
}

/** The two tallies, and the marks that they share, so that each membership is hashed once. */
interface Tallies {
  readonly marks: PeopleMarks;
  readonly people: PeopleTally;
  readonly notices: NoticeTally;
}

export class PlanPeople {
  readonly #options: PlanPeopleOptions;
  readonly #related: () => ObjectRelations;
  readonly #types = new Map<string, BeforeAndAfter>();
  readonly #deciding = new Map<string, DecidingAttributes>();
  /** Absent while no object of the plan means anything for people. */
  #tallies: Tallies | undefined;
  #hasBots: boolean | undefined;

  constructor(options: PlanPeopleOptions) {
    this.#options = options;
    this.#related = options.related;
  }

  /** Must be called for each draft before `add`, since channels depend on their users and custom types. */
  meet(draft: ObjectDraft): void {
    const { kind, address, resource, closes, staysClosed, removal, conflicts } = draft;
    if (conflicts === true || !(kind.name === 'user' || kind.name === 'custom_type')) return;
    const before = shownRecord(draft)?.attributes;
    const isGone = endsObject(removal);
    if (this.#options.isOfDrift) this.#meetAs(kind, address, driftedSides(draft));
    else if (kind.name === 'custom_type')
      this.#meetAs(kind, address, { before, after: isGone ? undefined : (resource?.attributes ?? before) });
    else {
      const declared = resource?.attributes ?? before ?? {};
      const after = { ...declared, ...(closes || staysClosed || isGone ? { deactivated: true } : {}) };
      this.#meetAs(kind, address, { before, after });
    }
  }

  #meetAs({ name }: KindDefinition, address: Address, sides: BeforeAndAfter): void {
    if (name === 'user') this.#tallied().people.meetUser(keyOf(address), sides);
    else this.#types.set(keyOf(address), sides);
  }

  /** The same for a user whom the plan leaves alone. */
  meetUnchanged(kind: KindDefinition, address: Address, record: StateRecord | undefined): void {
    const { attributes } = record ?? {};
    if (kind.name === 'user' && record !== undefined)
      this.#meetAs(kind, address, { before: attributes, after: attributes });
  }

  add({ draft, steps }: OrderedDraft): void {
    const kind = draft.kind.name;
    if (draft.conflicts === true || !deciding.has(kind)) return;
    // Steps without a request change state alone, such as forgetting, and not what people can do.
    const sent = steps.filter(({ request }) => request !== undefined);
    if (sent.length === 0) return;
    const { marks, people, notices } = this.#tallied();
    marks.begin();
    if (kind === 'messages') {
      notices.addHistoryFile(keyOf(draft.address), sent);
      return;
    }
    // What has a single object always exists.
    const isAlwaysThere = draft.kind.onlyKey !== undefined;
    const unset: StateRecord | undefined = isAlwaysThere ? { address: draft.address, attributes: {} } : undefined;
    const before = shownRecord(draft) ?? unset;
    let after = before;
    for (const { entry } of sent) after = applyEntry(after, entry);
    const proofs = { before: before?.seen, after: after?.seen };
    people.add(draft.address, { before: before?.attributes, after: after?.attributes }, proofs);
    if (kind === 'group_channel') notices.addGroupChannel(sent, after?.attributes);
    else if (kind === 'user') notices.addUser(sent);
  }

  /** For a plan of drift alone. */
  addDrift(draft: ObjectDraft): void {
    const { name: kind } = draft.kind;
    if (!deciding.has(kind) || kind === 'messages') return;
    const { marks, people } = this.#tallied();
    marks.begin();
    const proofs = draft.record?.seen;
    people.add(draft.address, driftedSides(draft), { before: proofs, after: proofs });
  }

  end(): { readonly people: PeopleSection | undefined; readonly notices: NoticeSection | undefined } {
    return { people: this.#tallies?.people.end(), notices: this.#tallies?.notices.end() };
  }

  #tallied(): Tallies {
    this.#tallies ??= this.#newTallies();
    return this.#tallies;
  }

  #newTallies(): Tallies {
    const { nowMs, migrationUnhides, notified } = this.#options;
    const marks = new PeopleMarks();
    const people = new PeopleTally(marks, {
      nowMs,
      leavesRemoved: !this.#options.isOfDrift,
      typeOf: (type) => this.#typeOf(type),
      isBot: (id) => this.#isBot(id),
      isExternal: (id) => this.#options.hasExternalUsers && !this.#related().has(addressOf('user', id)),
      decidingOf: (kind) => this.#decidingOf(kind),
      messagesIn: (channelUrl) => this.#messagesIn(channelUrl),
      showsHistory: (type) => this.#showsHistory(type),
    });
    const notices = new NoticeTally(marks, {
      isBot: (id) => this.#isBot(id),
      isTold: (attribute) => this.#isTold(attribute),
      eventMessage: (group, name) => flagOf(mapOf(mapOf(this.#settings(), 'auto_event_message'), group), name),
      membersOf: (channelUrl) => this.#membersOf(channelUrl),
      unhides: migrationUnhides,
      ...(notified === undefined ? {} : { take: notified }),
    });
    return { marks, people, notices };
  }

  #isBot(id: string): boolean {
    this.#hasBots ??= this.#related().hasKind('bot');
    return this.#hasBots && this.#related().has(addressOf('bot', id));
  }

  #typeOf(type: string): BeforeAndAfter {
    const cachedSides = this.#types.get(type);
    if (cachedSides !== undefined) return cachedSides;
    // A type that the plan changes was met.
    const { record } = this.#related().sidesOf(addressOf('custom_type', type));
    const sides = { before: record?.attributes, after: record?.attributes };
    this.#types.set(type, sides);
    return sides;
  }

  #decidingOf(kind: string): DecidingAttributes {
    const cachedNames = this.#deciding.get(kind);
    if (cachedNames !== undefined) return cachedNames;
    const names = decidingAttributes(this.#options.kinds.find(({ name }) => name === kind)?.attributes ?? {});
    this.#deciding.set(kind, names);
    return names;
  }

  #isTold(attribute: string): boolean {
    const definition = this.#options.kinds.find(({ name }) => name === 'group_channel')?.attributes[attribute];
    return definition !== undefined && meansAnything(definition);
  }

  #messagesIn(channelUrl: string): number {
    const attributes = this.#inForce(addressOf('messages', channelUrl));
    const kind = this.#options.kinds.find(({ name }) => name === 'messages');
    return attributes === undefined ? 0 : (kind?.contents?.(attributes) ?? 0);
  }

  /** The settings of a type replace those of the application. A type whose settings do not declare it may have either. */
  #showsHistory(type: string): boolean | undefined {
    const { after } = type === '' ? { after: undefined } : this.#typeOf(type);
    if (after !== undefined) return flagOf(after, 'display_past_message');
    return flagOf(mapOf(this.#settings(), 'all_channels'), 'display_past_message');
  }

  #settings(): JsonObject {
    return this.#inForce(applicationSettings) ?? {};
  }

  #membersOf(channelUrl: string): JsonObject {
    return mapOf(this.#inForce(addressOf('group_channel', channelUrl)) ?? {}, 'members');
  }

  /** What is declared of another object, else as state has it. */
  #inForce(address: Address): JsonObject | undefined {
    const { record, resource } = this.#related().sidesOf(address);
    return (this.#options.isOfDrift ? record : (resource ?? record))?.attributes;
  }
}

/** The record as it is before the apply, with what a refresh saw. */
function shownRecord({ address, record, found }: ObjectDraft): StateRecord | undefined {
  if (found === undefined) return record;
  if (found === null) return undefined;
  // What a refresh finds is whole: a managed value that is gone is not in it.
  return { ...record, address, attributes: found };
}

/** The values that were last applied, and these with what others changed. */
function driftedSides({ kind, address, record, drift = [] }: ObjectDraft): BeforeAndAfter {
  const before = record?.attributes;
  if (drift.some(({ type }) => type === 'missing')) return { before, after: undefined };
  const changes = drift.flatMap(({ attributes }) => attributes);
  const edits = changes.flatMap(({ path, before: was, after: is }): RecordEdit[] => {
    if (kind.attributes[path[0] ?? '']?.shape === 'set' && path.length === 1) {
      return [
        { op: 'remove', path, values: namesIn(was) },
        { op: 'add', path, values: namesIn(is) },
      ];
    }
    return [is === undefined ? { op: 'unset', path } : { op: 'set', path, value: is }];
  });
  return { before, after: applyEntry(record, { type: 'patch', address, edits })?.attributes };
}
