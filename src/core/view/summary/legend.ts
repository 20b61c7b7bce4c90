// What the actions of a plan mean for people.

import { type Action, actions } from '../../model/action.ts';
import type { Plan } from '../../model/plan.ts';

/** Only documented effects (platform §4), so nothing about the messages of a deleted user, for example. */
const meanings: Readonly<Record<Action, string>> = {
  create: 'new and visible from now on',
  adopt: 'no visible change; the existing object is managed from now on',
  conflict: 'no visible change; the existing object is not taken into state, and its creation fails',
  update: 'users see the new values',
  invite: 'new members see the channel',
  leave: 'those who leave no longer see the channel',
  ban: 'the user is removed and cannot enter',
  mute: 'the user cannot write',
  unban: 'the user can enter again',
  unmute: 'the user can write again',
  reactivate: 'the user can sign in again',
  unfreeze: 'everybody can write again',
  freeze: 'only operators can write',
  deactivate: 'the user can no longer sign in',
  lockout: 'while any address is listed, calls from all others are refused, chatform included',
  migrate: 'older messages appear in the history',
  erase: 'messages are deleted for everybody, or the platform erases a user; neither can be restored',
  delete: 'deleted for everybody and cannot be restored',
  retire: 'no visible change; sent messages stay in state',
  forget: 'no visible change; the object is no longer managed',
};

interface VerdictWords {
  readonly verb: Action;
  readonly words: string;
}

/** The actions of the plan with their meaning, in the order of the vocabulary. */
export function legendOf({ summary }: Pick<Plan, 'summary'>): VerdictWords[] {
  return actions.filter((verb) => (summary[verb] ?? 0) > 0).map((verb) => ({ verb, words: meanings[verb] }));
}
