// The files of the package besides the program: JSON Schemas and examples.
import { readFileSync } from 'node:fs';

export const schemaNames = [
  'manifest',
  'test',
  'plan',
  'report',
  'events',
  'diagnostics',
  'history-file',
  'migration',
  'decisions',
  'mapping',
  'ledger',
  'envelope',
  'results',
  'certificate',
] as const;

export type SchemaName = (typeof schemaNames)[number];

/** The text of `schema/<name>.schema.json`. */
export function schemaText(name: SchemaName): string {
  return readFileSync(packaged(`schema/${name}.schema.json`), 'utf8');
}

/** `path` is relative to the root of the package: two folders up from here, as from the bundles in dist/parts. */
export function packaged(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
