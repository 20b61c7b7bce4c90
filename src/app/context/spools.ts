// Spools in the folder for temporary files, for the long parts of plans, manifests and exports.
import { tmpdir } from 'node:os';
import { Spool } from '../../lib/spool.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

/** Values take about four times as many bytes in memory as their JSON has characters. */
const defaultInMemory = 1 << 20;

/** A spool in the folder for temporary files. Each collector keeps values of `inMemory` characters of JSON in memory. */
export function temporarySpool(inMemory = defaultInMemory): Spool {
  return new Spool({ folder: tmpdir(), inMemory, onFailure: temporaryFolderUnusable });
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
