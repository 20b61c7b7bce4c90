// The file for issued tokens, --tokens-out: one line each. Tokens are written nowhere else.

import { type FileHandle, open } from 'node:fs/promises';
import { flush } from '../../lib/flush.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { TokenSink } from '../../model/ports.ts';
import { demandReplaceable } from '../context/output-files.ts';

export interface OpenedSink extends TokenSink {
  close(): Promise<void>;
}

/** A file that was there may have been readable by others. */
async function openForOwner(file: string): Promise<FileHandle> {
  const handle = await open(file, 'a', 0o600);
  try {
    const found = await handle.stat();
    if (found.isFile() && (found.mode & 0o077) !== 0) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Appends, so that a resumed run keeps what an earlier one wrote. Readable by its owner alone. */
export async function openTokenSink(cwd: string, name: string): Promise<OpenedSink> {
  const file = await demandReplaceable('tokens', cwd, name);
  const handle = await openForOwner(file).catch((cause: unknown) => {
    throw new Refusal(
      'tokens.unwritable',
      exitCode.refused,
      `The tokens file ${file} cannot be opened.`,
      'Nothing was changed. Check the path of --tokens-out.',
      { cause },
    );
  });
  let last: Promise<void> = Promise.resolve();
  return {
    // Sequential writes: a token is durable before its step counts as done.
    write: (token) => {
      last = last.then(async () => {
        await handle.appendFile(`${JSON.stringify(token)}\n`);
        await flush(handle, 'data');
      });
      return last;
    },
    close: () => handle.close(),
  };
}
