// Counts how the archives of a conversion differ from the previous ones. All are sorted by time, so each is read once.

import { identityOfLine, lineFrom } from '../../core/history/lines/line.ts';
import { channelOfArchive } from '../../core/model/migration/archive-names.ts';
import type { ChangedLines } from '../../core/model/migration/cutover.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { StagedFiles } from '../../lib/staging/staged-files.ts';
import { archiveLinesOf, type TimedLine } from '../convert/earlier-conversion.ts';
import { hasSameLines, timesOf } from '../convert/merge.ts';

/**
 * `pathOf` gives the place of an archive of before, and `lengths` the number of lines of new archives by channel_url. Call
 * it before the new files replace those of before.
 */
export function changedLines(
  files: StagedFiles,
  pathOf: (name: string) => string,
  lengths: ReadonlyMap<string, number>,
): ChangedLines {
  const counts: ChangedLines = { added: 0, changed: 0, missing: 0 };
  const [old, current] = [archivesAmong(Object.keys(files.before)), archivesAmong(files.names)];
  for (const url of new Set([...old.keys(), ...current.keys()])) {
    const [was, is] = [old.get(url), current.get(url)];
    if (was === undefined) {
      counts.added += lengths.get(url) ?? 0;
      continue;
    }
    if (is !== undefined && files.digestOf(is) === files.before[was]) continue;
    const now = is === undefined ? [] : archiveLinesOf(files.pathOf(is));
    for (const [before, after] of timesOf(archiveLinesOf(pathOf(was)), now))
      if (!hasSameLines(before, after)) compare(before.map(textOf), after.map(textOf), counts);
  }
  return counts;
}

/** By channel_url. */
function archivesAmong(names: Iterable<string>): ReadonlyMap<string, string> {
  const archives = new Map<string, string>();
  for (const name of names) {
    const url = channelOfArchive(name);
    if (url !== undefined) archives.set(url, name);
  }
  return archives;
}

/** Compares the lines of one time. Equal texts are the same line. The others pair by the fields that an edit keeps. */
function compare(before: readonly string[], after: readonly string[], counts: ChangedLines): void {
  // Lines that pair with nothing need no identity, which takes parsing.
  const of = before.length === 0 || after.length === 0 ? (text: string) => text : identityOf;
  const gone = subtracted(before, after).map(of);
  const added = subtracted(after, before).map(of);
  const missing = subtracted(gone, added).length;
  counts.missing += missing;
  counts.changed += gone.length - missing;
  counts.added += added.length - (gone.length - missing);
}

/** The values, minus one for each equal value in `others`. */
function subtracted(values: readonly string[], others: readonly string[]): string[] {
  const unmatched = [...others];
  return values.filter((value) => {
    const at = unmatched.indexOf(value);
    if (at !== -1) unmatched.splice(at, 1);
    return at === -1;
  });
}

function textOf({ text }: TimedLine): string {
  return text;
}

function identityOf(text: string): string {
  return identityOfLine(lineFrom(JSON.parse(text) as JsonObject));
}
