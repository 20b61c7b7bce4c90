// A file of identities: which user_id people of the source have, by their id, e-mail address or handle there.
import { CsvError, parse } from 'csv-parse/sync';
import { isUserId } from './decision-checks.ts';
import type { SourceUser } from './export/items.ts';
import { wrongIdentities } from './export/refusals.ts';

/** By which of them a row names somebody; the first that is filled in counts. */
const keys = ['id', 'email', 'handle'] as const;
type Key = (typeof keys)[number];

interface Row {
  readonly line: number;
  readonly userId: string;
  /** The source id of the user whom it matched. */
  owner: string | undefined;
}

export class Identities {
  readonly #rows: Readonly<Record<Key, ReadonlyMap<string, Row>>>;
  readonly #all: readonly Row[];
  readonly #missing: { readonly id: string; readonly userId: string }[] = [];

  /** Throws a refusal with the lines that cannot be used. `name`: of the file, for messages. */
  constructor(text: string, name: string) {
    const rows = { id: new Map<string, Row>(), email: new Map<string, Row>(), handle: new Map<string, Row>() };
    const problems: { readonly line: number; readonly detail: string }[] = [];
    const all = new Map<string, Row>();
    for (const { record, info } of recordsIn(text, name)) {
      const line = info.lines;
      const report = (detail: string): void => void problems.push({ line, detail });
      const userId = record.user_id ?? '';
      const key = keys.find((one) => (record[one] ?? '') !== '');
      if (key === undefined) report(`none of ${keys.join(', ')} is filled in`);
      else if (!isUserId(userId)) report(`"${userId}" cannot be a user_id`);
      else if (all.has(userId)) report(`${userId} is in line ${all.get(userId)?.line} already`);
      else {
        const value = normal(key, record[key] ?? '');
        const row: Row = { line, userId, owner: undefined };
        if (rows[key].has(value)) report(`${value} is in line ${rows[key].get(value)?.line} already`);
        else rows[key].set(value, row);
        all.set(userId, row);
      }
    }
    if (problems.length > 0) throw wrongIdentities(name, problems);
    this.#rows = rows;
    this.#all = [...all.values()];
  }

  /** Undefined when no row names the user. Throws a refusal when a row names two. */
  userIdOf({ id, email, handle }: SourceUser): string | undefined {
    const row =
      this.#rows.id.get(id) ??
      (email === undefined ? undefined : this.#rows.email.get(normal('email', email))) ??
      (handle === undefined ? undefined : this.#rows.handle.get(normal('handle', handle)));
    if (row === undefined) return undefined;
    if (row.owner !== undefined && row.owner !== id) {
      const detail = `${row.userId} is for ${row.owner} and for ${id}`;
      throw wrongIdentities('The file of identities', [{ line: row.line, detail }]);
    }
    row.owner = id;
    return row.userId;
  }

  /** Notes somebody without a row, who got another id. */
  miss(id: string, userId: string): void {
    this.#missing.push({ id, userId });
  }

  /** `unused`: rows that name nobody of the export. */
  get figures() {
    const matched = this.#all.filter(({ owner }) => owner !== undefined).length;
    return { matched, unused: this.#all.length - matched, missing: this.#missing };
  }
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

function recordsIn(text: string, name: string): readonly CsvRecord[] {
  try {
    const options = { bom: true, columns: true, info: true, trim: true, skip_empty_lines: true } as const;
    const records = parse(text, options) as unknown as readonly CsvRecord[];
    const [first] = records;
    const names = Object.keys(first?.record ?? {});
    if (first !== undefined && (!names.includes('user_id') || !keys.some((key) => names.includes(key)))) {
      throw wrongIdentities(name, [{ line: 1, detail: `the columns are user_id and one of ${keys.join(', ')}` }]);
    }
    return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw wrongIdentities(name, [{ line: typeof error.lines === 'number' ? error.lines : 1, detail: error.message }]);
  }
}

function normal(key: Key, value: string): string {
  return key === 'id' ? value : value.toLowerCase().replace(/^@/u, '');
}
