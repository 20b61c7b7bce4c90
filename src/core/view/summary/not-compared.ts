// Names the values that a refresh did not compare, so that no verdict claims more than it looked at.

import { printNumber } from '../../../lib/words.ts';
import type { ComparedValues, NotCompared, NotShown, Proof } from '../../model/people/comparison.ts';
import { safe } from '../text/text.ts';

type ShownInTable =
  | { readonly as: 'compared' }
  | { readonly as: 'in_part'; readonly proves: Proof }
  | { readonly as: 'not'; readonly why: NotShown; readonly noted?: Proof };

const proofs: Readonly<Record<Proof, string>> = {
  is_set: 'only whether one is set',
  key_id: 'only the id of the key',
  joined: 'only whether they have joined',
  same_upload: 'only by its URL',
  same_token: 'only whether another one was issued',
  last_message: 'only whether the last message is as it was sent, see the command verify',
  receipts: 'only whether the last message was read, see the command verify',
};

const reasons: Readonly<Record<Exclude<NotCompared['why'], 'in_part'>, string>> = {
  no_answer: 'not shown by the platform',
  argument: 'used by one request only',
  history: 'see the command verify',
  each_user: 'not read, one request for each user',
  read_each: 'not read, see policy.read_each',
  omitted: 'left out of the response',
  refused: 'refused by the platform',
};

/** How the platform shows a value of an attribute, for the reference. */
export function shownInWords(shown: ShownInTable): string {
  if (shown.as === 'compared') return 'compared';
  if (shown.as === 'in_part') return `compared in part: ${proofs[shown.proves]}`;
  if (shown.as === 'not' && shown.noted !== undefined) return `compared in part: ${proofs[shown.noted]}`;
  return shown.why === 'rule' ? 'a rule of chatform' : `not compared: ${reasons[shown.why]}`;
}

/** `Not compared: access_code (3, only whether one is set), banned (40, not read, see policy.read_each).` */
export function notComparedSentence({
  not_compared: counts,
}: Pick<ComparedValues, 'not_compared'>): string | undefined {
  const values = new Map<string, number>();
  const whys = new Map<string, string>();
  for (const { kind, attribute, why, proves, values: count } of counts) {
    // Kinds share most names, but the attributes of a history file mean nothing without its name.
    const name = kind === 'messages' ? `${kind}.${attribute}` : attribute;
    const said = why === 'in_part' ? (proves === undefined ? 'in part' : proofs[proves]) : reasons[why];
    const key = `${name} ${said}`;
    values.set(key, (values.get(key) ?? 0) + count);
    whys.set(key, said);
  }
  if (values.size === 0) return undefined;
  const parts = Array.from(values, ([key, count]) => {
    const said = whys.get(key) ?? '';
    return `${safe(key.slice(0, -said.length - 1))} (${printNumber(count)}, ${said})`;
  });
  return `Not compared: ${parts.join(', ')}.`;
}
