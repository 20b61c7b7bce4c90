// Into which files does a whole application go? Few enough to find one's way, small enough to be read.
import { join } from 'node:path';
import { formatManifest } from '../manifest/fmt/format.ts';
import { Problems } from '../manifest/problems.ts';
import { SourceText } from '../manifest/source-text.ts';
import { inlineText, sectionText } from '../manifest/write/block-text.ts';
import { InternalError } from '../model/errors.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { KindDefinition } from '../resources/define.ts';
import { textOf } from '../resources/values.ts';
import type { Blocks } from './export-blocks.ts';
import type { Inventory } from './export-read.ts';
import { writeWhole } from './write-whole.ts';

/** Objects in YAML beyond which a file under `sources` is the better place, as the loader advises. */
const manyInYaml = 10_000;
const objectsInFile = 1000;
const channelsInFile = 500;
/** Files by custom_type, beyond which their names tell nobody anything. */
const maxTypes = 50;

export interface WrittenFiles {
  /** Relative to the folder, in the order of writing. */
  readonly names: readonly string[];
  readonly sources: readonly JsonObject[];
}

/** Writes all objects that can be declared; `blocks` remembers which, and why others could not. */
export async function writeObjects(
  folder: string,
  inventories: readonly Inventory[],
  kinds: readonly KindDefinition[],
  blocks: Blocks,
): Promise<WrittenFiles> {
  const names: string[] = [];
  const sources: JsonObject[] = [];
  for (const inventory of inventories) {
    const { kind } = inventory;
    if (inventory.length > manyInYaml) {
      const file = `data/${kind.section}.ndjson`;
      await writeWhole(join(folder, file), rows(inventory, blocks));
      names.push(file);
      sources.push({ kind: kind.kind, file });
      continue;
    }
    for (const { name, places } of filesOf(inventory)) {
      const objects = places.flatMap((place): [string, JsonObject][] => {
        const listed = inventory.at(place);
        const block = listed === undefined ? undefined : blocks.blockOf(kind, listed);
        return listed === undefined || block === undefined ? [] : [[listed.key, block]];
      });
      if (objects.length === 0) continue;
      await writeManifest(folder, name, [...sectionText(kind.section, objects)].join(''), kinds);
      names.push(name);
    }
  }
  return { names, sources };
}

/** The file with what stands once in all: whoever begins to read begins here. */
export async function writeApplication(
  folder: string,
  parts: Readonly<Record<'application' | 'policy' | 'sources', JsonValue>>,
  kinds: readonly KindDefinition[],
): Promise<string> {
  const name = 'application.yaml';
  const text = Object.entries(parts).map(([section, value]) => topText(section, value));
  await writeManifest(folder, name, text.join(''), kinds);
  return name;
}

/** Empty for what has nothing to say. */
function topText(section: string, value: JsonValue): string {
  const lines = isList(value)
    ? value.map((item) => `  - ${inlineText(item)}\n`)
    : Object.entries(isObject(value) ? value : {}).map(([name, inner]) => `  ${name}: ${inlineText(inner)}\n`);
  return lines.length === 0 ? '' : `${section}:\n${lines.join('')}\n`;
}

async function writeManifest(
  folder: string,
  name: string,
  content: string,
  kinds: readonly KindDefinition[],
): Promise<void> {
  const problems = new Problems();
  const text = formatManifest(new SourceText(name, `version: 1\n\n${content}`), kinds, problems);
  const [first] = problems.sorted();
  if (text === undefined) throw new InternalError(`${name} was not written as a manifest: ${first?.detail ?? ''}`);
  await writeWhole(join(folder, name), text);
}

function* rows({ kind, ...inventory }: Inventory, blocks: Blocks): Generator<string> {
  for (let index = 0; index < inventory.length; index += 1) {
    const listed = inventory.at(index);
    const block = listed === undefined ? undefined : blocks.blockOf(kind, listed);
    if (listed !== undefined && block !== undefined) {
      yield `${JSON.stringify({ [kind.keyName]: listed.key, ...block })}\n`;
    }
  }
}

interface File {
  readonly name: string;
  /** In the inventory. */
  readonly places: readonly number[];
}

/** Group channels by their custom_type, which is what teams go by; everything else by key. */
function filesOf(inventory: Inventory): File[] {
  const { section } = inventory.kind;
  const all = Array.from({ length: inventory.length }, (_none, place) => place);
  if (section !== 'group_channels') return partsOf(all, objectsInFile, section, `${section}/`);
  const byType = new Map<string, number[]>();
  for (const place of all) {
    const type = typeName(textOf(inventory.at(place)?.attributes ?? {}, 'custom_type') ?? '');
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [place]);
    else known.push(place);
  }
  if (byType.size < 2 || byType.size > maxTypes) return partsOf(all, channelsInFile, section, `${section}/`);
  return [...byType]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([type, places]) => partsOf(places, channelsInFile, `${section}/${type}`, `${section}/${type}.`));
}

function partsOf(places: readonly number[], size: number, whole: string, prefix: string): File[] {
  if (places.length <= size) return [{ name: `${whole}.yaml`, places }];
  const parts: File[] = [];
  for (let start = 0; start < places.length; start += size) {
    const number = String(parts.length + 1).padStart(3, '0');
    parts.push({ name: `${prefix}${number}.yaml`, places: places.slice(start, start + size) });
  }
  return parts;
}

/** As a file's name: types that look the same in it share the file. */
function typeName(type: string): string {
  const name = type
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, 40)
    .replace(/^-|-$/gu, '');
  return name === '' ? 'untyped' : name;
}
