// Checks whether a number of dangerous effects was acknowledged in the reviewed diff (semantics §4.2).
//
// The number in an acknowledgement is compared with the effects done under it plus the remaining ones. Done effects are no
// longer visible. So from the first acknowledged apply on, state keeps the digest of the block and a fingerprint of each
// affected object or membership. A resumed run meets fewer of the same things and may continue. Things added since make the
// number wrong. When none of the things remains, state forgets the acknowledgement.

import { digestOf, digestText } from '../../../lib/digest.ts';
import { compareText, equalJson, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Acknowledgement, Policy } from '../../model/policy.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import { acknowledgedAddress } from '../../model/run-metadata.ts';
import type { AcknowledgementFault } from '../../model/statements/problems.ts';
import type { Finding } from '../draft/finding.ts';

type AcknowledgementPolicy = Pick<Policy, 'acknowledge' | 'source'>;

/** The acknowledgement of one effect. */
export interface Acknowledged {
  readonly isMeant: boolean;
  /** The number of effects done under an acknowledgement in use. */
  readonly done: number;
  /** The number to acknowledge: done plus remaining. */
  readonly total: number;
  /** The faults of blocks whose effects or numbers do not match or that have expired. */
  readonly faults: readonly AcknowledgementFault[];
}

/** The acknowledgements of one plan. Call `ask` for every effect that needs one, then `entry` for the state entry. */
export class Acknowledgements {
  readonly #policy: AcknowledgementPolicy;
  readonly #record: StateRecord | undefined;
  readonly #today: string;
  readonly #next = new Map<string, InUse>();

  /** `record` is the state record at `acknowledgedAddress`. `today` is a date in UTC, such as `2026-12-01`. */
  constructor(policy: AcknowledgementPolicy, record: StateRecord | undefined, today: string) {
    this.#policy = policy;
    this.#record = record;
    this.#today = today;
  }

