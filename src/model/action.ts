// The actions on an object, the symbol of each, and whether it has a budget.

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

interface ActionTraits {
  /** One character wide. */
  readonly symbol: string;
  /** Safety rules count it (semantics §4.1). */
  readonly hasBudget?: true;
}

const traits: Readonly<Record<Action, ActionTraits>> = {
  create: { symbol: '+' },
  adopt: { symbol: '=' },
  conflict: { symbol: '!' },
  update: { symbol: '~' },
  invite: { symbol: '~' },
  leave: { symbol: '-', hasBudget: true },
  ban: { symbol: '~' },
  mute: { symbol: '~' },
  unban: { symbol: '~' },
  unmute: { symbol: '~' },
  reactivate: { symbol: '↑', hasBudget: true },
  unfreeze: { symbol: '↑', hasBudget: true },
  freeze: { symbol: '↓', hasBudget: true },
  deactivate: { symbol: '↓', hasBudget: true },
  lockout: { symbol: '~', hasBudget: true },
  migrate: { symbol: '»' },
  erase: { symbol: '-', hasBudget: true },
  delete: { symbol: '-', hasBudget: true },
  retire: { symbol: '.' },
  forget: { symbol: '.' },
};

export function symbolOf(action: Action): string {
  return traits[action].symbol;
}

/** Whether safety rules count the action (semantics §4.1). */
export function hasBudget(action: Action): boolean {
  return traits[action].hasBudget === true;
}
