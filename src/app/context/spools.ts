// Spools in the folder for temporary files, for the long parts of plans, manifests and exports.
import { tmpdir } from 'node:os';
import { Spool } from '../../lib/spool.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

/** A spool in the folder for temporary files. Each collector keeps `inMemory` values in memory. */
export function temporarySpool(inMemory: number): Spool {
  return new Spool({ folder: tmpdir(), inMemory, onFailure: temporaryFolderUnusable });
}

/** The number of changes of a kind, or steps of a kind and phase, kept in memory. More go to temporary files. */
const planParts = 5_000;

/** The spool for the long parts of a plan. */
export function planSpool(): Spool {
  return temporarySpool(planParts);
}

export function temporaryFolderUnusable(folder: string, cause: unknown): Refusal {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new Refusal(
    'file.no-room',
    exitCode.unexpected,
    isFull
      ? `The folder for temporary files, ${folder}, is full.`
      : `The folder for temporary files, ${folder}, cannot be used (${code ?? cause}).`,
    'Nothing was changed. Large plans are kept there while the command runs. Free some space, or use another folder: TMPDIR=/a/larger/folder.',
    { cause },
  );
}
