// The bytes of a saved plan that was read, for the check of its signature.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { digestText } from '../../../lib/digest.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Ports } from '../context/ports.ts';
import { signedPlan } from '../signing/signed-file.ts';

export interface SavedPlanFile {
  readonly name: string;
  /** The digest of the bytes from which the plan was read. */
  readonly sha256: string;
}

/** The bytes of the file. Refused (6) when they are not those that the plan was read from. */
export async function sameBytes({ name, sha256 }: SavedPlanFile, { cwd }: Pick<Ports, 'cwd'>): Promise<Buffer> {
  const content = await readFile(resolve(cwd, name)).catch(() => Buffer.alloc(0));
  if (digestText(content) === sha256) return content;
  throw new Refusal(
    signedPlan.badSignature,
    exitCode.conflict,
    `${name} changed while it was read.`,
    'Nothing was done. Apply it again when nothing writes to it.',
  );
}
