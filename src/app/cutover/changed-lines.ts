// Counts how the archives of a conversion differ from the previous ones. All are sorted by time, so each is read once.
import { type ArchiveLine, archiveLinesOf } from '../../convert/earlier-conversion.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { StagedFiles } from '../../lib/staged-files.ts';
import type { ChangedLines } from '../../model/migration/cutover.ts';
import { identityOfLine, lineFrom } from '../../resources/messages/line.ts';

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
  for (const name of new Set([...Object.keys(files.before), ...files.names])) {
    const url = /^history\/(.+)\.ndjson$/u.exec(name)?.[1];
    if (url === undefined || files.digestOf(name) === files.before[name]) continue;
    if (Object.hasOwn(files.before, name))
      addChanges(archiveLinesOf(pathOf(name)), archiveLinesOf(files.pathOf(name)), counts);
    else counts.added += lengths.get(url) ?? 0;
  }
  return counts;
}

function addChanges(before: Iterable<ArchiveLine>, after: Iterable<ArchiveLine>, counts: ChangedLines): void {
  const [old, now] = [new Reading(before), new Reading(after)];
  while (old.time < Number.POSITIVE_INFINITY || now.time < Number.POSITIVE_INFINITY) {
    if (old.text === now.text) {
      old.next();
      now.next();
    } else if (old.time === now.time) compare(old.ofTime(), now.ofTime(), counts);
    else {
      counts[old.time < now.time ? 'missing' : 'added']++;
      (old.time < now.time ? old : now).next();
    }
  }
}

/** Compares the lines of one time. Equal texts are the same line. The others pair by the fields that an edit keeps. */
function compare(before: readonly string[], after: readonly string[], counts: ChangedLines): void {
  const gone = subtracted(before, after).map(identityOf);
  const added = subtracted(after, before).map(identityOf);
  const missing = subtracted(gone, added).length;
  counts.missing += missing;
  counts.changed += gone.length - missing;
  counts.added += added.length - (gone.length - missing);
}

/** The values, minus one for each equal value in `others`. */
function subtracted(values: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function identityOf(text: string): string {
  return identityOfLine(lineFrom(JSON.parse(text) as JsonObject));
}

class Reading {
  /** The text and the time of the next line. At the end, undefined and infinite. */
  text: string | undefined;
  time = Number.POSITIVE_INFINITY;
  readonly #lines: Iterator<ArchiveLine>;

  constructor(lines: Iterable<ArchiveLine>) {
    this.#lines = lines[Symbol.iterator]();
    this.next();
  }

  next(): void {
    const { value, done } = this.#lines.next();
    [this.text, this.time] = done === true ? [undefined, Number.POSITIVE_INFINITY] : [value.text, value.time];
  }

  ofTime(): string[] {
    const texts: string[] = [];
    for (const { time } = this; this.time === time; this.next()) texts.push(this.text ?? '');
    return texts;
  }
}
