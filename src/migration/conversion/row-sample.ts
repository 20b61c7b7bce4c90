// Shows the first rows of each table and their results, from a conversion of only these rows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SampledRow } from '../../core/model/conversion.ts';
import type { JsonObject } from '../../lib/json.ts';
import { EarlierConversion } from '../convert/earlier-conversion.ts';
import type { ExportSource, ItemBatch, OpenExport } from '../convert/export/source.ts';
import type { LedgerLine } from '../convert/ledger.ts';
import type { RowListener } from '../convert/sources/table/table.ts';

export class RowSample {
  readonly #count: number;
  readonly #counts = new Map<string, number>();
  /** The rows by place, in the order of the data. */
  readonly #rows = new Map<string, { readonly table: string; readonly row: JsonObject | undefined }>();

  /** `count` is the number of rows of each table. */
  constructor(count: number) {
    this.#count = count;
  }

  readonly listener: RowListener = ({ table: { name, entries }, at, row }) => {
    const known = this.#counts.get(name) ?? 0;
    if (known >= this.#count || entries.length === 0) return;
    this.#counts.set(name, known + 1);
    this.#rows.set(at, { table: name, row });
  };

  /** The source, limited to the sampled rows. */
  of(source: ExportSource): ExportSource {
    return {
      ...source,
      open: async (tree, options) => {
        const opened = await source.open(tree, options);
        return { ...opened, read: () => this.#sampled(opened) };
      },
    };
  }

  async *#sampled(opened: OpenExport): AsyncGenerator<ItemBatch> {
    for await (const batch of opened.read()) yield { ...batch, items: this.#itemsOf(batch) };
  }

  *#itemsOf({ items }: ItemBatch): Generator<ItemBatch['items'] extends Iterable<infer Item> ? Item : never> {
    for (const item of items) if (this.#placeOf(item.at) !== undefined) yield item;
  }

  /** The place of the row of an item. The place of an item may continue after that of its row. */
  #placeOf(at: string): string | undefined {
    for (let end = at.length; end > 0; end = at.lastIndexOf('/', end - 1))
      if (this.#rows.has(at.slice(0, end))) return at.slice(0, end);
    return undefined;
  }

  /** `folder` is the folder of the conversion. */
  async rows(folder: string): Promise<readonly SampledRow[]> {
    const { files } = JSON.parse(await readFile(join(folder, 'conversion/generated.json'), 'utf8'));
    const made = new EarlierConversion(folder, files);
    const found = new Map<string, SampledRow['becomes'][number][]>();
    const ledger = await readFile(join(folder, 'conversion/ledger.ndjson'), 'utf8');
    for (const text of ledger.split('\n').filter((line) => line !== '')) {
      const { at, outcome, reason, also = [], to, line = 0, lines = 1 } = JSON.parse(text) as LedgerLine;
      const place = this.#placeOf(at);
      if (place === undefined) continue;
      const reasons = reason === undefined ? [] : [reason, ...also];
      const entry = {
        outcome,
        reasons,
        ...(to === undefined ? {} : { to }),
        made: madeOf(made, to, line, lines),
      };
      found.set(place, [...(found.get(place) ?? []), entry]);
    }
    return [...this.#rows].map(([at, { table, row }]) => ({ at, table, row, becomes: found.get(at) ?? [] }));
  }
}

function madeOf(made: EarlierConversion, to: string | undefined, line: number, lines: number): readonly JsonObject[] {
  const [kind = '', ...rest] = (to ?? '').split('.');
  const key = rest.join('.');
  if (kind === 'messages') {
    const all = [...made.lines(key)];
    return all.slice(line - 1, line - 1 + lines).map(({ text }) => JSON.parse(text) as JsonObject);
  }
  if (kind !== 'user' && kind !== 'group_channel' && kind !== 'open_channel') return [];
  const object = made.objects(kind).get(key);
  return object === undefined ? [] : [object];
}
