// Support: a Slack workspace that is exported at several dates, each export converted into the same folder and applied.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadManifests } from '../../../src/core/manifest/load.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { convertExport } from '../../../src/migration/convert.ts';
import { makeFolder, removeFolder, writeFiles } from '../../support/folders.ts';
import { Chance } from './chance.ts';
import { calm, type Scenario } from './scenario.ts';
import { isDone, World } from './world.ts';

const firstDay = Date.UTC(2024, 0, 1) / 1000;
const daySeconds = 86_400;
const people = ['U000001', 'U000002', 'U000003'] as const;
const rooms = ['C000001', 'C000002'] as const;

/** A message and the days on which it changes. */
interface Entry {
  readonly room: string;
  readonly day: number;
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  /** The first day on which exports contain it. */
  readonly shownFrom: number;
  readonly edits: readonly { readonly day: number; readonly text: string }[];
  readonly reactedFrom: number;
  readonly deletedFrom: number;
}

function workspace(chance: Chance, days: number): readonly Entry[] {
  return Array.from({ length: days * 8 }, (_none, number): Entry => {
    const day = chance.int(0, days);
    const later = (likely: number) => (chance.is(likely) ? chance.int(day, days + 1) : days + 1);
    // Several messages per second, some in the same millisecond.
    const ts = `${firstDay + day * daySeconds + chance.int(0, 20)}.${chance.one(['000', '001'])}${String(number).padStart(3, '0')}`;
    const edits = chance.is(0.3) ? [{ day: later(1), text: `edited ${number}` }] : [];
    const text = chance.is(0.05) ? `long words ${number} `.repeat(500) : `text ${number} of <@${chance.one(people)}>`;
    return {
      room: chance.one(rooms),
      day,
      ts,
      user: chance.one(people),
      text,
      shownFrom: chance.is(0.1) ? later(1) : day,
      edits,
      reactedFrom: later(0.2),
      deletedFrom: later(0.15),
    };
  });
}

/** The export of a day, by file name. Rooms and people are renamed on some day. */
function exportOf(entries: readonly Entry[], date: number): Readonly<Record<string, string>> {
  const nameOf = (id: string, place: number) => `${id.toLowerCase()}-${date > 2 * place + 1 ? 'renamed' : 'first'}`;
  const files: Record<string, JsonObject[]> = {};
  for (const entry of [...entries].sort((left, right) => (left.ts < right.ts ? -1 : 1))) {
    if (entry.day > date || entry.shownFrom > date || entry.deletedFrom <= date) continue;
    const edit = entry.edits.find(({ day }) => day <= date);
    const folder = nameOf(entry.room, rooms.indexOf(entry.room as 'C000001'));
    const day = new Date((firstDay + entry.day * daySeconds) * 1000).toISOString().slice(0, 10);
    const list = files[`${folder}/${day}.json`] ?? [];
    files[`${folder}/${day}.json`] = list;
    list.push({
      type: 'message',
      user: entry.user,
      ts: entry.ts,
      text: edit?.text ?? entry.text,
      ...(edit === undefined ? {} : { edited: { user: entry.user, ts: entry.ts } }),
      ...(entry.reactedFrom <= date ? { reactions: [{ name: '+1', users: [people[0]], count: 1 }] } : {}),
    });
  }
  const users = people.map((id, place) => ({
    id,
    name: nameOf(id, place),
    profile: { display_name: nameOf(id, place) },
  }));
  const channels = rooms.map((id, place) => ({ id, name: nameOf(id, place), members: [...people] }));
  return {
    'users.json': JSON.stringify(users),
    'channels.json': JSON.stringify(channels),
    ...Object.fromEntries(Object.entries(files).map(([name, list]) => [name, JSON.stringify(list)])),
  };
}

interface Declared {
  readonly resources: readonly Resource[];
  readonly historyFiles: ReadonlyMap<string, string>;
}

