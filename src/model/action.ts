// The actions on an object, the symbol with which each is shown, and which of them are dangerous.

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
  'forget',
] as const;

export type Action = (typeof actions)[number];

/** The sign printed for an action, one character wide. */
export const actionSymbol: Readonly<Record<Action, string>> = {
  create: '+',
  adopt: '=',
  update: '~',
  invite: '~',
  leave: '~',
  ban: '~',
  mute: '~',
  unban: '~',
  unmute: '~',
  reactivate: '↑',
  unfreeze: '↑',
  freeze: '↓',
  deactivate: '↓',
  migrate: '»',
  erase: '-',
  delete: '-',
  forget: '.',
};

/** The actions that a reviewer must see first: they take something away from people, or give it back to them. */
const dangerous: ReadonlySet<Action> = new Set<Action>([
  'leave',
  'ban',
  'mute',
  'unban',
  'unmute',
  'reactivate',
  'unfreeze',
  'freeze',
  'deactivate',
  'erase',
  'delete',
]);

export function isDangerous(action: Action): boolean {
  return dangerous.has(action);
}
