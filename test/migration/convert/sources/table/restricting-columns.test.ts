// Tests that no shipped mapping loses or publishes a column that restricts, in whatever kind of row it is.
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../../src/lib/json.ts';
import { convertExport } from '../../../../../src/migration/convert.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { readConverted } from '../../support/converted.ts';
import { shipped } from './support.ts';

const planted = { zq_read_only: 'pl4nted', zq_left_at: 'pl4nted', zq_internal_note: 'pl4nted' };

/** Adds the columns to each object of an array, and to each that is the value of a key named by an id. */
function inRows(value: JsonValue, depth = 0): JsonValue {
  if (isList(value)) return value.map((item) => (isObject(item) && depth < 4 ? withColumns(item, depth) : item));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inRows(item, depth + 1)]))
    : value;
}

function withColumns(row: JsonObject, depth: number): JsonObject {
  return { ...(inRows(row, depth + 1) as JsonObject), ...planted };
}

function plantedText(name: string, text: string): string {
  if (name.endsWith('.ndjson')) {
    const rows = text.trim().split('\n');
    return `${rows.map((row) => JSON.stringify({ ...(JSON.parse(row) as JsonObject), ...planted })).join('\n')}\n`;
  }
  if (name.endsWith('.json')) return JSON.stringify(inRows(JSON.parse(text) as JsonValue));
  const columns = Object.keys(planted);
  return text.replaceAll(/^(COPY [^(]+\([^)]*)\)( FROM stdin;\n)([\s\S]*?)^\\\.$/gmu, (_all, head, from, rows) => {
    const cells = columns.map(() => '\tpl4nted').join('');
    return `${head}, ${columns.join(', ')})${from}${String(rows).replaceAll('\n', `${cells}\n`)}\\.`;
  });
}

function plantIn(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) plantIn(path);
    else if (/\.(?:ndjson|json|sql)$/u.test(name)) writeFileSync(path, plantedText(name, readFileSync(path, 'utf8')));
  }
}

// Firestore has its rows in maps, which inRows does not know.
const names = readdirSync(shipped, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && entry.name !== 'firestore',
);

test.each(names.map(({ name }) => name))('%s: asks about each restricting column and publishes none', async (name) => {
  const folder = await temporaryFolder();
  cpSync(join(shipped, name), join(folder, 'data'), { recursive: true });
  plantIn(join(folder, 'data'));
  const exported = readdirSync(join(folder, 'data')).filter((file) => !/^(?:mapping\.yaml|README\.md)$/u.test(file));
  const out = join(folder, 'out');
  const mapping = join(folder, 'data/mapping.yaml');
  await convertExport({ source: 'table', exported: exported.map((file) => join(folder, 'data', file)), out, mapping });
  const decisions = parse(readFileSync(join(out, 'conversion/decisions.yaml'), 'utf8')) as {
    readonly fields: Readonly<Record<string, string>>;
  };
  const entries = parse(readFileSync(mapping, 'utf8')) as Readonly<Record<string, unknown>>;
  const kinds = { users: 'user', channels: 'channel', members: 'member', messages: 'message' };
  for (const [section, kind] of Object.entries(kinds)) {
    if (entries[section] === undefined) continue;
    for (const column of Object.keys(planted)) {
      const asked = Object.entries(decisions.fields).filter(
        ([field]) => field.startsWith(`${kind}.`) && field.endsWith(column),
      );
      expect(
        asked.map(([, answer]) => answer),
        `${kind}.${column}`,
      ).toContain('undecided');
    }
  }
  const { historyFiles } = await readConverted(out);
  const objects = readdirSync(out).filter((file) => file.endsWith('.yaml'));
  const published = [
    JSON.stringify(historyFiles),
    ...objects.map((file) => readFileSync(join(out, file), 'utf8')),
  ].join('\n');
  expect(published).not.toContain('pl4nted');
});
