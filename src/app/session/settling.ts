// Looks for a batch of messages whose outcome is unknown. The applier knows when to look, the kind knows what to ask, the
// archive knows which messages there are.
import type { Settling } from '../../applier/step/settle.ts';
import { InternalError } from '../../lib/errors.ts';
import type { MessagesPlaceholder } from '../../model/request.ts';
import type { ArchiveLine } from '../../resources/messages/line.ts';
import { MessageSearch, withOnly } from '../../resources/messages/settling.ts';

/** A request that has had no effect after so long never will (semantics §5.5). */
export const defaultSettleMs = 15_000;

export interface SettlingOptions {
  readonly lines: (hole: MessagesPlaceholder) => Promise<readonly ArchiveLine[]>;
  readonly trustDedup: boolean;
  readonly afterMs?: number | undefined;
}

export function settlingOf({ lines, trustDedup, afterMs = defaultSettleMs }: SettlingOptions): Settling {
  return {
    afterMs,
    trustDedup,
    search: async ({ id, request, settle }) => {
      const hole = request?.holes?.find((one) => one.type === 'messages');
      if (request === undefined || settle === undefined || hole === undefined) {
        throw new InternalError(`${id} brings no messages, and cannot be looked for`);
      }
      const look = new MessageSearch(await lines(hole), hole, settle);
      return {
        take: (page) => {
          const looked = look.take(page);
          if (looked.type === 'page') return looked;
          const isThere = looked.missing.length === 0;
          return { type: 'found', missing: isThere ? undefined : withOnly(request, looked.missing) };
        },
      };
    },
  };
}
