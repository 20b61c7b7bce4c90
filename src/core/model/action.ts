// The actions on an object, the symbol of each, and which have a budget.

export const actions = [
  'create',
  'adopt',
  // The object exists and is not taken into state, so its creation will fail.
  'conflict',
  'update',
  'invite',
  'leave',
  'ban',
  'mute',
  'unban',
  'unmute',
  'reactivate',
  'unfreeze',
  'freeze',
  'deactivate',
  'lockout',
  'migrate',
  'erase',
  'delete',
  'retire',
  'forget',
] as const;

export type Action = (typeof actions)[number];

/** One character wide. */
const symbols: Readonly<Record<Action, string>> = {
  create: '+',
  adopt: '=',
  conflict: '!',
  update: '~',
  invite: '~',
  leave: '-',
  ban: '~',
  mute: '~',
  unban: '~',
  unmute: '~',
  reactivate: '↑',
  unfreeze: '↑',
  freeze: '↓',
  deactivate: '↓',
  lockout: '~',
  migrate: '»',
  erase: '-',
  delete: '-',
  retire: '.',
  forget: '.',
};

const withBudget: ReadonlySet<Action> = new Set<Action>([
  'leave',
  'reactivate',
  'unfreeze',
  'freeze',
  'deactivate',
  'lockout',
  'erase',
  'delete',
]);

export function symbolOf(action: Action): string {
  return symbols[action];
}

/** Whether safety rules count the action (semantics §4.1). */
export function hasBudget(action: Action): boolean {
  return withBudget.has(action);
}
