// Reads the text of a manifest, which is in memory as one string.
import { isLfsPointer, LfsPointerError } from '../../lib/tools/lfs-pointer.ts';
import type { Problems } from '../problems/problems.ts';
import { SourceText } from '../problems/source-text.ts';
import type { FileAccess } from './access.ts';
import type { ManifestFile } from './discover.ts';
import { reasonOf } from './read-failure.ts';

const maxManifestBytes = 200_000_000;

/** Returns the text without a byte order mark, or reports a problem and returns undefined. */
export async function readSource(
  file: ManifestFile,
  files: FileAccess,
  problems: Problems,
): Promise<SourceText | undefined> {
  const start = { source: new SourceText(file.name, ''), offset: 0 };
  try {
    const { bytes } = await files.stat(file.path);
    if (bytes <= maxManifestBytes) return readBytes(file.name, await files.readFile(file.path), problems);
    const detail = `${file.name} has ${bytes.toLocaleString('en')} bytes. At most ${maxManifestBytes.toLocaleString('en')} bytes of YAML are read. Move the objects to a file under sources, which may have any size.`;
    problems.add('manifest.file-too-big', detail, start);
  } catch (error) {
    problems.add('manifest.unreadable', `${file.name} cannot be read: ${reasonOf(error)}.`, start);
  }
  return undefined;
}

/** Like `readSource`, for bytes that were already read. */
export function readBytes(name: string, bytes: Uint8Array, problems: Problems): SourceText | undefined {
  if (isLfsPointer(bytes)) {
    const start = { source: new SourceText(name, ''), offset: 0 };
    problems.add('manifest.unreadable', `${name} cannot be read: ${reasonOf(new LfsPointerError())}.`, start);
    return undefined;
  }
  try {
    return new SourceText(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Replacement characters mark bytes that could not be decoded.
    const source = new SourceText(name, new TextDecoder('utf-8').decode(bytes));
    const detail = `${name} contains bytes that are not UTF-8. Save it as UTF-8. Most editors show the encoding in the status line.`;
    problems.add('manifest.not-utf8', detail, { source, offset: Math.max(0, source.text.indexOf('\ufffd')) });
    return undefined;
  }
}
