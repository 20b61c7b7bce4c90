// Which edited lines the policy changes on the platform (semantics §7).
import { defaultMessagesPolicy, type MessagesPolicy } from '../../model/policy.ts';
import type { Differences } from './differences.ts';

type EditedLines = Differences['edited'];
type EditWord = Extract<MessagesPolicy['edited'], string>;

/** The edited lines by what the policy says of them. */
export type EditsByWord = Readonly<Record<EditWord, EditedLines>>;

/** What the policy says of each part. */
export function editWords({
  edited,
}: MessagesPolicy = defaultMessagesPolicy): Readonly<Record<'text' | 'data', EditWord>> {
  const { text = 'refuse', data = 'refuse' } = typeof edited === 'string' ? { text: edited, data: edited } : edited;
  return { text, data };
}

/**
 * A line whose message is unknown, because a call for it was interrupted, is changed if either part may be. Otherwise that call would
 * never be completed.
 */
export function editsByWord(edited: EditedLines, policy: MessagesPolicy = defaultMessagesPolicy): EditsByWord {
  const { text, data } = editWords(policy);
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
