// Support: converts an export in a temporary folder and returns the resulting files.
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConvertResult } from '../../../../src/core/model/conversion.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import type { MessageFacts } from '../../../../src/migration/convert/export/items.ts';
import { convertExport } from '../../../../src/migration/convert.ts';
import { decodeHistoryFiles } from '../../../../src/migration/decode-history-files.ts';
import { writeFiles } from '../../../support/folders.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { zipOf } from './zip.ts';

export interface LedgerLine {
  readonly at: string;
  readonly id: string;
  readonly outcome: 'carried' | 'changed' | 'left_out';
  readonly reason?: string;
  readonly also?: readonly string[];
  readonly to?: string;
  readonly line?: number;
  readonly lines?: number;
}

export interface Converted {
  readonly folder: string;
  readonly result: ConvertResult;
  readonly ledger: readonly LedgerLine[];
  /** By channel_url. */
  readonly historyFiles: Readonly<Record<string, readonly JsonObject[]>>;
  readonly facts: readonly MessageFacts[];
}

interface More {
  /** Symbolic links in the export, with what they point to. */
  readonly links?: Readonly<Record<string, string>> | undefined;
  /** Files whose checksum is wrong; the export is a zip archive then. */
  readonly broken?: Readonly<Record<string, string>> | undefined;
  /** The mapping of tables, as YAML. */
  readonly mapping?: string | undefined;
  /** The text of conversion/file-urls.ndjson. */
  readonly copies?: string | undefined;
  /** A person accepts all unknown fields. */
  readonly isAccepted?: boolean;
}

/** `files` are the export, by name. `decisions` is the initial text of conversion/decisions.yaml. */
export async function convertFiles(
  source: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  decisions?: string,
  { links = {}, broken, copies, mapping, isAccepted = false }: More = {},
): Promise<Converted> {
  const folder = await temporaryFolder();
  const out = join(folder, 'out');
  if (copies !== undefined) await writeFiles(out, { 'conversion/file-urls.ndjson': copies });
  if (decisions !== undefined) await writeFiles(out, { 'conversion/decisions.yaml': decisions });
  if (broken !== undefined) {
    const whole = Object.entries(files).map(([name, content]) => ({ name, content: String(content) }));
    const wrong = Object.entries(broken).map(([name, content]) => ({ name, content, checksum: 7 }));
    writeFileSync(join(folder, 'export.zip'), zipOf([...whole, ...wrong]));
    return convertInto(source, join(folder, 'export.zip'), out);
  }
  await writeFiles(join(folder, 'export'), files);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, 'export', name));
  if (mapping !== undefined) await writeFiles(folder, { 'mapping.yaml': mapping });
  const more = mapping === undefined ? {} : { mapping: join(folder, 'mapping.yaml') };
  const [only = '', ...others] = Object.keys(files);
  const exported = join(folder, 'export', others.length === 0 ? only : '');
  const converted = await convertInto(source, exported, out, more);
  if (!isAccepted) return converted;
  acceptFields(out);
  return convertInto(source, exported, out, more);
}

/**
 * `files` are the tables, by name. `mapping` is YAML. `into` is the folder of an earlier conversion. `isAccepted`: a person accepts all
 * columns that the mapping neither reads nor omits.
 */
export async function convertTables(
  files: Readonly<Record<string, string>>,
  mapping: string,
  {
    decisions,
    into,
    isAccepted = false,
  }: { readonly decisions?: string | undefined; readonly into?: string; readonly isAccepted?: boolean } = {},
): Promise<Converted> {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'export'), files);
  await writeFiles(folder, { 'mapping.yaml': mapping });
  const out = into ?? join(folder, 'out');
  if (decisions !== undefined) await writeFiles(out, { 'conversion/decisions.yaml': decisions });
  const exported = [join(folder, 'export')];
  const convert = () => convertExport({ source: 'table', exported, out, mapping: join(folder, 'mapping.yaml') });
  let result = await convert();
  if (isAccepted) {
    acceptFields(out);
    result = await convert();
  }
  return { result, ...(await readConverted(out)) };
}

/** Decides that unknown fields may be read by everybody. */
export function acceptFields(out: string): void {
  const file = join(out, 'conversion/decisions.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(': undecided', ': accepted'));
}

export async function convertInto(
  source: string,
  exported: string,
  out: string,
  more: { readonly taken?: string; readonly mapping?: string } = {},
): Promise<Converted> {
  const result = await convertExport({ source, exported, out, ...more });
  return { result, ...(await readConverted(out)) };
}

export async function readConverted(out: string): Promise<Omit<Converted, 'result'>> {
  const ledger = jsonLines<LedgerLine>(readFileSync(join(out, 'conversion/ledger.ndjson'), 'utf8'));
  const history = join(out, 'history');
  const names = existsSync(history) ? readdirSync(history).sort() : [];
  const historyFiles: Record<string, readonly JsonObject[]> = {};
  for (const name of names) {
    historyFiles[name.replace('.ndjson', '')] = jsonLines(readFileSync(join(history, name), 'utf8'));
  }
  const facts = [...decodeHistoryFiles(names.map((name) => join(history, name)))];
  return { folder: out, ledger, historyFiles, facts };
}

function jsonLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
