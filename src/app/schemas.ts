// The JSON Schemas that the package publishes in its folder `schema`.
import { readFileSync } from 'node:fs';
import { packaged } from './packaged.ts';

export const schemaNames = [
  'manifest',
  'test',
  'plan',
  'report',
  'events',
  'diagnostics',
  'archive',
  'migration',
  'decisions',
  'ledger',
  'envelope',
] as const;

export type SchemaName = (typeof schemaNames)[number];

/** The text of `schema/<name>.schema.json`. */
export function schemaText(name: SchemaName): string {
  return readFileSync(packaged(`schema/${name}.schema.json`), 'utf8');
}
