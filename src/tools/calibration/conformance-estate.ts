// The scratch estate of a conformance run: manifests of each stage, in a folder of their own.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseLinks } from '../../core/app/context/own-file.ts';
import { type Address, addressOf } from '../../core/model/address.ts';
import { registry } from '../../core/resources/index.ts';
import { writeWhole } from '../../lib/durable-files.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import {
  channelsWithHistory,
  historyFileLines,
  historyFileOf,
  type StagedObject,
  stagedObjects,
} from './conformance-rows.ts';

export const manifestName = 'chat.yaml';

/** Fills in the names of the table. */
export class EstateNames {
  readonly space: string;
  readonly #firstMs: number;

  constructor(space: string, firstMs: number) {
    this.space = space;
    this.#firstMs = firstMs;
  }

  /** Open and group channels share the names of channels. */
  key({ section, name }: Pick<StagedObject, 'section' | 'name'>): string {
    return section === 'open_channels' ? `${this.space}-open-${name}` : `${this.space}-${name}`;
  }

  address(object: Pick<StagedObject, 'section' | 'name'>): Address {
    const kind = registry.find(({ section }) => section === object.section);
    return addressOf(kind?.name ?? '', this.key(object));
  }

  filled<Value extends JsonValue>(value: Value): Value {
    return JSON.parse(JSON.stringify(value).replaceAll('@', `${this.space}-`)) as Value;
  }

  /** A text of the platform with the names of the table. */
  tableNames(text: string): string {
    return text.replaceAll(`${this.space}-`, '@');
  }

  historyFile(section: string, name: string): string {
    const idOf = (id: JsonValue): string => `${section}-${name}-${this.filled(id)}`;
    return historyFileLines(name)
      .map(({ parent, ...line }) => ({
        ...this.filled(line),
        timestamp: Number(line.timestamp) + this.#firstMs,
        dedup_id: idOf(line.dedup_id ?? ''),
        ...(parent === undefined ? {} : { parent: idOf(parent) }),
      }))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  }
}

/** The block of an object after a stage. Undefined if it has none. */
function blockAt({ stages }: StagedObject, stage: number): JsonObject | undefined {
  const block = stages.slice(0, stage + 1).findLast((written) => written !== undefined);
  return block ?? undefined;
}

/** The effects of the table, all on scratch objects. */
const reviewedActions: Readonly<Record<string, readonly string[]>> = {
  user: ['deactivate', 'reactivate', 'delete'],
  bot: ['delete'],
  open_channel: ['freeze', 'unfreeze', 'delete'],
  group_channel: ['freeze', 'unfreeze', 'leave', 'delete'],
  custom_type: ['delete'],
};
const reviewed = Object.entries(reviewedActions).flatMap(([kind, actions]) =>
  actions.map((action) => `${kind}.${action}`),
);

/** Writes the manifests of a stage into the folder. */
export async function writeStage(folder: string, names: EstateNames, stage: number, application: JsonObject) {
  const sections: Record<string, Record<string, JsonObject>> = {};
  for (const object of stagedObjects) {
    const block = blockAt(object, stage);
    if (block === undefined) continue;
    const section = sections[object.section] ?? {};
    sections[object.section] = { ...section, [names.key(object)]: names.filled(block) };
  }
  const kinds = registry.filter(({ removals }) => removals.includes('delete')).map(({ name }) => [name, 'delete']);
  const policy = {
    on_remove: Object.fromEntries(kinds),
    // The messages are those of a scratch channel, which is deleted.
    history: { hidden: 'accept', expires: 'accept', unknown: 'accept' },
    removals: { max_share: 1, free_count: stagedObjects.length },
    acknowledge: reviewed.map((effect) => ({ effect, count: stagedObjects.length })),
  };
  const write = async (name: string, text: string): Promise<void> => {
    const file = join(folder, name);
    refuseLinks(folder, file, 'file');
    await writeWhole(file, text);
  };
  await mkdir(folder, { recursive: true });
  for (const { section, name } of channelsWithHistory)
    await write(historyFileOf(section, name), names.historyFile(section, name));
  const manifest = { version: 1, application, policy, ...sections };
  await write(manifestName, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Whether a read shows what is expected: every entry of a map, all items of a list in any order. */
export function isShown(expected: JsonValue, shown: JsonValue | undefined): boolean {
  if (expected === null) return shown === undefined || shown === null;
  if (Array.isArray(expected))
    return Array.isArray(shown) && JSON.stringify([...expected].sort()) === JSON.stringify([...shown].sort());
  if (!isObject(expected)) return expected === shown;
  const entries = Object.entries(expected);
  // A map without entries may be absent.
  if (!isObject(shown)) return entries.length > 0 && entries.every(([, value]) => value === null);
  return entries.every(([name, value]) => isShown(value, Object.hasOwn(shown, name) ? shown[name] : undefined));
}
