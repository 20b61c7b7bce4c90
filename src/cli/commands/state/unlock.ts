// How is a lock broken whose holder will not come back?

import { stateOf } from '../../../app/session/open-state.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { holderForPeople } from './holder.ts';
import { demandYes, identityOf, noMoreThan, type StateVerb } from './verb.ts';

export const unlock: StateVerb = async (args, input, world) => {
  noMoreThan(args, 0, 'unlock');
  const application = await identityOf(input, world);
  const backend = await stateOf(input, world);
  const holder = await backend.holder(application);
  const shown = holderForPeople({ state: backend.name, application }, holder, world.clock.date());
  if (holder === undefined) {
    world.stdout.write(shown);
    return exitCode.done;
  }
  await demandYes(
    `${shown}Breaking the lock fences this holder off for good: it can write no more, and stops before its next request. What it has handed to the network already may still arrive; the next run looks that up.`,
    input,
    world,
  );
  if (!(await backend.breakLock(application, holder.epoch))) {
    throw new Refusal(
      'state.lock-changed',
      exitCode.locked,
      'The lock changed hands, or was given back, before it could be broken.',
      'Nothing was changed. chatform state lock shows who holds it now.',
    );
  }
  world.stdout.write('The lock is broken; the state is free.\n');
  return exitCode.done;
};