  /** `remaining` lists everything that the effect concerns in this plan, without duplicates. */
  ask(effect: string, remaining: Iterable<string>): Acknowledged {
    const things = fingerprints(remaining);
    const open = this.#openFor(effect, things);
    const allThings = open === undefined ? things : new Set([...open.things, ...things]);
    const blocks = this.#policy.acknowledge.filter((block) => block.effect === effect);
    // A run that began before the acknowledgement expired may finish.
    const valid = blocks.filter((block) => isInTime(block, this.#today) || digestOfBlock(block) === open?.block);
    const block = valid.find(({ count }) => count === allThings.size);
    if (block !== undefined) {
      const digest = digestOfBlock(block);
      const { expires } = block;
      this.#next.set(
        effect,
        open?.block === digest
          ? { ...open, things: allThings }
          : { block: digest, began: this.#today, ...(expires === undefined ? {} : { expires }), things: allThings },
      );
    } else if (open !== undefined) this.#next.set(effect, open);
    return {
      isMeant: block !== undefined,
      done: allThings.size - things.size,
      total: allThings.size,
      faults: blocks.length === 0 ? faultsOfOthers(effect, this.#policy.acknowledge) : faultsOf(blocks, valid),
    };
  }

  /** Keeps an acknowledgement in use while some of its things remain, even if they no longer need one. */
  keep(effect: string, remaining: Iterable<string>): void {
    if (this.#next.has(effect)) return;
    const open = this.#openFor(effect, fingerprints(remaining));
    if (open !== undefined) this.#next.set(effect, open);
  }

  /** The effects of the blocks in state. */
  get inUse(): readonly string[] {
    return Object.keys(this.#record?.attributes ?? {});
  }

  /** Returns the entry to write to state before the first step, or undefined if state already has it. */
  entry(): StateEntry | undefined {
    if (this.#next.size === 0) {
      return this.#record === undefined ? undefined : { type: 'delete', address: acknowledgedAddress };
    }
    const effects = [...this.#next].sort(([left], [right]) => compareText(left, right));
    const attributes = Object.fromEntries(effects.map(([effect, inUse]) => [effect, print(inUse)]));
    if (equalJson(this.#record?.attributes, attributes)) return undefined;
    return { type: 'put', record: { address: acknowledgedAddress, attributes } };
  }

  /** Returns notes on blocks whose effect does not occur in the plan. */
  spent(isInPlan: (effect: string) => boolean): Finding[] {
    const { acknowledge, source } = this.#policy;
    return acknowledge
      .filter(({ effect }) => !isInPlan(effect) && !this.#next.has(effect))
      .map(({ effect, count }) => ({
        severity: 'note',
        problem: { code: 'safety.spent', effect, count },
        ...(source === undefined ? {} : { source }),
      }));
  }

  /** Returns the block in use if it covers any of these things. */
  #openFor(effect: string, things: ReadonlySet<string>): InUse | undefined {
    const recordedUse = read(this.#record?.attributes[effect]);
    if (recordedUse === undefined) return undefined;
    for (const thing of things) if (recordedUse.things.has(thing)) return recordedUse;
    return undefined;
  }
}

/**
 * Returns the effects of a saved plan whose acknowledgement has expired since the plan was made and under which no run began
 * in time. `entries` are the plan's run metadata, `record` is the state record.
 */
export function expiredSince(
  entries: readonly StateEntry[] | undefined,
  record: StateRecord | undefined,
  today: string,
): string[] {
  return (entries ?? []).flatMap((entry) => {
    if (entry.type !== 'put' || entry.record.address !== acknowledgedAddress) return [];
    return Object.entries(entry.record.attributes).flatMap(([effect, value]) => {
      const planned = read(value);
      const isBegun = planned !== undefined && read(record?.attributes[effect])?.block === planned.block;
      return planned === undefined || isInTime(planned, today) || isBegun ? [] : [effect];
    });
  });
}

/** The part of the state record for one effect. */
interface InUse {
  readonly block: string;
  /** The day of the first acknowledged apply, in UTC. */
  readonly began: string;
  readonly expires?: string;
  /** Fingerprints of the affected objects and memberships. */
  readonly things: ReadonlySet<string>;
}

/** In hexadecimal characters. Among a million things, two collide in one of 560 plans, which then counts one too few. */
const fingerprintLength = 12;

function fingerprints(things: Iterable<string>): Set<string> {
  const digests = new Set<string>();
  for (const thing of things) digests.add(digestText(thing).slice(0, fingerprintLength));
  return digests;
}

function print({ things, ...rest }: InUse): JsonObject {
  return { ...rest, things: [...things].sort().join('') };
}

function read(value: JsonValue | undefined): InUse | undefined {
  if (!isObject(value)) return undefined;
  const { block, began, expires, things } = value;
  if (typeof block !== 'string' || typeof began !== 'string' || typeof things !== 'string') return undefined;
  const digests = things.match(new RegExp(`.{${fingerprintLength}}`, 'gu')) ?? [];
  return { block, began, ...(typeof expires === 'string' ? { expires } : {}), things: new Set(digests) };
}

function digestOfBlock({ effect, count, expires }: Acknowledgement): string {
  return digestOf({ effect, count, ...(expires === undefined ? {} : { expires }) });
}

/** Returns why none of these acknowledgements counts. */
export function faultsAt(blocks: readonly Acknowledgement[], today: string): AcknowledgementFault[] {
  return faultsOf(
    blocks,
    blocks.filter((block) => isInTime(block, today)),
  );
}

/** An acknowledgement is valid through the end of its date. */
export function isInTime({ expires }: Pick<Acknowledgement, 'expires'>, today: string): boolean {
  return expires === undefined || today <= expires;
}

/** Returns the acknowledgements of other effects on the same kind, one of which may be a mistake. */
function faultsOfOthers(effect: string, blocks: readonly Acknowledgement[]): AcknowledgementFault[] {
  const kind = effect.split('.')[0];
  return blocks
    .filter((block) => block.effect.split('.')[0] === kind)
    .map(({ effect: other, count }) => ({ why: 'other_effect', effect: other, count }));
}

function faultsOf(blocks: readonly Acknowledgement[], valid: readonly Acknowledgement[]): AcknowledgementFault[] {
  const counts = valid.map(({ count }) => count);
  const expired = blocks.filter((block) => !valid.includes(block));
  return [
    ...(counts.length === 0 ? [] : [{ why: 'other_count', counts } as const]),
    ...expired.map(({ count, expires = '' }) => ({ why: 'expired', count, expires }) as const),
  ];
}
