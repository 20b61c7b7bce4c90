// Reads the channels and people of an application from its state.

import type { JsonObject } from '../../lib/json.ts';
import { type KnownObject, rulingsIn } from '../access/rights.ts';
import { decidingAttributes } from '../kinds/definition/edit-effects.ts';
import { namesIn } from '../kinds/definition/values.ts';
import { type GroundCode, type Rulings, rights } from '../model/access/access.ts';
import { keyOf, kindOf } from '../model/address.ts';
import { objectRecords } from '../model/addressed-series.ts';
import type { StateRecord } from '../model/record.ts';
import { findKind } from '../resources/index.ts';
import type { ApplicationMap, MapMark, MappedChannel, MappedPerson } from '../view/html/application-map.ts';
import type { Ports, UpkeepOptions } from './context/ports.ts';
import { readRuns } from './context/trail.ts';
import { stateMeant } from './state.ts';

/** No user has an empty id, so nothing names this one. */
const nobody = '';

/** Takes no lock and sends nothing. */
export async function applicationMap(options: UpkeepOptions, ports: Ports): Promise<ApplicationMap> {
  const { application, backend, read } = await stateMeant(options, ports);
  const snapshot = await read();
  const records = [...objectRecords(snapshot.records())];
  const register = new Register(records, ports.clock.date().getTime());
  const changedAt = readRuns(snapshot).at(-1)?.started_at;
  return {
    application,
    state: backend.name,
    ...(changedAt === undefined ? {} : { changedAt }),
    inDoubt: snapshot.pending.length,
    channels: records.filter(isChannel).map((record) => register.channel(record)),
    people: register.people,
  };
}

function isChannel({ address }: StateRecord): boolean {
  return kindOf(address).endsWith('_channel');
}

/** Numbers the people: those in state first, then others as channels name them. */
class Register {
  readonly people: MappedPerson[] = [];
  readonly #positions = new Map<string, number>();
  readonly #types = new Map<string, JsonObject>();
  /** Those who accept invitations by hand. */
  readonly #byHand = new Set<string>();
  readonly #nowMs: number;

  constructor(records: readonly StateRecord[], nowMs: number) {
    this.#nowMs = nowMs;
    for (const record of records) {
      const { address, attributes } = record;
      const kind = kindOf(address);
      if (kind === 'user' || kind === 'bot') {
        const name = textIn(attributes, kind === 'bot' ? 'bot_nickname' : 'nickname');
        this.#add({ id: keyOf(address), name, kind, marks: marksOf(record) });
        if (attributes.auto_accept === false) this.#byHand.add(keyOf(address));
      } else if (kind === 'custom_type') this.#types.set(keyOf(address), attributes);
    }
  }

  channel(record: StateRecord): MappedChannel {
    const { address, attributes } = record;
    const customType = textIn(attributes, 'custom_type');
    const type = { address: `custom_type.${customType}`, attributes: this.#types.get(customType) } as const;
    const rulingsOf = (userId: string) =>
      rulingsIn({ channel: record, type, person: this.#personAt(userId), userId, nowMs: this.#nowMs });
    const [peopleOfChannel, byType] = [record, type].map(peopleIn) as [Set<string>, Set<string>];
    const members = new Set(namesIn(attributes.members));
    const people = [...new Set([...peopleOfChannel, ...byType])].flatMap((id): MappedChannel['people'][number][] => {
      const letters = lettersOf(rulingsOf(id));
      // A mute of the custom type concerns those in the channel.
      return peopleOfChannel.has(id) || letters !== 'mt' ? [[this.#position(id), members.has(id), letters]] : [];
    });
    return {
      address,
      name: textIn(attributes, 'name'),
      customType,
      isPublic: rulingsOf(nobody).read.verdict === 'by_entering',
      marks: marksOf(record),
      people,
    };
  }

  /** A deactivated person has a mark of their own, so their rights are shown as they are without it. */
  #personAt(id: string): KnownObject {
    return { address: `user.${id}`, attributes: this.#byHand.has(id) ? { auto_accept: false } : {} };
  }

  #position(id: string): number {
    return this.#positions.get(id) ?? this.#add({ id, name: '', kind: 'unmanaged', marks: ['unmanaged'] });
  }

  #add(person: MappedPerson): number {
    this.#positions.set(person.id, this.people.length);
    return this.people.push(person) - 1;
  }
}

function marksOf({ attributes, retired, creating, bracket, shown }: StateRecord): readonly MapMark[] {
  const marks: readonly (readonly [boolean, MapMark])[] = [
    [attributes.frozen === true, 'frozen'],
    [attributes.deactivated === true, 'deactivated'],
    [retired === true, 'removed'],
    [creating === true, 'incomplete'],
    [bracket === true, 'reopened'],
    [shown !== undefined, 'differs'],
  ];
  return marks.flatMap(([holds, mark]) => (holds ? [mark] : []));
}

function textIn(attributes: JsonObject, name: string): string {
  const value = attributes[name];
  return typeof value === 'string' ? value : '';
}

function peopleIn({ address, attributes = {} }: KnownObject): Set<string> {
  const { lists } = decidingAttributes(findKind(address)?.attributes ?? {});
  return new Set(lists.flatMap((name) => namesIn(attributes[name])));
}

const letterOf: Partial<Readonly<Record<GroundCode, string>>> = {
  hidden: 'h',
  invited: 'i',
  waits_for_acceptance: 'i',
  operator: 'o',
  type_operator: 'ot',
  muted: 'm',
  type_muted: 'mt',
  banned: 'b',
  type_banned: 'bt',
};

function lettersOf(rulings: Rulings): string {
  const letters = rights.flatMap((right) => rulings[right].because.flatMap(({ code }) => [...(letterOf[code] ?? '')]));
  return [...new Set(letters)].sort().join('');
}
