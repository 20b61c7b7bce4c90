// The actions on an object: the symbol with which each is shown, and what it does to people.

export const actions = [
  'create',
  'adopt',
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
  'migrate',
  'erase',
  'delete',
  'retire',
  'forget',
] as const;

export type Action = (typeof actions)[number];

interface ActionTraits {
  /** The sign that is printed for it, one character wide. */
  readonly symbol: string;
  /** It takes something away from people, or gives it back: a reviewer must see it first. */
  readonly people?: 'takes' | 'gives';
  /** It is one line of a reviewed diff: it is shown, and has no budget. */
  readonly hasNoBudget?: true;
}

const traits: Readonly<Record<Action, ActionTraits>> = {
  create: { symbol: '+' },
  adopt: { symbol: '=' },
  update: { symbol: '~' },
  invite: { symbol: '~' },
  leave: { symbol: '~', people: 'takes' },
  ban: { symbol: '~', people: 'takes', hasNoBudget: true },
  mute: { symbol: '~', people: 'takes', hasNoBudget: true },
  unban: { symbol: '~', people: 'gives', hasNoBudget: true },
  unmute: { symbol: '~', people: 'gives', hasNoBudget: true },
  reactivate: { symbol: '↑', people: 'gives' },
  unfreeze: { symbol: '↑', people: 'gives' },
  freeze: { symbol: '↓', people: 'takes' },
  deactivate: { symbol: '↓', people: 'takes' },
  migrate: { symbol: '»' },
  erase: { symbol: '-', people: 'takes' },
  delete: { symbol: '-', people: 'takes' },
  retire: { symbol: '.' },
  forget: { symbol: '.' },
};

export function symbolOf(action: Action): string {
  return traits[action].symbol;
}

/** The actions that a reviewer must see first: they take something away from people, or give it back to them. */
export function isDangerous(action: Action): boolean {
  return traits[action].people !== undefined;
}

export function givesBack(action: Action): boolean {
  return traits[action].people === 'gives';
}

/** Safety rules count it (semantics §4.1). */
export function hasBudget(action: Action): boolean {
  return isDangerous(action) && traits[action].hasNoBudget !== true;
}
