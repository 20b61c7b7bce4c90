// Converts a part of an export into a folder of its own, to be taken over by the whole.
import { type Digests, NewFiles } from '../../lib/new-files.ts';
import type { Losses } from '../../model/conversion.ts';
import type { Counted } from '../ledger.ts';
import { Run, type RunInput } from '../run.ts';
import type { Batch, ExportPart } from '../sources/source.ts';

/** Can be sent from one thread to another. */
export interface ConvertedPart {
  /** Where its archives, its part of the ledger and its list of files lie: absolute. */
  readonly folder: string;
  readonly digests: Digests;
  /** By channel_url: how many lines its archive has. */
  readonly lines: ReadonlyMap<string, number>;
  readonly counted: Counted;
  readonly losses: Losses;
}

export async function convertPart(
  part: ExportPart,
  folder: string,
  input: Omit<RunInput, 'files'>,
  onProgress?: (bytes: number, items: number) => void,
): Promise<ConvertedPart> {
  const run = new Run({ ...input, files: new NewFiles(folder) });
  await takeAll(run, part.read(), onProgress);
  return { folder, ...run.endPart() };
}

/** Every item of some batches, in their order. */
export async function takeAll(
  run: Run,
  batches: AsyncIterable<Batch>,
  onProgress?: (bytes: number, items: number) => void,
): Promise<void> {
  for await (const { items, bytes } of batches) {
    let count = 0;
    for (const item of items) {
      run.take(item);
      count++;
    }
    onProgress?.(bytes, count);
  }
}
