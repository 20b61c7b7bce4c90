// Which objects does a refresh read, and in which requests? All that state knows, and all that is declared.
import { type Address, compareAddresses, keyOf, kindOf } from '../model/address.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import type { KindDefinition, LiveReads } from '../resources/define.ts';
import { urlBatchesOf } from '../resources/values.ts';

/** One object to be read. */
export interface Subject {
  readonly address: Address;
  /** State knows it: that it is not there is believed only when a read of its own says so. */
  readonly isKnown: boolean;
  /** Does anybody want to know this attribute? What has pages of its own is read only then. */
  wants(attribute: string): boolean;
}

/** What a refresh of an estate reads. */
export interface Pair extends Subject {
  readonly record: StateRecord | undefined;
  readonly resource: Resource | undefined;
}

/** Both sides are sorted by address, by code unit; so is the result. */
export function* pairsOf(resources: Iterable<Resource>, records: Iterable<StateRecord>): Generator<Pair> {
  const left = resources[Symbol.iterator]();
  const right = records[Symbol.iterator]();
  let resource = left.next();
  let record = right.next();
  while (resource.done !== true || record.done !== true) {
    const side =
      resource.done === true
        ? 1
        : record.done === true
          ? -1
          : compareAddresses(resource.value.address, record.value.address);
    yield pairOf(
      side <= 0 && resource.done !== true ? resource.value : undefined,
      side >= 0 && record.done !== true ? record.value : undefined,
    );
    if (side <= 0) resource = left.next();
    if (side >= 0) record = right.next();
  }
}

function pairOf(resource: Resource | undefined, record: StateRecord | undefined): Pair {
  return {
    address: (resource ?? record)?.address ?? 'none.none',
    isKnown: record !== undefined,
    wants: (name) => resource?.attributes[name] !== undefined || record?.attributes[name] !== undefined,
    record,
    resource,
  };
}

/** Objects that one request reads. */
export interface Batch<S extends Subject> {
  readonly kind: KindDefinition;
  readonly reads: LiveReads;
  readonly subjects: readonly S[];
  /** A key that holds a comma cannot stand in a list: it is read by itself. */
  readonly isAlone: boolean;
}

/** In the order of the subjects, who stand together by kind. What has no reads is left out. */
export function* batchesOf<S extends Subject>(
  subjects: Iterable<S>,
  kinds: readonly KindDefinition[],
): Generator<Batch<S>> {
  for (const { kind, reads, run } of runsOf(subjects, kinds)) {
    const isAlone = (subject: S) => keyOf(subject.address).includes(',');
    const listed = run.filter((subject) => !isAlone(subject));
    for (const batch of urlBatchesOf(listed, ({ address }) => keyOf(address))) {
      yield { kind, reads, subjects: batch, isAlone: false };
    }
    for (const subject of run) if (isAlone(subject)) yield { kind, reads, subjects: [subject], isAlone: true };
  }
}

/** Stretches of subjects of one kind, at most a thousand long, so that nothing grows with the estate. */
function* runsOf<S extends Subject>(subjects: Iterable<S>, kinds: readonly KindDefinition[]) {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  let run: S[] = [];
  let current: KindDefinition | undefined;
  const runOf = () =>
    current?.live === undefined || run.length === 0 ? [] : [{ kind: current, reads: current.live, run }];
  for (const subject of subjects) {
    const kind = byName.get(kindOf(subject.address));
    if (kind !== current || run.length === maxRun) {
      yield* runOf();
      run = [];
      current = kind;
    }
    run.push(subject);
  }
  yield* runOf();
}

const maxRun = 1_000;
