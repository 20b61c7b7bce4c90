// How are files written that others wait for? Whole or not at all: temporary file, then rename.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';

/** `mode` 0600 for what holds names and metadata. */
export async function writeWhole(file: string, text: string, mode = 0o644): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
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
