// chatform convert table --guess: writes the first mapping of tables, for a person to correct.
import { writeFile } from 'node:fs/promises';
import { asUnwritable, unwritable } from '../core/app/context/output-files.ts';
import { usage } from '../core/model/errors.ts';
import { errorCode } from '../lib/errors.ts';
import { openExportTrees } from './convert/export/parts.ts';
import { asRefusal } from './convert/export/refusals.ts';
import type { ExportSource } from './convert/export/source.ts';
import { findTables } from './convert/sources/table/guess/found-tables.ts';
import { guessedMapping } from './convert/sources/table/guess/guessed-mapping.ts';
import { compileMapping } from './convert/sources/table/mapping.ts';
import { tableSource } from './convert/sources/table/table.ts';

/** Paths are absolute. Returns the text, which is also written to the file. Refused (64) if the file exists. */
export async function guessMapping(exported: readonly string[], file: string | undefined): Promise<string> {
  const tables = { all: { files: '**/*' } };
  const position = () => ({ file: '', line: 1, column: 1 });
  const anything = compileMapping({ version: 1, name: 'guess', tables }, position, () => undefined);
  const text = await guessFrom(exported, tableSource(anything)).catch((error: unknown) => {
    throw asRefusal(error);
  });
  if (text === undefined)
    throw usage('No table was found.', 'A table is CSV, NDJSON, JSON or a dump. Name the files or their folder.');
  if (file !== undefined) await writeNew(file, text);
  return text;
}

async function guessFrom(exported: readonly string[], source: ExportSource): Promise<string | undefined> {
  const tree = await openExportTrees(exported, source);
  try {
    return guessedMapping(await findTables(tree));
  } finally {
    tree.close();
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST')
      throw usage(`${file} exists, and --guess replaces no mapping.`, 'Name another file with --mapping.');
    throw asUnwritable(unwritable(file, cause), file);
  }
}
