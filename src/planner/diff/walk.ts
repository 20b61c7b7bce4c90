// Which object is declared, and what does state say of it? Goes through both sides at once, a kind after the other.
//
// Both are sorted by address, so that each kind stands in one piece. Kinds come in the order of the registry, in which
// objects come before those that name them. Parts of other objects come first of all: their objects have to know of them.

import { lastWhere } from '../../lib/search.ts';
import type { Series } from '../../lib/series.ts';
import { type Address, compareAddresses } from '../../model/address.ts';
import type { RecordSeries, StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { KindDefinition } from '../../resources/define.ts';

/** One of both is there at least. */
export class Pair {
  readonly address: Address;
  readonly resource: Resource | undefined;
  readonly #known: KnownObject | undefined;

  constructor(address: Address, resource: Resource | undefined, known: KnownObject | undefined) {
    this.address = address;
    this.resource = resource;
    this.#known = known;
  }

  /** Read when it is asked for. */
  get record(): StateRecord | undefined {
    return this.#known?.record;
  }

  /** Canonical JSON, where it is at hand. */
  get recordText(): string | undefined {
    return this.#known?.text;
  }
}

/** What state has at one place. */
class KnownObject {
  readonly address: Address;
  readonly text: string | undefined;
  readonly #records: RecordSeries;
  readonly #place: number;
  #record: StateRecord | undefined;

  /** `wantsText`: somebody may compare it. */
  constructor(records: RecordSeries, place: number, wantsText: boolean) {
    this.#records = records;
    this.#place = place;
    this.text = wantsText ? records.textAt?.(place) : undefined;
    this.address = addressIn(this.text) ?? this.record?.address ?? ('' as Address);
  }

  get record(): StateRecord | undefined {
    this.#record ??= this.#records.at(this.#place);
    return this.#record;
  }
}

const textStart = '{"address":"';

/** Undefined where the text does not begin with one, or the address is spelled in another way than it reads. */
function addressIn(text: string | undefined): Address | undefined {
  if (text?.startsWith(textStart) !== true) return undefined;
  const address = text.slice(textStart.length, text.indexOf('"', textStart.length));
  return address.includes('\\') ? undefined : (address as Address);
}

export function inWalkOrder(kinds: readonly KindDefinition[]): KindDefinition[] {
  return [...kinds.filter(({ isChild }) => isChild === true), ...kinds.filter(({ isChild }) => isChild !== true)];
}

/** Those of one kind, sorted by address. */
export function* pairsOfKind(
  { kind, opaqueTexts }: KindDefinition,
  resources: Series<Resource>,
  records: RecordSeries,
): Generator<Pair> {
  let [left, right] = [firstOfKind(kind, resources), firstOfKind(kind, records)];
  const prefix = `${kind}.`;
  const ofKind = <T extends { readonly address: Address }>(value: T | undefined): T | undefined =>
    value?.address.startsWith(prefix) === true ? value : undefined;
  const wantsText = opaqueTexts !== undefined;
  const knownAt = (place: number) =>
    ofKind(place < records.length ? new KnownObject(records, place, wantsText) : undefined);
  let [resource, known] = [ofKind(resources.at(left)), knownAt(right)];
  while (resource !== undefined || known !== undefined) {
    const side =
      resource === undefined ? 1 : known === undefined ? -1 : compareAddresses(resource.address, known.address);
    const address = side <= 0 ? resource?.address : known?.address;
    if (address !== undefined) yield new Pair(address, side <= 0 ? resource : undefined, side >= 0 ? known : undefined);
    if (side <= 0) resource = ofKind(resources.at(++left));
    if (side >= 0) known = knownAt(++right);
  }
}

/** The place of the first one that does not stand before the kind. */
function firstOfKind(kind: string, series: Series<{ readonly address: Address }>): number {
  return 1 + lastWhere(series.length, (place) => (series.at(place)?.address ?? '') < `${kind}.`);
}
