// Which edited lines the policy changes on the platform (semantics §7).
import { defaultMessagesPolicy, type MessagesPolicy } from '../../model/policy.ts';
import type { Differences } from './differences.ts';

type EditedLines = Differences['edited'];
type EditWord = Extract<MessagesPolicy['edited'], string>;

/** The edited lines by what the policy says of them. */
export type EditsByWord = Readonly<Record<EditWord, EditedLines>>;

/**
 * A line whose message is unknown, because a call for it was interrupted, is changed if either part may be. Otherwise that call would
 * never be completed.
 */
export function editsByWord(
  edited: EditedLines,
  { edited: word }: MessagesPolicy = defaultMessagesPolicy,
): EditsByWord {
  const { text = 'refuse', data = 'refuse' } = typeof word === 'string' ? { text: word, data: word } : word;
  const words = {
    text,
    data,
    unknown: loosest.find((other) => other === text || other === data) ?? 'refuse',
  };
  const those = (wanted: EditWord): EditedLines => edited.filter(({ part }) => words[part] === wanted);
  return {
    update: those('update'),
    refuse: those('refuse'),
    keep: those('keep'),
  };
}

/** What counts for a message that is unknown. */
const loosest: readonly EditWord[] = ['update', 'refuse', 'keep'];
