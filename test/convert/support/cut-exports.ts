// Support: cuts a generated export into several files or exports, as systems do with large histories.
import { isList, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import type { Files } from './small-exports.ts';
import { zipOf } from './zip.ts';

/** Returns the part of a message or line: a number below the count of parts. */
export type PartOf = (number: number) => number;

/** Each part is an export on its own, except parts of JSONL files. */
const cuts: Readonly<Record<string, (files: Files, parts: number, partOf: PartOf) => readonly Files[]>> = {
  slack: (files, parts, partOf) => {
    const isDay = (name: string): boolean => name.includes('/');
    const lists = Object.entries(files).filter(([name]) => !isDay(name));
    const days = Object.entries(files).filter(([name]) => isDay(name));
    return numbers(parts).map((part) =>
      Object.fromEntries([...lists, ...days.filter((_day, number) => partOf(number) === part)]),
    );
  },
  mattermost: (files, parts, partOf) =>
    linesCut(Object.values(files).join('').trimEnd().split('\n'), parts, partOf, (lines, part) => [
      `part-${part}.jsonl`,
      lines.map((line) => `${line}\n`).join(''),
    ]),
  // In their order, which is that of the reactions to a message.
  stream: (files, parts) => {
    const rows = JSON.parse(Object.values(files)[0] ?? '[]') as JsonValue[];
    const inOrder: PartOf = (number) => Math.floor((number * parts) / rows.length);
    return linesCut(rows, parts, inOrder, (own, part) =>
      part % 2 === 0
        ? [`part-${part}.json`, JSON.stringify(own)]
        : [`part-${part}.jsonl`, own.map((row) => `${JSON.stringify(row)}\n`).join('')],
    );
  },
  discord: messagesCut,
  sendbird: messagesCut,
};

export function cutExport(source: string, files: Files, parts: number, partOf: PartOf): readonly Files[] {
  return cuts[source]?.(files, parts, partOf) ?? [];
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_none, number) => number);
}

function linesCut<T>(
  lines: readonly T[],
  parts: number,
  partOf: PartOf,
  fileOf: (lines: readonly T[], part: number) => readonly [string, string],
): readonly Files[] {
  return numbers(parts).flatMap((part) => {
    const own = lines.filter((_line, number) => partOf(number) === part);
    return own.length === 0 ? [] : [Object.fromEntries([fileOf(own, part)])];
  });
}

/** Files with a channel beside its messages: every part has the channel. */
function messagesCut(files: Files, parts: number, partOf: PartOf): readonly Files[] {
  return numbers(parts).map((part) =>
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => {
        const value = JSON.parse(text) as JsonObject;
        const all = isList(value.messages) ? value.messages : [];
        const messages = all.filter((_message, number) => partOf(number) === part);
        return [name.replace('.json', ` [part ${part + 1}].json`), JSON.stringify({ ...value, messages })];
      }),
    ),
  );
}

/** Files that are not part of any export: each has one line in the ledger. */
export const strangers: Files = {
  'a-log.jsonl': '{"level":"info"}\n',
  'a.json': '{"hello":1}',
  'data/2024/error.jsonl': '{"type":"x","y":1}\n{"level":"warn"}\n',
  'notes.txt': 'to do',
  'photos/party.zip': 'not an archive',
  'zz/.DS_Store': 'x',
};

/** The files of a folder with the parts. `as` puts them in one folder, in a folder each, or in an archive each. */
export function packed(
  parts: readonly Files[],
  as: 'files' | 'folders' | 'archives',
): Readonly<Record<string, string | Buffer>> {
  const named = parts.map((files, part): readonly (readonly [string, string | Buffer])[] => {
    if (as === 'archives') return [[`part ${part}.zip`, zipOf(files)]];
    return Object.entries(files).map(([name, text]) => [as === 'files' ? name : `part ${part}/${name}`, text]);
  });
  return Object.fromEntries(named.flat());
}

const timesOf: Readonly<Record<string, (value: JsonObject) => number>> = {
  slack: ({ ts }) => Math.floor(Number(ts) * 1000 + 0.000_1),
  stream: ({ created_at }) => Date.parse(String(created_at)),
  discord: ({ timestamp }) => Date.parse(String(timestamp)),
  sendbird: ({ created_at }) => Number(created_at),
};

/** The export that the source would make of the given times only. */
export function windowOf(source: string, files: Files, isInside: (time: number) => boolean): Files {
  const timeOf = timesOf[source] ?? (() => Number.NaN);
  const inside = (list: JsonValue | undefined) =>
    (isList(list) ? list : []).filter((value) => isInside(timeOf(value as JsonObject)));
  const entries = Object.entries(files).flatMap(([name, text]): (readonly [string, string])[] => {
    const value = JSON.parse(text) as JsonValue;
    if (source === 'slack') {
      if (!name.includes('/')) return [[name, text]];
      const left = inside(value);
      return left.length === 0 ? [] : [[name, JSON.stringify(left)]];
    }
    if (source === 'stream') return [[name, JSON.stringify(rowsInside(value as readonly JsonObject[], inside))]];
    const { messages, ...rest } = value as JsonObject;
    return [[name, JSON.stringify({ ...rest, messages: inside(messages) })]];
  });
  return Object.fromEntries(entries);
}

/** Reactions are exported with their messages. */
function rowsInside(rows: readonly JsonObject[], inside: (list: readonly JsonValue[]) => readonly JsonValue[]) {
  const isMessage = ({ type }: JsonObject): boolean => type === 'message';
  const left = new Set(inside(rows.filter(isMessage).map(({ item }) => item ?? null)));
  const ids = new Set([...left].map((item) => (item as JsonObject).id));
  return rows.filter((row) => {
    if (isMessage(row)) return left.has(row.item ?? null);
    return row.type !== 'reaction' || ids.has((row.item as JsonObject).message_id);
  });
}
