// How are files written that others wait for? Whole or not at all: temporary file, then rename.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';

/** `mode` 0600 for what holds names and metadata. `exactly`: whatever the umask says, as for a file that had it before. */
export async function writeWhole(
  file: string,
  text: string | Iterable<string>,
  mode = 0o644,
  how?: 'exactly',
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(temporary, 'wx', mode);
    try {
      if (how === 'exactly') await handle.chmod(mode);
      await writeFile(handle, typeof text === 'string' ? text : inChunks(text));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new Refusal(
      'file.unwritable',
      exitCode.unexpected,
      `${file} cannot be written.`,
      'Check that its folder may be written to and that the disk has room.',
      { cause },
    );
  }
}

const chunkLength = 65_536;

/** A write for every line of a big text would take seconds. */
function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
