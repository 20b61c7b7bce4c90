// Counts how the history files of a conversion differ from the previous ones. All are sorted by time, so each is read once.

import { identitiesFrom } from '../../core/history/lines/history-file.ts';
import { identityOfLine, lineFrom, lineMark } from '../../core/history/lines/line.ts';
import { seenMark } from '../../core/history/lines/line-mark.ts';
import type { ChangedLines } from '../../core/model/conversion.ts';
import { channelOfHistoryFile } from '../../core/model/migration/history-names.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { StagedFiles } from '../../lib/staging/staged-files.ts';
import { historyFileLinesOf, type TimedLine } from '../convert/earlier-conversion.ts';
import { hasSameLines, timesOf } from '../convert/merge.ts';

/**
 * `pathOf` gives the place of a history file of before, and `lengths` the number of lines of new history files by channel_url. Call
 * it before the new files replace those of before.
 */
export function changedLines(
  files: StagedFiles,
  pathOf: (name: string) => string,
  lengths: ReadonlyMap<string, number>,
): ChangedLines {
  const counts: ChangedLines = { added: 0, changed: 0, data_alone: 0, missing: 0 };
  const [old, current] = [historyFilesAmong(Object.keys(files.before)), historyFilesAmong(files.names)];
  for (const url of new Set([...old.keys(), ...current.keys()])) {
    const [was, is] = [old.get(url), current.get(url)];
    if (was === undefined) {
      counts.added += lengths.get(url) ?? 0;
      continue;
    }
    if (is !== undefined && files.digestOf(is) === files.before[was]) continue;
    const now = is === undefined ? [] : historyFileLinesOf(files.pathOf(is));
    for (const [before, after] of timesOf(historyFileLinesOf(pathOf(was)), now))
      if (!hasSameLines(before, after)) compare(before.map(textOf), after.map(textOf), counts);
  }
  return counts;
}

/** By channel_url. */
function historyFilesAmong(names: Iterable<string>): ReadonlyMap<string, string> {
  const historyFiles = new Map<string, string>();
  for (const name of names) {
    const url = channelOfHistoryFile(name);
    if (url !== undefined) historyFiles.set(url, name);
  }
  return historyFiles;
}

/** Compares the lines of one time. Equal texts are the same line. The others pair by the fields that an edit keeps. */
function compare(before: readonly string[], after: readonly string[], counts: ChangedLines): void {
  const [gone, added] = subtracted(before, after);
  // Lines that pair with nothing need no fingerprints, which take parsing.
  if (gone.length === 0 || added.length === 0) {
    counts.missing += gone.length;
    counts.added += added.length;
    return;
  }
  const [otherGone, otherAdded] = subtracted(gone.map(seenPartOf), added.map(seenPartOf));
  const [missing, fresh] = subtracted(otherGone.map(identityIn), otherAdded.map(identityIn));
  counts.missing += missing.length;
  counts.changed += gone.length - missing.length;
  counts.data_alone += gone.length - otherGone.length;
  counts.added += fresh.length;
}

/** Each list without the values that pair with an equal one in the other list. */
function subtracted(
  left: readonly string[],
  right: readonly string[],
): readonly [readonly string[], readonly string[]] {
  const unmatched = [...right];
  const others = left.filter((value) => {
    const at = unmatched.indexOf(value);
    if (at !== -1) unmatched.splice(at, 1);
    return at === -1;
  });
  return [others, unmatched];
}

function textOf({ text }: TimedLine): string {
  return text;
}

/** The fingerprints of the fields that an edit keeps, and of what people see. */
function seenPartOf(text: string): string {
  const line = lineFrom(JSON.parse(text) as JsonObject);
  return identityOfLine(line) + seenMark(lineMark(line));
}

function identityIn(seenPart: string): string {
  return identitiesFrom(seenPart, 0, 1);
}
