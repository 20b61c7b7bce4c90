// Reads the channels and people of an application from its state.
import { isList, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { keyOf, kindOf } from '../model/address.ts';
import { objectRecords } from '../model/addressed-series.ts';
import type { StateRecord } from '../model/record.ts';
import type { ApplicationMap, MapMark, MappedChannel, MappedPerson } from '../view/html/application-map.ts';
import type { Ports, UpkeepOptions } from './context/ports.ts';
import { readRuns } from './context/trail.ts';
import { stateMeant } from './state.ts';

/** Takes no lock and sends nothing. */
export async function applicationMap(options: UpkeepOptions, ports: Ports): Promise<ApplicationMap> {
  const { application, backend, read } = await stateMeant(options, ports);
  const snapshot = await read();
  const records = [...objectRecords(snapshot.records())];
  const register = new Register(records, ports.clock.date().toISOString());
  const changedAt = readRuns(snapshot).at(-1)?.started_at;
  return {
    application,
    state: backend.name,
    ...(changedAt === undefined ? {} : { changedAt }),
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
  readonly #now: string;

  constructor(records: readonly StateRecord[], now: string) {
    this.#now = now;
    for (const record of records) {
      const { address, attributes } = record;
      const kind = kindOf(address);
      if (kind === 'user' || kind === 'bot') {
        const name = textIn(attributes, kind === 'bot' ? 'bot_nickname' : 'nickname');
        this.#add({ id: keyOf(address), name, kind, marks: marksOf(record) });
      } else if (kind === 'custom_type') this.#types.set(keyOf(address), attributes);
    }
  }

  channel(record: StateRecord): MappedChannel {
    const { address, attributes } = record;
    const customType = textIn(attributes, 'custom_type');
    const members = new Set(namesIn(attributes.members));
    const hidden = new Set(
      Object.entries(mapIn(attributes.members)).flatMap(([id, member]) =>
        isObject(member) && String(member.hidden_status ?? 'unhidden') !== 'unhidden' ? [id] : [],
      ),
    );
    const rights = new Map<string, Set<string>>([...members].map((id) => [id, new Set<string>()]));
    const grant = (ids: Iterable<string>, ...letters: readonly string[]): void => {
      for (const id of ids) {
        const granted = rights.get(id) ?? new Set();
        for (const letter of letters) granted.add(letter);
        rights.set(id, granted);
      }
    };
    grant(hidden, 'h');
    grant(namesIn(attributes.operators), 'o');
    grant(this.#restricted(attributes.muted), 'm');
    grant(this.#restricted(attributes.banned), 'b');
    const type = this.#types.get(customType) ?? {};
    grant(namesIn(type.operators), 'o', 't');
    grant(
      this.#restricted(type.muted).filter((id) => members.has(id)),
      'm',
      't',
    );
    grant(this.#restricted(type.banned), 'b', 't');
    return {
      address,
      name: textIn(attributes, 'name'),
      customType,
      isPublic: kindOf(address) === 'open_channel' || attributes.is_public === true,
      marks: marksOf(record),
      people: [...rights].map(([id, letters]) => [this.#position(id), members.has(id), [...letters].sort().join('')]),
    };
  }

  /** Those whose ban or mute has not ended. */
  #restricted(value: JsonValue | undefined): readonly string[] {
    return Object.entries(mapIn(value)).flatMap(([id, restriction]) => {
      const until = isObject(restriction) ? restriction.until : undefined;
      return typeof until === 'string' && Date.parse(until) <= Date.parse(this.#now) ? [] : [id];
    });
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

function mapIn(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The keys of a map, or the texts of a list. */
function namesIn(value: JsonValue | undefined): readonly string[] {
  if (isList(value)) return value.filter((item) => typeof item === 'string');
  return Object.keys(mapIn(value));
}
