// Who holds the lock of the state?

import { stateOf } from '../../../app/session/open-state.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { holderAsJson, holderForPeople } from './holder.ts';
import { identityOf, noMoreThan, type StateVerb } from './verb.ts';

export const lock: StateVerb = async (args, input, world) => {
  noMoreThan(args, 0, 'lock');
  const application = await identityOf(input, world);
  const backend = await stateOf(input, world);
  const holder = await backend.holder(application);
  const place = { state: backend.name, application };
  world.stdout.write(
    input.text('format') === 'json' ? holderAsJson(place, holder) : holderForPeople(place, holder, world.clock.date()),
  );
  return exitCode.done;
};
