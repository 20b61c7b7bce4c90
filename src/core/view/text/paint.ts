// The colours of actions, signs and severities. The command line decides whether colours are used.
import { styleText } from 'node:util';
import type { Action } from '../../model/action.ts';
import type { Severity } from '../../model/diagnostic.ts';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export function painter(color: boolean): Paint {
  return (style, text) => (color && text.trim() !== '' ? styleText(style, text, { validateStream: false }) : text);
}

export const actionStyle: Readonly<Record<Action, Style>> = {
  create: 'green',
  adopt: 'cyan',
  conflict: 'red',
  update: 'yellow',
  invite: 'green',
  leave: 'red',
  ban: 'red',
  mute: 'red',
  unban: 'magenta',
  unmute: 'magenta',
  reactivate: 'magenta',
  unfreeze: 'magenta',
  freeze: 'red',
  deactivate: 'red',
  lockout: 'red',
  migrate: 'cyan',
  erase: 'red',
  delete: 'red',
  retire: 'dim',
  forget: 'dim',
};

export const signStyle = { '+': 'green', '-': 'red', '~': 'yellow', '.': 'dim', ' ': 'reset' } as const;

/** Removed rights are red, whatever the sign of the value. */
export const effectStyle = { takes: 'red', gives: 'green' } as const;

export const statusStyle = { refused: 'red', awaits: 'yellow', ready: 'green', idle: 'dim' } as const;

export const severityStyle = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<
  Severity,
  Style
>;
