// Support: a row for every attribute of every kind that can be read, and plans in which others edited its value.
import { rememberOne } from '../../../src/core/kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../../src/core/kinds/definition/kind.ts';
import { type Address, addressOf } from '../../../src/core/model/address.ts';
import type { StateRecord } from '../../../src/core/model/record.ts';
import type { PlanInput } from '../../../src/core/planner/plan-input.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { leastOf, sampleOf, valuesOf } from '../../core/resources/support/samples.ts';
import { livePart } from './live-objects.ts';
import { planFor, rememberedOf, resource, stateAfter, stateOf } from './planning.ts';

export interface Case {
  readonly kind: KindDefinition;
  readonly name: string;
  readonly definition: AttributeDefinition;
  readonly address: Address;
  readonly declared: JsonValue;
  readonly other: JsonValue;
}

export const cases: readonly Case[] = registry
  .filter(({ live }) => live !== undefined)
  .flatMap((kind) =>
    Object.entries(kind.attributes).map(([name, definition]) => {
      const [declared, other] = valuesOf(kind, name) ?? [null, null];
      return { kind, name, definition, address: addressOf(kind.name, 'key-1'), declared, other };
    }),
  );

/** What must be beside the attribute so that it decides what anybody can do. */
const besides: Readonly<Record<string, JsonObject>> = {
  'group_channel banned': { is_public: true },
  'group_channel muted': { members: { alice: {}, bob: {} } },
};

/** A custom type with settings, whose name is one of the samples. */
const type = resource('custom_type', 'two', { operators: ['alice'], muted: { alice: {} } });

export function block({ kind, name }: Case, value: JsonValue | undefined): JsonObject {
  const { [name]: _own, ...rest } = leastOf(kind);
  const others = { ...sampleOf(kind).besides?.[name], ...besides[`${kind.name} ${name}`] };
  return { ...rest, ...others, ...(value === undefined ? {} : { [name]: value }) };
}

/** State holds `before`; `after` is declared; the platform shows `there`. */
export function plan(
  one: Case,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  there: JsonValue | undefined,
  options: Pick<PlanInput, 'isDriftAlone'> = {},
) {
  const of = (value: JsonValue | undefined) => resource(one.kind.name, 'key-1', block(one, value));
  const others = one.name === 'custom_type' ? [type] : [];
  const state = stateOf([of(before ?? one.declared), ...others]);
  if (before === undefined) withoutAttribute(state, one);
  else if (hasProof(one)) {
    const record = state.get(one.address);
    if (record !== undefined) state.set(one.address, { ...record, seen: { [one.name]: proof } });
  }
  const desired = [of(after), ...others];
  const shown = {
    ...rememberedOf(of(there)),
    ...(there === undefined ? {} : { [one.name]: liveValue(one, before, there) }),
  };
  const planned = planFor(desired, state, { ...livePart(desired, state, { [one.address]: shown }), ...options });
  return { ...planned, record: stateAfter(state, planned.plan.steps).get(one.address), wanted: desired[0] };
}

/** What the answer to the call showed of a value, by which another one is known. */
const proof = 'proof';
const hasProof = ({ definition: { shown } }: Case) => shown.as === 'in_part' && shown.proves.startsWith('same_');

/** Of a value that is shown in part, the platform shows whether one is set, or what proves that there is another one. */
function liveValue(one: Case, before: JsonValue | undefined, there: JsonValue): JsonValue {
  const { definition } = one;
  if (hasProof(one)) return before === there ? proof : 'another';
  return definition.shown.as === 'in_part' ? before === there : rememberOne(definition, there);
}

/** The same, without the line. */
export function withoutAttribute(state: Map<Address, StateRecord>, { address, name }: Case): void {
  const record = state.get(address);
  const { [name]: _gone, ...attributes } = record?.attributes ?? {};
  state.set(address, { address, attributes });
}

/** Attributes that decide about rights of bots, by what the platform itself does later, or of users that do not exist yet (semantics §15.5). */
export const uncounted = [
  'bot channel_invitation_preference',
  'custom_type profanity_triggered_moderation',
  'settings default_channel_invitation_preference',
  'settings all_channels',
];

/** What a repair may set back: looks, texts, notices, and what may be written. */
const settings = ['max_message_length', 'allow_links', 'user_messages_per_channel'];
const filters = ['user_messages_per_channel_duration', 'domain_filter', 'profanity_filter', 'image_moderation'];
const channel = ['name', 'cover_url', 'cover_file', 'data', 'metadata'];
export const harmless: Readonly<Record<string, readonly string[]>> = {
  user: ['nickname', 'profile_url', 'profile_file', 'metadata', 'discovery_keys', 'preferred_languages'],
  bot: ['bot_nickname', 'bot_profile_url', 'metadata', 'enable_mark_as_read'],
  open_channel: channel,
  group_channel: [...channel, 'is_super', 'is_distinct'],
  custom_type: [...settings, ...filters, 'push_template'],
  // Of all_channels, the sample edits a length and a filter.
  settings: ['all_channels', 'auto_event_message', 'emojis', 'push_templates', 'reactions', 'use_default_emoji'],
};
