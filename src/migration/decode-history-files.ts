// Decodes the original data of messages, which a conversion keeps in their `data` field.

import type { MessageFacts } from './convert/export/items.ts';
import { unreadableHistoryFile } from './convert/export/refusals.ts';
import { decodeHistoryFile } from './convert/history-files.ts';

/** The original data of the source, decoded from converted history files or from an export of the platform. */
export function* decodeHistoryFiles(files: readonly string[]): Generator<MessageFacts> {
  for (const file of files) {
    try {
      yield* decodeHistoryFile(file);
    } catch (cause) {
      throw unreadableHistoryFile(file, cause);
    }
  }
}
