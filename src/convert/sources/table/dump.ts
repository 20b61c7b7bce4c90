// Reads the rows of tables from the COPY … FROM stdin blocks of a pg_dump text.
import { countedLines } from '../../export/lines.ts';
import { brokenFile, cutDump } from '../../export/refusals.ts';
import type { Table } from './mapping.ts';
import { demandColumns } from './problems.ts';
import { type RowBatch, rowOf, type TableFile, type TablePass, type TableRow } from './reading.ts';

const copy = /^COPY (?<table>.+?) \((?<columns>.*)\) FROM stdin;\s*$/iu;
const insert = /^INSERT INTO (?<table>(?:"(?:[^"]|"")+"|[\w$.])+) /iu;
const otherDump = /^(?:-- (?:MySQL|MariaDB|phpMyAdmin)\b|INSERT INTO `|CREATE TABLE `)/iu;

/** A block of COPY. `table` is undefined when no table of the mapping needs it. */
interface CopyBlock {
  readonly table: Table | undefined;
  readonly columns: readonly string[];
}

/** Throws a refusal if the dump is truncated or is not a pg_dump text. */
export async function* dumpRows(
  { tree, mapping, met }: TablePass,
  { path, tables }: TableFile,
): AsyncGenerator<RowBatch> {
  let block: CopyBlock | undefined;
  let isWhole = true;
  let lastLine = 0;
  const startOf = (text: string, line: number): CopyBlock | undefined => {
    if (line === 1 && text.startsWith('PGDMP'))
      throw brokenFile(path, 'it is in the custom format of pg_dump; pg_restore -f dump.sql converts it to text');
    if (otherDump.test(text))
      throw brokenFile(
        path,
        'it is a dump of MySQL, and only that of pg_dump can be read; export NDJSON with JSON_OBJECT, or CSV',
      );
    if (text.startsWith('-- PostgreSQL database dump')) isWhole = text.includes('complete');
    const named = copy.exec(text)?.groups;
    if (named === undefined) {
      const inserted = tableNamed(insert.exec(text)?.groups?.table, tables);
      if (inserted !== undefined)
        throw brokenFile(path, `line ${line} is an INSERT, but only COPY can be read; run pg_dump without --inserts`);
      return undefined;
    }
    const table = tableNamed(named.table, tables);
    const columns = namesIn(named.columns ?? '');
    if (table !== undefined) {
      met.add(table);
      demandColumns(mapping, table, columns, `${path}#${line}`);
    }
    return { table, columns };
  };
  for await (const { lines, bytes } of countedLines(await tree.stream(path))) {
    const rows: TableRow[] = [];
    for (const { line, text } of lines) {
      lastLine = line;
      if (block === undefined) block = text === undefined ? undefined : startOf(text, line);
      else if (text === '\\.' || text === '\\.\r') block = undefined;
      else if (block.table !== undefined) {
        const { table, columns } = block;
        rows.push({ table, at: `${path}#${line}`, row: rowOf(columns, text?.split('\t').map(cellOf)) });
      }
    }
    yield { rows, bytes };
  }
  if (block !== undefined || !isWhole) throw cutDump(path, lastLine);
}

/** With or without its schema, as `users` or `public.users`. */
function tableNamed(written: string | undefined, tables: readonly Table[]): Table | undefined {
  if (written === undefined) return undefined;
  const parts = namesIn(written, '.');
  return tables.find(({ table }) => table === parts.at(-1) || table === parts.join('.'));
}

/** Names between commas or dots. Those in quotes may contain any character. */
function namesIn(text: string, separator: ',' | '.' = ','): readonly string[] {
  const pattern = separator === ',' ? /"((?:[^"]|"")+)"|([^\s",]+)/gu : /"((?:[^"]|"")+)"|([^\s".]+)/gu;
  return [...text.matchAll(pattern)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function cellOf(text: string): string | null {
  if (text === '\\N') return null;
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))/gsu,
    (_whole, hex?: string, octal?: string, other = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return escapes[String(other)] ?? String(other);
    },
  );
}
