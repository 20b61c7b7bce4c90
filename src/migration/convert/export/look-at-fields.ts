// Looks at the fields of the rows of one export: what is kept, what restricts, and which fields are unknown or left out.
import type { JsonObject, JsonValue } from '../../../lib/json.ts';
import {
  type Consequence,
  consequences,
  type Field,
  type FieldDecision,
  type FieldTable,
  isSet,
  isSuspicious,
  looksPrivate,
  type RowKind,
  restricts,
  rowKinds,
  type SourceFields,
} from './fields.ts';
import type { ReasonCode } from './reasons.ts';
import { withUtcTimes } from './values.ts';

/** A field about which a conversion says something, with the number of rows that have it. */
interface CountedField {
  readonly kind: RowKind;
  readonly name: string;
  readonly rows: number;
}

export interface UnknownField extends CountedField {
  readonly decision: FieldDecision;
  /** Values look like secrets, addresses, phone numbers or tokens of devices. */
  readonly isPrivate: boolean;
}

export interface DroppedField extends CountedField {
  readonly why: NonNullable<Field['why']>;
}

/** What the fields of one row say. */
export interface Look {
  /** The fields that stay in the envelope, unknown ones included that a person accepted, even one called `__proto__`. Undefined if there are none. */
  readonly kept: JsonObject | undefined;
  /** What becomes of the row. Undefined if no field restricts it. */
  readonly restriction: Consequence | undefined;
  /** What the ledger line of the row says about its restrictions. */
  readonly reasons: readonly ReasonCode[];
}

/** From the least to the most severe. */
const severity: readonly Consequence[] = ['kept', 'doubtful', 'no_member', 'banned', 'restricted', 'deleted'];

/** The reasons of a row, by the sum of their numbers. */
const [isDoubtful, isRestricted, isPersonal] = [1, 2, 4];
const reasonsByFlags: readonly (readonly ReasonCode[])[] = Array.from({ length: 8 }, (_none, flags) => [
  ...((flags & isDoubtful) === 0 ? [] : (['object.maybe-restricted'] as const)),
  ...((flags & isRestricted) === 0 ? [] : (['object.restricted'] as const)),
  ...((flags & isPersonal) === 0 ? [] : (['user.profile-fields'] as const)),
]);
const nothing: Look = { kept: undefined, restriction: undefined, reasons: reasonsByFlags[0] ?? [] };

/** Rows about a person, who has no envelope. */
const ofPeople: ReadonlySet<RowKind> = new Set(['user', 'profile', 'member']);

interface ReadField extends Field {
  readonly name: string;
  /** Whether its value says nothing about the row. */
  readonly isPlain: boolean;
  readonly isUnknown: boolean;
  readonly isSuspicious: boolean;
  readonly rank: number;
  rows: number;
  isPrivate: boolean;
}

/** An export whose fields are named by keys, such as ids, has names without end. The fields beyond count as one, under this name. */
const otherNames = '*';
const maxNames = 500;

/** Reads the rows of one kind. Allocates nothing for a known field. */
export class KindFields {
  readonly kind: RowKind;
  readonly #fields = new Map<string, ReadField>();
  readonly #prefixes: readonly (readonly [string, Field])[];
  readonly #decided: ReadonlyMap<string, FieldDecision>;
  readonly #isOfPeople: boolean;
  #unknown = 0;

  constructor(kind: RowKind, table: FieldTable, decided: ReadonlyMap<string, FieldDecision>) {
    this.kind = kind;
    this.#decided = decided;
    this.#isOfPeople = ofPeople.has(kind);
    const entries = Object.entries(table);
    this.#prefixes = entries.flatMap(([name, field]) => (name.endsWith('*') ? [[name.slice(0, -1), field]] : []));
    for (const [name, field] of entries) if (!name.endsWith('*')) this.#fields.set(name, readFieldOf(name, field));
  }

