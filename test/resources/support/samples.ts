// Support: the registry of samples. What a sample does not say is derived from the definition of its kind.
import type fc from 'fast-check';
import type { KindDefinition } from '../../../src/kinds/definition/kind.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { botSample } from '../bot/sample.ts';
import { customTypeSample } from '../custom-type/sample.ts';
import { groupChannelSample } from '../group-channel/sample.ts';
import { openChannelSample } from '../open-channel/sample.ts';
import { settingsSample } from '../settings/sample.ts';
import { userSample } from '../user/sample.ts';
import type { Deed, ForeignCall, KindSample, Section, Sections } from './kind-sample.ts';
import { plainDeeds, plainValues } from './plain-kind.ts';

const told: Readonly<Record<string, KindSample>> = {
  user: userSample,
  bot: botSample,
  open_channel: openChannelSample,
  group_channel: groupChannelSample,
  custom_type: customTypeSample,
  settings: settingsSample,
};

const nothing: KindSample = {};

export function sampleOf({ name: kind }: KindDefinition): KindSample {
  return told[kind] ?? nothing;
}

type Values = readonly [JsonValue, JsonValue] | undefined;

const derived = new Map<string, Values>();

/** Undefined when the schema allows fewer than two values. */
export function valuesOf(kind: KindDefinition, name: string): Values {
  const own = sampleOf(kind).values?.[name];
  const id = `${kind.name} ${name}`;
  if (own === undefined && !derived.has(id)) derived.set(id, plainValues(kind, name));
  return own ?? derived.get(id);
}

export function leastOf(kind: KindDefinition): JsonObject {
  const required = (): JsonObject =>
    Object.fromEntries(kind.required.map((name) => [name, valuesOf(kind, name)?.[0] ?? null]));
  return sampleOf(kind).least ?? required();
}

export function blocksOf(kind: KindDefinition, others: Sections): fc.Arbitrary<Section> {
  const { blocks } = sampleOf(kind);
  if (blocks === undefined) throw new Error(`The sample of ${kind.name} has no blocks.`);
  return blocks(others);
}

export function deedsOn(kind: KindDefinition, deed: Deed): readonly ForeignCall[] {
  return sampleOf(kind).deeds?.(deed) ?? plainDeeds(kind, deed, (name) => valuesOf(kind, name));
}
