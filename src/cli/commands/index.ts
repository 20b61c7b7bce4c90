// Which commands are there? THE registry: one line a command.
import type { CommandDefinition } from '../command.ts';
import { apply } from './apply.ts';
import { emulator } from './emulator.ts';
import { plan } from './plan.ts';
import { rehearse } from './rehearse.ts';
import { schema } from './schema.ts';
import { show } from './show.ts';
import { state } from './state.ts';
import { validate } from './validate.ts';

export const commands: readonly CommandDefinition[] = [validate, plan, show, apply, rehearse, state, emulator, schema];
