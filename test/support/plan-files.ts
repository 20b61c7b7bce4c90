// Support: the text inside a saved plan, to be edited and packed again.

import { readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { planFileVersion, planTitle } from '../../src/core/planner/plan-file/layout.ts';

const firstLine = /^chatform plan \d+\.\d+\n/u;

async function planTextOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  const [title = ''] = firstLine.exec(bytes.toString('latin1')) ?? [];
  return brotliDecompressSync(bytes.subarray(title.length)).toString('utf8');
}

export function packedPlan(text: string): Buffer {
  return Buffer.concat([Buffer.from(`${planTitle}${planFileVersion}\n`), brotliCompressSync(text)]);
}

/** Replaces the text of the plan, and compresses it as before. */
export async function editPlan(file: string, edit: (text: string) => string): Promise<void> {
  const text = await planTextOf(file);
  const edited = edit(text);
  if (edited === text) throw new Error('the edit changes nothing');
  await writeFile(file, packedPlan(edited));
}
