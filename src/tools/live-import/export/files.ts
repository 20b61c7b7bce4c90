// Divides an application among files that are few enough to navigate and small enough to read.
import { join } from 'node:path';
import { writeOutput } from '../../../core/app/context/output-files.ts';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { textOf } from '../../../core/kinds/definition/values.ts';
import { blockNode, manifestText, objectsNode, type SectionNode } from '../../../core/manifest/write/block-text.ts';
import type { ListedObject } from '../../../core/refresh/listing.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Collect, Series } from '../../../lib/series.ts';
import type { ExportedBlocks } from './blocks.ts';
import type { ExportProgress } from './progress.ts';
import type { Inventory } from './read-application.ts';

/** Lists everything that could not be declared. */
export const leftOutFile = 'left-out.txt';

/** The number of objects from which a file under `sources` is better than YAML, as the loader advises. */
export const manyInYaml = 10_000;
const objectsInFile = 1000;
const channelsInFile = 500;
/** The maximum number of files by custom_type. More file names would not help. */
const maxTypes = 50;

export interface WrittenFiles {
  /** Relative to the folder, in the order of writing. */
  readonly names: readonly string[];
  readonly sources: readonly JsonObject[];
}

/** Writes all objects that can be declared. `blocks` records which, and why others could not. */
export async function writeObjects(
  { folder, collect }: { readonly folder: string; readonly collect: Collect },
  inventories: readonly Inventory[],
  kinds: readonly KindDefinition[],
  blocks: ExportedBlocks,
  progress: ExportProgress,
): Promise<WrittenFiles> {
  const names: string[] = [];
  const sources: JsonObject[] = [];
  for (const inventory of inventories) {
    const { kind } = inventory;
    const few = fewOf(inventory, collect);
    if (few === undefined) {
      const file = `data/${kind.section}.ndjson`;
      progress.note({ file });
      await writeOutput(join(folder, file), rows(inventory, blocks));
      names.push(file);
      sources.push({ kind: kind.name, file });
      continue;
    }
    for (const { name, listed } of filesOf(kind.section, few.typed)) {
      const objects = listed.flatMap(({ place }): [string, JsonObject][] => {
        const object = few.objects.at(place);
        const block = object === undefined ? undefined : blocks.blockOf(kind, object);
        return object === undefined || block === undefined ? [] : [[object.key, block]];
      });
      if (objects.length === 0) continue;
      progress.note({ file: name });
      await writeOutput(join(folder, name), manifestText([[kind.section, sectionLayout(kind, objects)]], kinds));
      names.push(name);
    }
  }
  return { names, sources };
}

/** The section of a kind with a single object is the block of that object. */
export function sectionLayout(
  { onlyKey }: KindDefinition,
  objects: readonly (readonly [string, JsonObject])[],
): SectionNode {
  const [only] = objects;
  return onlyKey === undefined || only === undefined ? objectsNode(objects) : blockNode(only[1]);
}

interface Few {
  /** They may be on disk. */
  readonly objects: Series<ListedObject>;
  /** The place of each object, and the attribute that decides on its file. */
  readonly typed: readonly { readonly place: number; readonly attributes: JsonObject }[];
}

/** Undefined when there are too many for YAML. */
function fewOf(inventory: Inventory, collect: Collect): Few | undefined {
  const objects = collect<ListedObject>();
  const typed: Few['typed'][number][] = [];
  for (const listed of inventory) {
    if (typed.length === manyInYaml) return undefined;
    const type = textOf(listed.attributes, 'custom_type');
    typed.push({ place: typed.length, attributes: type === undefined ? {} : { custom_type: type } });
    objects.push(listed);
  }
  return { objects: objects.end(), typed };
}

function* rows(inventory: Inventory, blocks: ExportedBlocks): Generator<string> {
  const { kind } = inventory;
  for (const listed of inventory) {
    const block = blocks.blockOf(kind, listed);
    if (block !== undefined) yield rowOf(kind, listed.key, block);
  }
}

/** A line of a file under `sources`. */
export function rowOf({ keyName }: KindDefinition, key: string, block: JsonObject): string {
  return `${JSON.stringify({ [keyName]: key, ...block })}\n`;
}

interface File<Listed> {
  readonly name: string;
  readonly listed: readonly Listed[];
}

/** The most objects of a section that an export puts into one file. */
export function mostInFile(section: string): number {
  return section === 'group_channels' ? channelsInFile : objectsInFile;
}

/** Divides group channels by custom_type, which usually stands for a team, and everything else by key. */
export function filesOf<Listed extends Pick<ListedObject, 'attributes'>>(
  section: string,
  all: readonly Listed[],
): File<Listed>[] {
  if (section !== 'group_channels') return partsOf(all, objectsInFile, section, `${section}/`);
  const byType = new Map<string, Listed[]>();
  for (const listed of all) {
    const type = typeName(textOf(listed.attributes, 'custom_type') ?? '');
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [listed]);
    else known.push(listed);
  }
  if (byType.size < 2 || byType.size > maxTypes) return partsOf(all, channelsInFile, section, `${section}/`);
  return [...byType]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([type, listed]) => partsOf(listed, channelsInFile, `${section}/${type}`, `${section}/${type}.`));
}

function partsOf<Listed>(all: readonly Listed[], size: number, whole: string, prefix: string): File<Listed>[] {
  if (all.length <= size) return [{ name: `${whole}.yaml`, listed: all }];
  const parts: File<Listed>[] = [];
  for (let start = 0; start < all.length; start += size) {
    const number = String(parts.length + 1).padStart(3, '0');
    parts.push({ name: `${prefix}${number}.yaml`, listed: all.slice(start, start + size) });
  }
  return parts;
}

/** The file name of a custom_type. Types with the same name share the file. */
function typeName(type: string): string {
  const name = type
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, 40)
    .replace(/^-|-$/gu, '');
  return name === '' ? 'untyped' : name;
}
