// Explains who can do what: the rights of one user in all channels, or of everybody in one channel (semantics §15).

import { linearPattern } from '../../lib/patterns/linear-pattern.ts';
import type { Series } from '../../lib/series.ts';
import { type KnownObject, rulingsIn } from '../access/rights.ts';
import { decidingAttributes } from '../kinds/definition/edit-effects.ts';
import { namesIn, textOf } from '../kinds/definition/values.ts';
import {
  type AccessEntry,
  type AccessExplanation,
  type Ground,
  hasNoRight,
  type Rulings,
  rights,
} from '../model/access/access.ts';
import { type Address, addressOf, keyOf, kindOf, parseAddress } from '../model/address.ts';
import { addressAt, addressesIn, firstPlace } from '../model/addressed-series.ts';
import { usage } from '../model/errors.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { applyEntry, type StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import type { Step } from '../model/step.ts';
import { findKind } from '../resources/index.ts';
import { EntryPositions } from './access/entry-positions.ts';
import type { Ports } from './context/ports.ts';
import { type DeclaredEstateOptions, openDeclaredEstate } from './opening/declared-estate.ts';
import { nowOf, planManifests } from './plans/plan-manifests.ts';
import { meansNothing } from './plans/targets.ts';

export interface AccessExplanationOptions extends DeclaredEstateOptions {
  /** The address of a user or a channel. */
  readonly address: string;
}

const channelKinds = ['group_channel', 'open_channel'] as const;
const formatVersion = '1.0';
/** No user has an empty id, so nothing names this one. */
const nobody = '';

/** Refused for an address that is not a user or a channel (64), and for one that is neither declared nor in state (66). */
export async function explainAccess(options: AccessExplanationOptions, ports: Ports): Promise<AccessExplanation> {
  const address = parseAddress(options.address);
  const kind = address === undefined ? undefined : findKind(address);
  if (address === undefined || kind === undefined || !['user', ...channelKinds].includes(kind.name)) {
    throw usage(
      `"${options.address}" is not the address of a user or a channel.`,
      'Access is of people in channels. For example: chatform explain --access user.alice',
    );
  }
  const { manifest, application, backend } = await openDeclaredEstate(options, ports);
  const state = await backend.read(application.identity);
  const { resources } = manifest;
  const isExternal = (manifest.policy.external.users ?? []).some((text) => linearPattern(text).test(keyOf(address)));
  const isKnown = resourceAt(resources, address) !== undefined || state.get(address) !== undefined;
  if (!isKnown && !(kind.name === 'user' && isExternal)) {
    throw meansNothing([address], 'ADDRESS', [resources, state.records()]);
  }
  const now = nowOf(ports);
  const { plan, problems } = planManifests(manifest, application, state, { now, isComparison: true });
  const estate = new AccessEstate(resources, state, plan.steps, Date.parse(now));
  const entries = kind.name === 'user' ? estate.ofUser(address) : estate.ofChannel(address);
  const positions = new EntryPositions(ports.cwd);
  const located = (rulings: Rulings) => withLines(rulings, (ground) => lineOf(ground, resources, positions));
  const everybody = kind.name === 'user' ? undefined : estate.anybodyIn(address);
  return {
    format_version: formatVersion,
    address,
    kind: kind.title,
    entries: entries.map((entry) => ({ ...entry, now: located(entry.now), planned: located(entry.planned) })),
    ...(everybody === undefined || (hasNoRight(everybody.now) && hasNoRight(everybody.planned))
      ? {}
      : { everybody: { now: located(everybody.now), planned: located(everybody.planned) } }),
    not_known: [
      'The platform is not read: others may have added or removed members, operators, bans and mutes.',
      ...(problems.length === 0
        ? []
        : ['The manifests cannot be planned as they are, so the planned rights are incomplete.']),
    ],
  };
}

type BothTimes = Pick<AccessEntry, 'now' | 'planned'>;

/** The objects that decide about rights, as state records them and as the plan leaves them. */
class AccessEstate {
  readonly #resources: Series<Resource>;
  readonly #state: StateSnapshot;
  readonly #nowMs: number;
  readonly #steps: Iterable<Step>;
  readonly #planned: Map<Address, StateRecord | undefined>;

  constructor(resources: Series<Resource>, state: StateSnapshot, steps: Iterable<Step>, nowMs: number) {
    this.#resources = resources;
    this.#state = state;
    this.#nowMs = nowMs;
    this.#steps = steps;
    const kinds: readonly string[] = [...channelKinds, 'custom_type'];
    this.#planned = this.#after((address) => kinds.includes(kindOf(address)));
  }

