// Which commands are there? THE registry: one line a command.
import type { CommandDefinition } from '../command.ts';
import { adopt } from './adopt.ts';
import { apply } from './apply.ts';
import { completion } from './completion.ts';
import { destroy } from './destroy.ts';
import { drift } from './drift.ts';
import { emulator } from './emulator.ts';
import { explain } from './explain.ts';
import { exportLive } from './export.ts';
import { fmt } from './fmt.ts';
import { init } from './init.ts';
import { plan } from './plan.ts';
import { rehearse } from './rehearse.ts';
import { schema } from './schema.ts';
import { show } from './show.ts';
import { state } from './state.ts';
import { validate } from './validate.ts';
import { verify } from './verify.ts';

export const commands: readonly CommandDefinition[] = [
  init,
  validate,
  fmt,
  plan,
  show,
  apply,
  drift,
  rehearse,
  explain,
  exportLive,
  adopt,
  destroy,
  verify,
  state,
  emulator,
  schema,
  completion,
];