async function converted(folder: string, files: Readonly<Record<string, string>>): Promise<Declared> {
  await removeFolder(join(folder, 'export'));
  await writeFiles(join(folder, 'export'), files);
  // Every export is complete, so a missing message was deleted, even the first or the last one.
  await convertExport({ source: 'slack', exported: join(folder, 'export'), out: join(folder, 'out'), covers: 'all' });
  const loaded = await loadManifests(['.'], { kinds: registry, cwd: join(folder, 'out'), variables: () => undefined });
  if (loaded.diagnostics.length > 0) throw new Error(JSON.stringify(loaded.diagnostics[0]));
  const names = await readdir(join(folder, 'out/history')).catch(() => []);
  const historyFiles = new Map<string, string>();
  for (const name of names)
    historyFiles.set(`history/${name}`, await readFile(join(folder, 'out/history', name), 'utf8'));
  return { resources: [...loaded.resources], historyFiles };
}

/**
 * What people see: names, and messages in the order of time. The order of messages of one time is ignored, and so are the
 * names in mentions, which keep their first form.
 */
interface Shown {
  readonly people: readonly (string | undefined)[];
  readonly rooms: readonly (string | undefined)[];
  readonly messages: readonly (readonly string[])[];
}

const nameInMention = /(@u\d+)-(?:first|renamed)/gu;

function shownBy({ emulator }: World): Shown {
  const { state } = emulator;
  return {
    people: people.map((id) => state.users.get(id)?.nickname),
    rooms: rooms.map((id) => state.channel(`slack_${id}`)?.name),
    messages: rooms.map((id) =>
      [...state.messages(`slack_${id}`).from(0)]
        .filter(({ removed }) => !removed)
        .map(({ createdAt, type, userId, text, data, mentioned }) =>
          JSON.stringify([createdAt, type, userId, text?.replaceAll(nameInMention, '$1'), data, mentioned]),
        )
        .sort(),
    ),
  };
}

/** Without `isFinished` the export is abandoned after the kills. Returns false if it does not come to its end. */
async function applied(
  world: World,
  { resources, historyFiles }: Declared,
  kills: readonly number[],
  isFinished: boolean,
) {
  world.historyFiles = historyFiles;
  const work = async () => {
    for (const atMoment of kills) await world.runUntil(atMoment, resources);
    return !isFinished || isDone(await world.runUntilDone(8, resources));
  };
  return world.clock.run(work());
}

export interface Outcome {
  readonly isFinished: boolean;
  readonly faults: readonly string[];
  readonly story: readonly string[];
  /** After all exports, and after only the last one. */
  readonly shown: Shown;
  readonly shownByLast: Shown;
  /** The numbers of edited and of deleted messages. */
  readonly corrections: number;
}

/** Applies this many exports in turn, each under kills. Half of them are abandoned for the next one. */
export async function playExports(seed: number, dates: number): Promise<Outcome> {
  const chance = new Chance(seed);
  const scenario: Scenario = {
    ...calm,
    seed,
    // A platform that drops known messages would hide that messages are sent twice.
    behaviours: { dedup: chance.one(['ignore', 'skip']) },
    faults: chance.one([
      [],
      [{ fault: 'reset_after', probability: 0.05 }],
      [{ fault: 'error_500_after', probability: 0.05 }],
    ]),
    latencyMs: chance.one([
      [20, 20],
      [20, 3_000],
    ]),
  };
  const entries = workspace(chance, dates);
  const [folder, other] = [await makeFolder(), await makeFolder()];
  try {
    const world = new World(scenario);
    let isFinished = true;
    for (let date = 0; date < dates; date++) {
      const declared = await converted(folder, exportOf(entries, date));
      const kills = Array.from({ length: chance.int(0, 3) }, () => chance.int(3, 120));
      const isKept = date === dates - 1 || chance.is(0.5);
      isFinished = (await applied(world, declared, kills, isKept)) && isFinished;
    }
    const alone = new World({ ...scenario, faults: [] });
    const last = await converted(other, exportOf(entries, dates - 1));
    isFinished = (await applied(alone, last, [], true)) && isFinished;
    const faults = [...world.faultsFound, ...alone.faultsFound];
    const messages = rooms.flatMap((id) => [...world.emulator.state.messages(`slack_${id}`).from(0)]);
    const corrections = messages.filter(({ removed, updatedAt }) => removed || updatedAt > 0).length;
    return { isFinished, faults, story: world.story, shown: shownBy(world), shownByLast: shownBy(alone), corrections };
  } finally {
    await removeFolder(folder);
    await removeFolder(other);
  }
}
