// The actions on an object, the symbol of each, and whether it takes something from people.

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
  /** Set for actions that take something from people or give it back. Reviewers see these first. */
  readonly people?: 'takes' | 'gives';
  /** The action is shown as dangerous but does not count against a budget. */
  readonly hasNoBudget?: true;
}

const traits: Readonly<Record<Action, ActionTraits>> = {
  create: { symbol: '+' },
  adopt: { symbol: '=' },
  conflict: { symbol: '!' },
  update: { symbol: '~' },
  invite: { symbol: '~' },
  leave: { symbol: '-', people: 'takes' },
  ban: { symbol: '~', people: 'takes', hasNoBudget: true },
  mute: { symbol: '~', people: 'takes', hasNoBudget: true },
  unban: { symbol: '~', people: 'gives', hasNoBudget: true },
  unmute: { symbol: '~', people: 'gives', hasNoBudget: true },
  reactivate: { symbol: '↑', people: 'gives' },
  unfreeze: { symbol: '↑', people: 'gives' },
  freeze: { symbol: '↓', people: 'takes' },
  deactivate: { symbol: '↓', people: 'takes' },
  lockout: { symbol: '~', people: 'takes' },
  migrate: { symbol: '»' },
  erase: { symbol: '-', people: 'takes' },
  delete: { symbol: '-', people: 'takes' },
  retire: { symbol: '.' },
  forget: { symbol: '.' },
};

export function symbolOf(action: Action): string {
  return traits[action].symbol;
}

/** Whether the action takes something from people or gives it back, so that reviewers must see it first. */
export function isDangerous(action: Action): boolean {
  return traits[action].people !== undefined;
}

export function givesBack(action: Action): boolean {
  return traits[action].people === 'gives';
}

/** Whether safety rules count the action (semantics §4.1). */
export function hasBudget(action: Action): boolean {
  return isDangerous(action) && traits[action].hasNoBudget !== true;
}
