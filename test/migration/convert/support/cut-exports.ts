// Support: cuts a generated export into several files or exports, as systems do with large histories.
import { isList, type JsonObject } from '../../../../src/lib/json.ts';
import { times } from './drafts.ts';
import type { Files } from './small-exports.ts';
import type { SourceSample } from './source-sample.ts';
import { zipOf } from './zip.ts';

/** Returns the part of a message or line: a number below the count of parts. */
export type PartOf = (number: number) => number;

/** Lines that are cut into a file for each part. */
export function linesCut<T>(
  lines: readonly T[],
  parts: number,
  partOf: PartOf,
  fileOf: (lines: readonly T[], part: number) => readonly [string, string],
): readonly Files[] {
  return times(parts, (part) => part).flatMap((part) => {
    const own = lines.filter((_line, number) => partOf(number) === part);
    return own.length === 0 ? [] : [Object.fromEntries([fileOf(own, part)])];
  });
}

/** Files with a channel beside its messages: every part has the channel. */
export function messagesCut(files: Files, parts: number, partOf: PartOf): readonly Files[] {
  return times(parts, (part) => part).map((part) =>
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

/** The window of files with a channel beside its messages. */
export function messagesWindow(timeOf: (message: JsonObject) => number): NonNullable<SourceSample['window']> {
  return (files, isInside) =>
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => {
        const { messages, ...rest } = JSON.parse(text) as JsonObject & { readonly messages: readonly JsonObject[] };
        return [name, JSON.stringify({ ...rest, messages: messages.filter((message) => isInside(timeOf(message))) })];
      }),
    );
}
