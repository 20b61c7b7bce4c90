// Support: the registered sources with their samples. A source without a sample fails the tests of all sources, by its name.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sources } from '../../../../src/migration/convert/sources/index.ts';
import { tableSample } from '../sources/table/sample.ts';
import type { ExportSample, SourceSample } from './source-sample.ts';

async function sampleOf(source: string): Promise<SourceSample> {
  const path = `sources/${source}/sample.ts`;
  if (!existsSync(join(import.meta.dirname, '..', path)))
    throw new Error(
      `The source ${source} has no sample: write test/migration/convert/${path}, which exports a SourceSample.`,
    );
  const module = (await import(`../sources/${source}/sample.ts`)) as { readonly sample: SourceSample };
  return module.sample;
}

/** Every registered source. */
export const systems: readonly (SourceSample & { readonly source: string })[] = await Promise.all(
  sources.map(async ({ name: source }) => ({ source, ...(await sampleOf(source)) })),
);

/** Every source that a command can name. */
export const systemsAndTable: readonly (ExportSample & { readonly source: string })[] = [
  ...systems,
  { source: 'table', ...tableSample },
];
