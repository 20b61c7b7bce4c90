// Shows the first rows of each table and their results, from a conversion of only these rows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SampledRow } from '../../core/model/conversion.ts';
import type { JsonObject } from '../../lib/json.ts';
import { EarlierConversion } from '../convert/earlier-conversion.ts';
import type { SourceItem } from '../convert/export/items.ts';
import type { ExportSource, ItemBatch, OpenExport } from '../convert/export/source.ts';
import type { LedgerLine } from '../convert/ledger.ts';
import type { TableRow } from '../convert/sources/table/reading.ts';
import type { RowListener } from '../convert/sources/table/table.ts';

/** What the rows of other tables have to belong to, by ids of the source. */
interface Connected {
  readonly users: Set<string>;
  readonly channels: Set<string>;
  /** `CHANNEL:USER`. */
  readonly memberships: Set<string>;
  /** The keys by which rows of reactions and files name their messages. */
  readonly messages: Set<string>;
  /** Places of the items of rows of reactions and files. */
  readonly parts: Set<string>;
}

/** The row whose items follow. `number` numbers the rows of its table from 0. */
interface CurrentRow {
  readonly at: string;
  readonly table: TableRow['table'];
  readonly row: JsonObject | undefined;
  readonly number: number;
}

/**
 * The first rows of tables with messages, and of other tables the rows that belong to these messages: their users, channels, members,
 * reactions and files. Without messages, the first rows of each table.
 */
export class RowSample {
  readonly #count: number;
  /** The rows so far, by table. Those of a pass. */
  #counts = new Map<string, number>();
  #current: CurrentRow | undefined;
  /** Undefined until the messages are known, and without messages. */
  #connected: Connected | undefined;
  /** Whether it is known what the rows have to belong to. */
  #isPlanned = false;
  /** The rows by place, in the order of the data. */
  readonly #rows = new Map<string, { readonly table: string; readonly row: JsonObject | undefined }>();

  /** `count` is the number of rows of each table. */
  constructor(count: number) {
    this.#count = count;
  }

  readonly listener: RowListener = ({ table, at, row }) => {
    const number = this.#counts.get(table.name) ?? 0;
    this.#counts.set(table.name, number + 1);
    this.#current = { at, table, row, number };
    if (this.#isPlanned && this.#takes(this.#current)) this.#rows.set(at, { table: table.name, row });
  };

  /** Whether a row is sampled whatever its items are. Items of reactions and files follow all rows. */
  #takes({ at, table: { entries }, number }: CurrentRow): boolean {
    const isFirst = number < this.#count && entries.length > 0;
    if (this.#connected === undefined) return isFirst;
    const { parts } = this.#connected;
    const hasMessages = entries.some(({ section }) => section === 'messages');
    return (isFirst && hasMessages) || parts.has(at) || entries.some(({ label }) => parts.has(`${at}/${label}`));
  }

  /** The source, limited to the sampled rows. */
  of(source: ExportSource): ExportSource {
    return {
      ...source,
      open: async (tree, options) => {
        this.#connected = await this.#connectedIn(await source.open(tree, options));
        this.#counts = new Map();
        this.#isPlanned = true;
        const opened = await source.open(tree, options);
        return { ...opened, read: () => this.#sampledItems(opened) };
      },
    };
  }

  async #connectedIn({ roster, read }: OpenExport): Promise<Connected | undefined> {
    const connected: Connected = {
      users: new Set(),
      channels: new Set(),
      memberships: new Set(),
      messages: new Set(),
      parts: new Set(),
    };
    for await (const { items } of read()) for (const item of items) this.#connect(item, connected);
    if (connected.channels.size === 0) return undefined;
    for (const { id, members = [] } of roster.channels) {
      if (!connected.channels.has(id)) continue;
      const room = Math.max(0, this.#count - connected.memberships.size);
      const senders = members.filter((member) => connected.users.has(member));
      for (const member of new Set([...senders, ...members.slice(0, room)])) {
        connected.memberships.add(`${id}:${member}`);
        connected.users.add(member);
      }
    }
    return connected;
  }

  /** Rows of reactions and files follow all messages. */
  #connect(item: SourceItem, { users, channels, messages, parts }: Connected): void {
    if (item.type === 'message') {
      if ((this.#current?.number ?? 0) >= this.#count) return;
      const { channel, facts, mentions, rowId } = item.message;
      channels.add(channel);
      for (const user of [...(facts.sender === undefined ? [] : [facts.sender]), ...mentions]) users.add(user);
      if (rowId !== undefined) messages.add(rowId);
    } else if (item.type === 'part' && item.of.type === 'message') {
      if (messages.has(item.of.id)) parts.add(item.at);
    }
  }

  async *#sampledItems(opened: OpenExport): AsyncGenerator<ItemBatch> {
    for await (const batch of opened.read()) yield { ...batch, items: this.#itemsOf(batch) };
  }

  *#itemsOf({ items }: ItemBatch): Generator<SourceItem> {
    for (const item of items) {
      this.#take(item);
      if (this.#placeOf(item.at) !== undefined) yield item;
    }
  }

  /** Samples the row of an item if it belongs to the sampled messages, or if it is one of the first and nothing became of it. */
  #take(item: SourceItem): void {
    if (this.#current === undefined) return;
    const { at, table, row, number } = this.#current;
    const isOwn = item.at === at || item.at.startsWith(`${at}/`);
    const isTold = item.type === 'left_out' && number < this.#count && table.entries.length > 0;
    if (isOwn && !this.#rows.has(at) && (isTold || this.#isConnected(item)))
      this.#rows.set(at, { table: table.name, row });
  }

  #isConnected(item: SourceItem): boolean {
    if (this.#connected === undefined) return false;
    const { users, channels, memberships, parts } = this.#connected;
    if (item.type === 'user') return users.has(item.id);
    if (item.type === 'channel') return channels.has(item.id);
    if (item.type !== 'part') return false;
    return item.of.type === 'message' ? parts.has(item.at) : memberships.has(item.id);
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
    const sampledConversion = new EarlierConversion(folder, files);
    const becomesByRow = new Map<string, SampledRow['becomes'][number][]>();
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
        made: madeOf(sampledConversion, to, line, lines),
      };
      becomesByRow.set(place, [...(becomesByRow.get(place) ?? []), entry]);
    }
    return [...this.#rows].map(([at, { table, row }]) => ({ at, table, row, becomes: becomesByRow.get(at) ?? [] }));
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