  look(row: JsonObject): Look {
    let isKept = false;
    let flags = 0;
    let rank = -1;
    for (const name in row) {
      const field = this.#fields.get(name) ?? this.#meet(name);
      if (field.isPlain) continue;
      const value = row[name] ?? null;
      if (field.place === 'kept') isKept = true;
      if (field.isUnknown) {
        if (!isSaid(value)) continue;
        field.rows += 1;
        field.isPrivate ||= looksPrivate(name, value);
        if (field.isSuspicious && isSet(value)) flags |= isDoubtful;
        if (this.#isOfPeople) flags |= isPersonal;
      } else if (field.why !== undefined && isSaid(value)) {
        field.rows += 1;
        if (field.why === 'personal' && this.#isOfPeople) flags |= isPersonal;
      }
      if (field.rank > rank && (field.restriction?.when ?? isSet)(value)) rank = field.rank;
    }
    if (!isKept && flags === 0 && rank < 0) return nothing;
    const restriction = severity[rank];
    if (restriction === 'doubtful') flags |= isDoubtful;
    if (restriction === 'kept') flags |= isRestricted;
    return {
      kept: isKept ? this.#keptOf(row) : undefined,
      restriction,
      reasons: reasonsByFlags[flags] ?? nothing.reasons,
    };
  }

  restart(): void {
    for (const field of this.#fields.values()) field.rows = 0;
  }

  *unknown(): Generator<UnknownField> {
    for (const { name, isUnknown, rows, isPrivate } of this.#fields.values())
      if (isUnknown && rows > 0) yield { kind: this.kind, name, rows, decision: this.#decisionOf(name), isPrivate };
  }

  *dropped(): Generator<DroppedField> {
    for (const { name, place, why, rows } of this.#fields.values())
      if (place === 'dropped' && why !== undefined && rows > 0) yield { kind: this.kind, name, rows, why };
  }

  #keptOf(row: JsonObject): JsonObject {
    const kept = Object.entries(row).filter(([name]) => this.#fieldOf(name).place === 'kept');
    return Object.fromEntries(kept.map(([name, value]) => [name, withUtcTimes(value)]));
  }

  #fieldOf(name: string): ReadField {
    return this.#fields.get(name) ?? this.#meet(name);
  }

  /** A field that is met for the first time. */
  #meet(name: string): ReadField {
    const declared = this.#prefixes.find(([prefix]) => name.startsWith(prefix));
    if (declared === undefined && this.#unknown >= maxNames && this.#decisionOf(name) === 'undecided')
      return this.#others(isSuspicious(name));
    const field =
      declared === undefined ? this.#unknownField(name, isSuspicious(name)) : readFieldOf(name, declared[1]);
    this.#fields.set(name, field);
    return field;
  }

  /** One field for suspicious names and one for the others, so that few rows are in doubt. */
  #others(isDoubtful: boolean): ReadField {
    const key = isDoubtful ? `${otherNames}${otherNames}` : otherNames;
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const field = this.#unknownField(key, isDoubtful);
    this.#fields.set(key, field);
    return field;
  }

  #unknownField(name: string, isDoubtful: boolean): ReadField {
    this.#unknown += 1;
    const decision = this.#decisionOf(name);
    // Members read the data of messages and channels, so a person decides what goes there.
    const place = decision === 'accepted' || decision === 'restricts' ? 'kept' : 'dropped';
    const becomes = decision === 'restricts' ? consequences[this.kind] : undefined;
    const field = readFieldOf(name, becomes === undefined ? { place } : restricts(becomes, true, undefined, place));
    return { ...field, isPlain: false, isUnknown: true, isSuspicious: isDoubtful && decision === 'undecided' };
  }

  #decisionOf(name: string): FieldDecision {
    return this.#decided.get(`${this.kind}.${name}`) ?? 'undecided';
  }
}

function readFieldOf(name: string, field: Field): ReadField {
  const rank = field.restriction === undefined ? -1 : severity.indexOf(field.restriction.becomes);
  const isPlain = field.place === 'moved' && field.why === undefined && rank < 0;
  return { ...field, name, isPlain, isUnknown: false, isSuspicious: false, rank, rows: 0, isPrivate: false };
}

/** Unlike a restriction, an unknown field may say something by being false. */
function isSaid(value: JsonValue): boolean {
  return value === false || value === 0 || isSet(value);
}

/** The fields of all rows of one export. */
export class ExportFields {
  readonly #kinds = new Map<RowKind, KindFields>();
  readonly #decided: ReadonlyMap<string, FieldDecision>;

  /** `decided`: by kind and name, such as `message.own_field`. */
  constructor(tables: SourceFields, decided: ReadonlyMap<string, FieldDecision>) {
    this.#decided = decided;
    for (const kind of rowKinds) {
      const table = tables[kind];
      if (table !== undefined) this.#kinds.set(kind, new KindFields(kind, table, decided));
    }
  }

  of(kind: RowKind): KindFields {
    const known = this.#kinds.get(kind) ?? new KindFields(kind, {}, this.#decided);
    this.#kinds.set(kind, known);
    return known;
  }

  /** Forgets what was counted. Sources read some rows twice, and the second time counts. */
  restart(): void {
    for (const rows of this.#kinds.values()) rows.restart();
  }

  unknown(): readonly UnknownField[] {
    return [...this.#kinds.values()].flatMap((rows) => [...rows.unknown()]);
  }

  dropped(): readonly DroppedField[] {
    return [...this.#kinds.values()].flatMap((rows) => [...rows.dropped()]);
  }
}
