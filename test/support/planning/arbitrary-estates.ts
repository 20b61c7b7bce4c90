// Support: arbitrary estates of a few users and channels, and the edits in them that the platform can make.
import fc from 'fast-check';
import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import type { Address } from '../../../src/model/address.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import type { Resource } from '../../../src/model/resource.ts';
import { registry } from '../../../src/resources/index.ts';
import { kindNamed, resources } from './planning.ts';

/** Ids that JavaScript has its own ideas of are among them. */
const userIds = ['alice', 'bob', 'constructor', '10', '9', 'a.b', 'c/d', 'ümlaut'];
const metadataKeys = ['team', 'toString', '7', 'a/b', 'x'];
const botIds = ['bot-1', 'bot/2'];
const openUrls = ['open-1', 'open-2', 'open-3', 'open-4', 'open-5'];
const groupUrls = ['group-1', 'group-2', 'group-3', 'group-4', 'group-5'];

const text = fc.constantFrom('', 'one', 'two');
const flag = fc.boolean();
/** Absent half of the time. */
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const mode = maybe(fc.constantFrom('additive', 'exclusive'));

const userBlock = fc.record(
  {
    nickname: fc.constantFrom('one', 'two'),
    profile_url: text,
    metadata: fc.dictionary(fc.constantFrom(...metadataKeys), text, { maxKeys: 5, noNullPrototype: true }),
    discovery_keys: fc.subarray(['k', 'l']),
    preferred_languages: fc.constantFrom(['en'], ['de', 'en'], ['en', 'de']),
    auto_accept: flag,
    issue_access_token: fc.constantFrom<JsonValue>(true, { revision: 2 }),
    session_token: fc.constantFrom({ expires_at: '2027-01-01T00:00:00Z' }, { expires_at: '2028-01-01T00:00:00Z' }),
    deactivated: flag,
  },
  { requiredKeys: ['nickname'] },
);

const botBlock = fc.record(
  {
    bot_nickname: fc.constantFrom('one', 'two'),
    bot_type: fc.constant('helper'),
    bot_callback_url: fc.constantFrom('https://a.example', 'https://b.example'),
    bot_profile_url: text,
    is_privacy_mode: flag,
    enable_mark_as_read: flag,
    show_member: flag,
    channel_invitation_preference: fc.constantFrom(0, 1),
  },
  { requiredKeys: ['bot_nickname', 'bot_type', 'bot_callback_url'] },
);

/** One fewer than a channel may have, since others may add one. */
const metadata = fc.dictionary(fc.constantFrom(...metadataKeys), text, { maxKeys: 4, noNullPrototype: true });

const settingsBlock = fc.record(
  {
    default_channel_invitation_preference: fc.record({ auto_accept: flag }),
    webhook: fc.record({ enabled: flag, url: fc.constant('https://a.example') }),
    auto_event_message: fc.constantFrom(
      { user_join: { user_join: true } },
      { channel_change: { channel_change: true } },
    ),
    moderation: fc.dictionary(
      fc.constantFrom('sales', 'support'),
      fc.constantFrom({ domain_filter: { type: 1 } }, {}),
      {
        noNullPrototype: true,
      },
    ),
  },
  { requiredKeys: [] },
);

const operators = (among: readonly string[]) => maybe(fc.subarray([...among]));

const restriction = fc.record(
  { until: fc.constantFrom('2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'), description: text },
  { requiredKeys: [] },
);
const restricted = (users: readonly string[]) =>
  users.length === 0
    ? fc.constant(undefined)
    : maybe(fc.dictionary(fc.constantFrom(...users), restriction, { maxKeys: 2, noNullPrototype: true }));

/** Nobody is banned who is in the channel, and only members are muted. */
const openBlock = (users: readonly string[]) =>
  fc.subarray([...users]).chain((outside) =>
    openBlockBesides(
      users.filter((id) => !outside.includes(id)),
      outside,
    ),
  );

const openBlockBesides = (users: readonly string[], outside: readonly string[]) =>
  fc.record({
    banned: restricted(outside),
    muted: restricted(users),
    name: maybe(text),
    cover_url: maybe(text),
    custom_type: maybe(text),
    data: maybe(text),
    metadata: maybe(metadata),
    is_ephemeral: maybe(flag),
    is_dynamic_partitioned: maybe(flag),
    operators: operators(users),
    operators_mode: mode,
    frozen: maybe(flag),
    lifecycle: maybe(fc.constant({ on_remove: 'delete' })),
  });

const memberLine = fc.record(
  {
    invitation_status: fc.constantFrom('joined', 'invited_by_friend', 'invited_by_non_friend'),
    hidden_status: fc.constantFrom('unhidden', 'hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide'),
  },
  { requiredKeys: [] },
);

const groupBlock = (users: readonly string[], bots: readonly string[]) =>
  fc
    .tuple(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...users), memberLine), { minLength: 1, selector: ([id]) => id }),
      fc.subarray([...bots]),
    )
    .chain(([people, programs]) => {
      const members = [...people, ...programs.map((id): [string, JsonObject] => [id, {}])];
      const inside = members.map(([id]) => id);
      return fc.record({
        banned: restricted(users.filter((id) => !inside.includes(id))),
        muted: restricted(people.map(([id]) => id)),
        name: maybe(text),
        custom_type: maybe(text),
        data: maybe(text),
        metadata: maybe(metadata),
        is_public: maybe(flag),
        is_super: maybe(flag),
        is_ephemeral: maybe(flag),
        is_distinct: maybe(fc.constant(false)),
        inviter_id: maybe(fc.constantFrom(...users)),
        strict: maybe(fc.constant(true)),
        members: fc.constant(Object.fromEntries(members)),
        operators: operators(people.map(([id]) => id)),
        members_mode: mode,
        operators_mode: mode,
        frozen: maybe(flag),
        lifecycle: maybe(fc.constant({ on_remove: 'delete' })),
      });
    });

/** Channels name only users of the estate. */
export const estate: fc.Arbitrary<Resource[]> = fc
  .tuple(fc.subarray(userIds), fc.subarray(botIds))
  .chain(([users, bots]) =>
    fc
      .record({
        user: keyed(users, userBlock),
        bot: keyed(bots, botBlock),
        settings: fc.subarray(['application']).chain((keys) => keyed(keys, settingsBlock)),
        open_channel: fc.subarray(openUrls).chain((urls) => keyed(urls, openBlock(users))),
        group_channel:
          users.length === 0
            ? fc.constant<Record<string, JsonObject>>({})
            : fc.subarray(groupUrls).chain((urls) => keyed(urls, groupBlock(users, bots))),
      })
      .map((blocks) => resources(blocks)),
  );

function keyed(keys: readonly string[], block: fc.Arbitrary<object>): fc.Arbitrary<Record<string, JsonObject>> {
  return fc
    .tuple(...keys.map(() => block))
    .map((blocks) => Object.fromEntries(keys.map((key, index) => [key, withoutUndefined(blocks[index] ?? {})])));
}

function withoutUndefined(block: object): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** The estate without edits that the platform cannot make of what is there (semantics §1.3, §2.2). */
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
        // Fixed at creation, but not when the user it names is declared no more: then the line goes.
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

/** Every attribute that the registry has and the estates leave out, so that nothing new is forgotten here. */
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
    .flatMap(({ kind, attributes }) =>
      // A mode is of use to a refresh alone.
      Object.entries(attributes).flatMap(([name, { change }]) => (change === 'mode' ? [] : [`${kind}.${name}`])),
    )
    .filter((name) => !seen.has(name));
}
