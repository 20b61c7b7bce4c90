// Shows what a mapping makes of the first messages and of the rows that belong to them, by a conversion of only these rows into a temporary folder.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SampledRow } from '../core/model/conversion.ts';
import { readMapping } from './conversion/read-mapping.ts';
import { RowSample } from './conversion/row-sample.ts';
import { tableSource } from './convert/sources/table/table.ts';
import { type ConversionOptions, convertFrom, decisionsFile, type MakeSource, tableSourceName } from './convert.ts';

/**
 * The first messages and the rows that belong to them, with their results. Uses the decisions in the folder `out`, but does not write to it. Refused as
 * `convertExport`.
 */
export async function sampleTables(
  options: Omit<ConversionOptions, 'out' | 'source'> & { readonly mapping: string; readonly out?: string },
  count: number,
): Promise<readonly SampledRow[]> {
  const sample = new RowSample(count);
  const mapping = await readMapping(options.mapping);
  const make: MakeSource = (database) => sample.of(tableSource(mapping, sample.listener, database));
  const folder = await mkdtemp(join(tmpdir(), 'chatform-sample-'));
  try {
    const decided = join(options.out ?? folder, decisionsFile);
    await convertFrom(make, mapping, { ...options, source: tableSourceName, out: folder, sample: count }, decided);
    return await sample.rows(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
