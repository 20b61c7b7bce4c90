// Says what a conversion assumed about the order of exports.

import { listOf, plural } from '../../../lib/words.ts';
import type { AssumedLater } from '../../model/conversion.ts';

export function orderSentences({ messages, users, channels, later_edits: edits }: AssumedLater): string[] {
  const counts = [
    ['message', messages],
    ['user', users],
    ['channel', channels],
  ] as const;
  const changed = counts.flatMap(([noun, count]) => (count === 0 ? [] : [plural(count, noun)]));
  const sentences: string[] = [];
  if (changed.length > 0)
    sentences.push(
      `An export that was converted before has newer messages or edits than this one, and nothing shows which of the two was taken later. This one counts, since it was converted last: it adds, changes or removes ${listOf(changed)}. If it was taken first, convert the other one again.`,
    );
  if (edits > 0)
    sentences.push(
      `This export lacks edits of ${plural(edits, 'message')} that an earlier conversion has. These edits stay. If this export was taken later, convert it again with --taken TIME.`,
    );
  return sentences;
}
