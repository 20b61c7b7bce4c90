// The file of identities, which maps people of the source (by id, e-mail address or handle) to user_ids.
import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { isUserId } from './decision-checks.ts';
import type { SourceUser } from './export/items.ts';
import { wrongIdentities } from './export/refusals.ts';

/** The columns that identify a person. The first one that is filled in is used. */
const keys = ['id', 'email', 'handle'] as const;
type Key = (typeof keys)[number];

interface IdentityRow {
  readonly line: number;
  readonly userId: string;
  /** The source id of the matching user. */
  owner: string | undefined;
}

export class Identities {
  readonly #rows: Readonly<Record<Key, ReadonlyMap<string, IdentityRow>>>;
  readonly #all: readonly IdentityRow[];
  readonly #name: string;
  readonly #missing: { readonly id: string; readonly userId: string }[] = [];

  /** Throws a refusal that lists unusable lines. `name`: the file name for messages. */
  constructor(bytes: Buffer, name: string) {
    const rows = {
      id: new Map<string, IdentityRow>(),
      email: new Map<string, IdentityRow>(),
      handle: new Map<string, IdentityRow>(),
    };
    const problems: { readonly line: number; readonly detail: string }[] = [];
    const all = new Map<string, IdentityRow>();
    for (const { record, info } of recordsIn(bytes, name)) {
      const line = info.lines;
      const report = (detail: string): void => void problems.push({ line, detail });
      const userId = record.user_id ?? '';
      const key = keys.find((name) => (record[name] ?? '') !== '');
      if (key === undefined) report(`none of ${keys.join(', ')} is filled in`);
      else if (!isUserId(userId)) report(`"${userId}" cannot be a user_id`);
      else if (all.has(userId)) report(`${userId} is already in line ${all.get(userId)?.line}`);
      else {
        const value = normal(key, record[key] ?? '');
        const row: IdentityRow = { line, userId, owner: undefined };
        if (rows[key].has(value)) report(`${value} is already in line ${rows[key].get(value)?.line}`);
        else rows[key].set(value, row);
        all.set(userId, row);
      }
    }
    if (problems.length > 0) throw wrongIdentities(name, problems);
    this.#rows = rows;
    this.#all = [...all.values()];
    this.#name = name;
  }

  /** Undefined if no row matches the user. Throws a refusal if a row matches two users, or two rows match one. */
  userIdOf({ id, email, handle }: SourceUser): string | undefined {
    const names: Readonly<Record<Key, string | undefined>> = { id, email, handle };
    const found = keys.flatMap((key) => {
      const name = names[key];
      return (name === undefined ? undefined : this.#rows[key].get(normal(key, name))) ?? [];
    });
    const [row, other] = found;
    if (row === undefined) return undefined;
    if (other !== undefined) {
      const detail = `${id} has ${row.userId} here and ${other.userId} in line ${other.line}`;
      throw wrongIdentities(this.#name, [{ line: row.line, detail }]);
    }
    if (row.owner !== undefined && row.owner !== id) {
      const detail = `${row.userId} is for ${row.owner} and for ${id}`;
      throw wrongIdentities(this.#name, [{ line: row.line, detail }]);
    }
    row.owner = id;
    return row.userId;
  }

  /** Records a person without a row who got another id. */
  miss(id: string, userId: string): void {
    this.#missing.push({ id, userId });
  }

  /** `unused` are rows that match nobody in the export. */
  get figures() {
    const matched = this.#all.filter(({ owner }) => owner !== undefined).length;
    return { matched, unused: this.#all.length - matched, missing: this.#missing };
  }
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

function recordsIn(bytes: Buffer, name: string): readonly CsvRecord[] {
  const refuse = (line: number, detail: string) => wrongIdentities(name, [{ line, detail }]);
  if (!isUtf8(bytes)) throw refuse(1, 'its text is not in UTF-8');
  let header: readonly string[] = [];
  const columns = (names: readonly string[]): string[] => {
    header = names;
    return [...names];
  };
  try {
    const options = { bom: true, columns, info: true, trim: true, skip_empty_lines: true } as const;
    const records = parse(bytes, options) as unknown as readonly CsvRecord[];
    if (!header.includes('user_id') || !keys.some((key) => header.includes(key))) {
      throw refuse(1, `the columns are user_id and one of ${keys.join(', ')}`);
    }
    const double = header.find((column, place) => header.indexOf(column) !== place);
    if (double !== undefined) throw refuse(1, `two columns are named ${double}`);
    return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuse(typeof error.lines === 'number' ? error.lines : 1, error.message);
  }
}

function normal(key: Key, value: string): string {
  return key === 'id' ? value : value.toLowerCase().replace(/^@/u, '');
}
