// Support: the samples of the registered kinds. What a sample does not say is derived from the definition of its kind.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { KindDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../../../src/lib/json.ts';
import type { Deed, ForeignCall, KindSample, Section, Sections } from './kind-sample.ts';
import { plainDeeds, plainValues } from './plain-kind.ts';

/** A kind without test/core/resources/KIND/sample.ts has none: all is derived from its definition. */
const samples = new Map(await Promise.all(registry.map(async (kind) => [kind.name, await readSample(kind)] as const)));

async function readSample({ name }: KindDefinition): Promise<KindSample | undefined> {
  const folder = name.replaceAll('_', '-');
  if (!existsSync(join(import.meta.dirname, '..', folder, 'sample.ts'))) return undefined;
  return ((await import(`../${folder}/sample.ts`)) as { readonly sample: KindSample }).sample;
}

const nothing: KindSample = {};

export function sampleOf({ name: kind }: KindDefinition): KindSample {
  return samples.get(kind) ?? nothing;
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
  const plain = plainAttributes(kind, blocks);
  if (Object.keys(plain).length === 0) return blocks(others);
  return blocks(others).chain((section) => {
    const keys = Object.keys(section);
    const more = fc.tuple(...keys.map(() => fc.record(plain, { requiredKeys: [], noNullPrototype: true })));
    return more.map(
      (parts): Section =>
        Object.fromEntries(keys.map((key, place) => [key, { ...section[key], ...(parts[place] as JsonObject) }])),
    );
  });
}

const plainOf = new Map<string, Readonly<Record<string, fc.Arbitrary<JsonValue>>>>();

/** The attributes of which the blocks of the sample say nothing. */
function plainAttributes(kind: KindDefinition, blocks: NonNullable<KindSample['blocks']>) {
  const known = plainOf.get(kind.name);
  if (known !== undefined) return known;
  const others = { user: { alice: {}, bob: {} }, bot: { 'bot-1': {} } };
  const sampled = fc.sample(blocks(others), { numRuns: 100, seed: 1 }).flatMap((section) => Object.values(section));
  const told = new Set([...sampled.flatMap((block) => Object.keys(block)), ...(sampleOf(kind).apart ?? [])]);
  const plain = Object.entries(kind.attributes).flatMap(([name, { change }]) => {
    const values = told.has(name) || change === 'mode' ? undefined : valuesOf(kind, name);
    return values === undefined ? [] : [[name, fc.constantFrom(...values)] as const];
  });
  plainOf.set(kind.name, Object.fromEntries(plain));
  return Object.fromEntries(plain);
}

export function deedsOn(kind: KindDefinition, deed: Deed): readonly ForeignCall[] {
  return sampleOf(kind).deeds?.(deed) ?? plainDeeds(kind, deed, (name) => valuesOf(kind, name));
}
