// Looks for a batch of messages whose outcome is unknown. The applier knows when to look, the kind knows what to ask, the
// archive knows which messages there are.
import { requestDigest } from '../../applier/recover/pending.ts';
import type { RecoverOptions } from '../../applier/recover/recover.ts';
import type { Settling } from '../../applier/step/settle.ts';
import { InternalError } from '../../lib/errors.ts';
import { Refusal } from '../../model/errors.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { MessagesPlaceholder } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { doubtOf } from '../../resources/messages/doubt.ts';
import type { ArchiveLine } from '../../resources/messages/line.ts';
import { MessageSearch, withMessage, withOnly } from '../../resources/messages/settling.ts';
import { TargetSearch } from '../../resources/messages/target-search.ts';

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
      const hole = settle?.target?.lines ?? request?.holes?.find((one) => one.type === 'messages');
      if (request === undefined || settle === undefined || hole === undefined) {
        throw new InternalError(`${id} brings no messages, and cannot be looked for`);
      }
      const own = await lines(hole);
      const { target } = settle;
      const look = target === undefined ? new MessageSearch(own, hole, settle) : new TargetSearch(own, target, settle);
      return {
        take: (page) => {
          const looked = look.take(page);
          switch (looked.type) {
            case 'missing':
              return looked.places.length === 0
                ? { type: 'done', note: 'found on the platform' }
                : { type: 'send', request: withOnly(request, looked.places) };
            case 'message':
              return { type: 'send', request: withMessage(request, looked.id, looked.body) };
            default:
              return looked;
          }
        },
      };
    },
  };
}

/**
 * For recovery: what may be there of the messages of a begun call, when its archive was changed since. `again`: ids of
 * calls that are looked for when they are made again.
 */
export function messagesInDoubt(
  lines: SettlingOptions['lines'],
  again: ReadonlySet<string>,
): NonNullable<RecoverOptions['doubt']> {
  return async (step, record) => {
    if (again.has(step.id)) return undefined;
    const hole = step.request?.holes?.find((one) => one.type === 'messages');
    return doubtOf(step, record, hole !== undefined && (await isWhole(hole, lines)));
  };
}

/** The begun calls for messages that a saved plan makes again as they were. `steps`: all of that plan. */
export function begunAgain(pending: readonly PendingBegin[], steps: Iterable<Step>): ReadonlySet<string> {
  const begun = new Map(
    pending.flatMap(({ step, request, planned }) => (planned?.settle?.isApart === true ? [[step, request]] : [])),
  );
  const again = new Set<string>();
  if (begun.size === 0) return again;
  for (const { id, request } of steps)
    if (request !== undefined && begun.has(id) && begun.get(id) === requestDigest(request)) again.add(id);
  return again;
}

async function isWhole(hole: MessagesPlaceholder, lines: SettlingOptions['lines']): Promise<boolean> {
  try {
    await lines(hole);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