  ofUser(user: Address): AccessEntry[] {
    const people = this.#person(
      user,
      this.#after((address) => address === user),
    );
    return this.#channels().flatMap((channel) => this.#entry(channel, user, people));
  }

  /** All people in the block of the channel or of its custom type, without bots. */
  ofChannel(channel: Address): AccessEntry[] {
    const ids = [...new Set(this.#places(channel).flatMap(peopleIn))].sort();
    const users = new Set(ids.map((id) => addressOf('user', id)));
    const planned = this.#after((address) => users.has(address));
    return [...users].flatMap((user) => {
      const bot = addressOf('bot', keyOf(user));
      if (this.#state.get(bot) !== undefined || resourceAt(this.#resources, bot) !== undefined) return [];
      return this.#entry(channel, user, this.#person(user, planned));
    });
  }

  /** The rights of people who are in no list of the channel. */
  anybodyIn(channel: Address): BothTimes {
    const person: KnownObject = { address: addressOf('user', nobody), attributes: {} };
    return this.#both(channel, nobody, { now: person, planned: person });
  }

  /** Nothing if neither a line names the person in the channel nor anything gives a right. */
  #entry(channel: Address, user: Address, people: PersonAtBothTimes): AccessEntry[] {
    const userId = keyOf(user);
    const both = this.#both(channel, userId, people);
    const isNamed = () => this.#places(channel).some((place) => peopleIn(place).includes(userId));
    if (hasNoRight(both.now) && hasNoRight(both.planned) && !isNamed()) return [];
    return [{ user_id: userId, channel, ...both }];
  }

  #both(channel: Address, userId: string, people: PersonAtBothTimes): BothTimes {
    const rulings = (at: 'now' | 'planned') => {
      const object = this.#object(channel, at);
      return rulingsIn({
        channel: object,
        type: this.#typeOf(object, at),
        person: people[at],
        userId,
        nowMs: this.#nowMs,
      });
    };
    return { now: rulings('now'), planned: rulings('planned') };
  }

  /** The channel and its custom type, now and planned. */
  #places(channel: Address): KnownObject[] {
    return (['now', 'planned'] as const).flatMap((at) => {
      const object = this.#object(channel, at);
      const type = this.#typeOf(object, at);
      return type === undefined ? [object] : [object, type];
    });
  }

  #typeOf({ attributes = {} }: KnownObject, at: 'now' | 'planned'): KnownObject | undefined {
    const type = textOf(attributes, 'custom_type') ?? '';
    return type === '' ? undefined : this.#object(addressOf('custom_type', type), at);
  }

  #object(address: Address, at: 'now' | 'planned'): KnownObject {
    const isChanged = at === 'planned' && this.#planned.has(address);
    const record = isChanged ? this.#planned.get(address) : this.#state.get(address);
    return { address, attributes: record?.attributes, seen: record?.seen };
  }

  #person(user: Address, planned: ReadonlyMap<Address, StateRecord | undefined>): PersonAtBothTimes {
    const record = this.#state.get(user);
    const after = planned.has(user) ? planned.get(user) : record;
    const isManaged = record !== undefined || after !== undefined || resourceAt(this.#resources, user) !== undefined;
    if (!isManaged) return { now: 'external', planned: 'external' };
    return {
      now: { address: user, attributes: record?.attributes },
      planned: { address: user, attributes: after?.attributes },
    };
  }

  /** The records that steps leave. A step without a request changes state alone, such as forgetting, and not what people can do. */
  #after(isWanted: (address: Address) => boolean): Map<Address, StateRecord | undefined> {
    const left = new Map<Address, StateRecord | undefined>();
    for (const { address, entry, request, action } of this.#steps) {
      if (!isWanted(address) || (request === undefined && action !== 'adopt')) continue;
      left.set(address, applyEntry(left.has(address) ? left.get(address) : this.#state.get(address), entry));
    }
    return left;
  }

  #channels(): Address[] {
    const channels = new Set<Address>();
    for (const kind of channelKinds) {
      for (let place = firstPlace(this.#resources, `${kind}.`); ; place += 1) {
        const address = addressAt(this.#resources, place);
        if (address === undefined || kindOf(address) !== kind) break;
        channels.add(address);
      }
    }
    for (const address of addressesIn(this.#state.records())) {
      if ((channelKinds as readonly string[]).includes(kindOf(address))) channels.add(address);
    }
    return [...channels].sort();
  }
}

interface PersonAtBothTimes {
  readonly now: KnownObject | 'external';
  readonly planned: KnownObject | 'external';
}

function peopleIn({ address, attributes = {} }: KnownObject): string[] {
  const { lists } = decidingAttributes(findKind(address)?.attributes ?? {});
  return lists.flatMap((name) => namesIn(attributes[name]));
}

function resourceAt(resources: Series<Resource>, address: Address): Resource | undefined {
  const place = firstPlace(resources, address);
  return addressAt(resources, place) === address ? resources.at(place) : undefined;
}

function lineOf(
  { address, path }: Ground,
  resources: Series<Resource>,
  positions: EntryPositions,
): Pick<Ground, 'source'> {
  const resource = resourceAt(resources, address);
  const source = resource === undefined ? undefined : positions.of(resource, path);
  return source === undefined ? {} : { source };
}

function withLines(rulings: Rulings, line: (ground: Ground) => Pick<Ground, 'source'>): Rulings {
  const located = rights.map((right) => {
    const { verdict, because } = rulings[right];
    return [right, { verdict, because: because.map((ground) => ({ ...ground, ...line(ground) })) }] as const;
  });
  return Object.fromEntries(located) as unknown as Rulings;
}
