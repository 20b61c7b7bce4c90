// Stands for psql in guides: psql URL [-q] [-At] -f FILE, or -c STATEMENT. Its program is not among the binaries of the tests.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Client } from 'pg';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quiet: { type: 'boolean', short: 'q' },
    aligned: { type: 'boolean', short: 'A' },
    tuples: { type: 'boolean', short: 't' },
    file: { type: 'string', short: 'f' },
    command: { type: 'string', short: 'c' },
  },
});
const client = new Client({ connectionString: positionals[0] ?? '' });
await client.connect();
const text = values.command ?? readFileSync(values.file ?? '', 'utf8');
const asText = { getTypeParser: () => String };
// Several statements have a result each.
const results = [await client.query<unknown[]>({ text, rowMode: 'array', types: asText })].flat();
for (const { rows } of results) for (const row of rows) process.stdout.write(`${row.join('|')}\n`);
await client.end();
