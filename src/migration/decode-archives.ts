// Decodes the original data of messages, which a conversion keeps in their `data` field.
import { decodeArchive } from './convert/archives.ts';
import type { MessageFacts } from './convert/export/items.ts';
import { unreadableArchive } from './convert/export/refusals.ts';

/** The original data of the source, decoded from converted archives or from an export of the platform. */
export function* decodeArchives(files: readonly string[]): Generator<MessageFacts> {
  for (const file of files) {
    try {
      yield* decodeArchive(file);
    } catch (cause) {
      throw unreadableArchive(file, cause);
    }
  }
}
