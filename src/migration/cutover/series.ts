// The series of conversions into one folder. Each adds a line, from which the last window is estimated and certified, and
// writes a list of the digests of its export in the format of sha256sum.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ChangedLines, ConversionReport } from '../../core/model/conversion.ts';
import { demandFormat } from '../../core/model/documents.ts';
import type { FileDigest, SeriesRun } from '../../core/model/migration/cutover.ts';
import type { DatabaseRead } from '../../core/model/migration/read-tables.ts';
import type { Clock } from '../../core/model/ports.ts';
import { digestText } from '../../lib/digest.ts';
import { writeWhole } from '../../lib/durable-files.ts';
import { parsedObject } from '../../lib/json.ts';
import { demandInside } from '../../lib/own-files.ts';
import { digestOfFile } from '../../lib/staging/staged-files.ts';

/** Paths relative to the folder of the manifests. */
export const seriesFile = 'conversion/series.ndjson';
export const exportDigestsFile = 'conversion/export.sha256';
export const ledgerFile = 'conversion/ledger.ndjson';

interface SeriesLine {
  readonly source: string;
  readonly report: ConversionReport;
  readonly lines: ChangedLines;
  /** The digest of the new ledger. */
  readonly ledger: string;
  readonly database: DatabaseRead | undefined;
}

/** What a conversion reads. Paths are absolute. */
interface SeriesInputs {
  readonly exported: readonly string[];
  readonly mapping: string | undefined;
  readonly identities: string | undefined;
}

/**
 * Call this before the export is read, and the returned function when the
 * new files are in place. A process that is killed in between leaves no line. The ledger then does not match the series, and
 * the cutover asks for a conversion.
 */
export async function beginRun(
  { exported, mapping, identities }: SeriesInputs,
  out: string,
  clock: Clock,
): Promise<(ended: SeriesLine) => Promise<void>> {
  const [started, started_at] = [clock.now(), clock.date().toISOString()];
  const inputs = [...exported, ...(mapping === undefined ? [] : [mapping])];
  const digests = (await Promise.all(inputs.map((path) => digestsOf(path, out)))).flat();
  const list = digests.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
  return async ({ source, report, lines, ledger, database }) => {
    const { users, channels, messages, outcomes, undecided, covered } = report;
    const run: SeriesRun = {
      format_version: '1.0',
      source,
      started_at,
      duration_s: Math.round(clock.now() - started) / 1000,
      export: {
        paths: inputs.map((path) => pathIn(out, path)),
        files: digests.length,
        sha256: digestText(`${list}${database === undefined ? '' : JSON.stringify(database)}`),
      },
      users,
      channels,
      messages,
      lines,
      outcomes,
      undecided: undecided.reduce((sum, { count }) => sum + count, 0),
      ...(covered === undefined ? {} : { last: covered.last }),
      ledger,
      ...(mapping === undefined ? {} : { mapping: pathIn(out, mapping) }),
      ...(identities === undefined ? {} : { identities: pathIn(out, identities) }),
      ...(database === undefined ? {} : { database }),
    };
    const before = await readFile(join(out, seriesFile), 'utf8').catch(() => '');
    // Write the list first: a line without its list would be certified with the list of another export.
    for (const [name, text] of Object.entries({
      [exportDigestsFile]: list,
      [seriesFile]: `${before}${JSON.stringify(run)}\n`,
    })) {
      await demandInside(out, join(out, name));
      await writeWhole(join(out, name), text);
    }
  };
}

/** The digests of a file, or of all files of a folder. Links are left out, as in conversions. */
async function digestsOf(exported: string, root: string): Promise<FileDigest[]> {
  const isFolder = (await stat(exported)).isDirectory();
  const entries = isFolder ? await readdir(exported, { recursive: true, withFileTypes: true }) : [];
  const inside = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests: FileDigest[] = [];
  for (const file of isFolder ? inside.sort() : [exported])
    digests.push({ path: pathIn(root, file), sha256: (await fileDigest(file)) ?? '' });
  return digests;
}

/** Escapes line breaks as JSON does, because a line break in a file name would end the line of the list. */
function pathIn(root: string, file: string): string {
  return relative(root, file).split(sep).join('/').replaceAll('\n', '\\n');
}

export async function exportDigests(root: string): Promise<FileDigest[]> {
  const text = await readFile(join(root, exportDigestsFile), 'utf8').catch(() => '');
  return [...text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gmu)].map(([, sha256 = '', path = '']) => ({ path, sha256 }));
}

/** Names each file whose content has another digest. */
export async function changedAmong(root: string, files: readonly FileDigest[]): Promise<string[]> {
  const changes: string[] = [];
  for (const { path, sha256 } of files) {
    const now = await fileDigest(join(root, path));
    if (now !== sha256) changes.push(`${path} ${now === undefined ? 'is missing' : 'was changed'}`);
  }
  return changes;
}

/** Undefined if the path is not a regular file. A certificate may name a device, which never ends. */
export async function fileDigest(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  // Streams are slow for many small files.
  return found.size > 1 << 20 ? digestOfFile(file) : digestText(await readFile(file));
}

/** The conversions in order. Successive conversions of one export count as one. `broken` lines cannot be read. Refused as `demandFormat`. */
export async function readSeries(root: string): Promise<{ readonly runs: SeriesRun[]; readonly broken: number }> {
  const text = await readFile(join(root, seriesFile), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => parsedObject(line) ?? {});
  for (const { format_version } of entries) demandFormat(seriesFile, format_version);
  const read = entries.filter(isRun);
  const runs: SeriesRun[] = [];
  for (const run of read) {
    const before = runs.at(-1);
    if (before === undefined || before.export.sha256 !== run.export.sha256) runs.push(run);
    else {
      const sum = (name: keyof ChangedLines) => before.lines[name] + run.lines[name];
      const summed = {
        ...{ added: sum('added'), changed: sum('changed') },
        ...{ data_alone: sum('data_alone'), missing: sum('missing') },
      };
      runs.splice(-1, 1, { ...run, started_at: before.started_at, lines: summed });
    }
  }
  return { runs, broken: lines.length - read.length };
}

/** What the last conversion from that database read, and how many of its lines were left out without a decision. */
export async function lastDatabaseRead(
  root: string,
  name: string,
): Promise<{ readonly database: DatabaseRead; readonly undecided: number } | undefined> {
  const { runs } = await readSeries(root);
  const isOfDatabase = ({ database }: SeriesRun): boolean => database?.name === name && Array.isArray(database.tables);
  const { database, undecided = 0 } = runs.filter(isOfDatabase).at(-1) ?? {};
  return database === undefined ? undefined : { database, undecided };
}

function countsOf({ added, changed, data_alone, missing }: Partial<ChangedLines> = {}) {
  return [added, changed, data_alone, missing];
}

function isRun<T extends object>(value: T): value is T & SeriesRun {
  const { started_at, duration_s, messages, undecided, lines, export: exported, ledger } = value as Partial<SeriesRun>;
  const numbers = [duration_s, messages, undecided, ...countsOf(lines)];
  const paths = Array.isArray(exported?.paths) ? exported.paths : [undefined];
  const texts = [started_at, exported?.sha256, ledger, ...paths];
  return (
    numbers.every(Number.isFinite) &&
    texts.every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(started_at ?? ''))
  );
}
