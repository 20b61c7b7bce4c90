// What each verb of a plan means for the people in the room, in one line a verb.
import { type Action, actions } from '../../model/action.ts';
import type { Plan } from '../../model/plan.ts';

/** Only what is known of the platform (platform §4): not, for example, what becomes of a deleted user's messages. */
const meanings: Readonly<Record<Action, string>> = {
  create: 'new; from now on people can find it',
  adopt: 'nobody notices; what exists is managed from now on',
  update: 'people see the new values',
  invite: 'new members see the channel',
  leave: 'those who leave no longer see the channel',
  ban: 'the user is sent away and cannot enter',
  mute: 'the user cannot write',
  unban: 'the user can enter again',
  unmute: 'the user can write again',
  reactivate: 'the user can sign in again',
  unfreeze: 'everybody can write again',
  freeze: 'only operators can write',
  deactivate: 'the user can no longer sign in',
  migrate: 'older messages appear in the history',
  erase: 'messages disappear for everybody, and cannot be brought back',
  delete: 'gone for everybody, and cannot be brought back',
  forget: 'nobody notices; it is no longer managed',
};

interface Meaning {
  readonly verb: Action;
  readonly words: string;
}

/** Of the verbs that the plan uses, in the order of the vocabulary. */
export function legendOf({ summary }: Pick<Plan, 'summary'>): Meaning[] {
  return actions.filter((verb) => (summary[verb] ?? 0) > 0).map((verb) => ({ verb, words: meanings[verb] }));
}
