// chatform state unlock
import { breakLock } from '../../../app/upkeep/lock.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { lockForPeople } from './show-lock.ts';
import { demandYes, noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const unlock: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 0, 'unlock');
  const now = environment.clock.date();
  const found = await breakLock(upkeepFlags(input), portsOf(input, environment), (lock) =>
    demandYes(
      `${lockForPeople(lock, now)}Breaking the lock fences this holder off for good: it can write no more, and stops at its next write. Requests that it has sent already may still arrive; the next run looks them up.`,
      input,
      environment,
    ),
  );
  environment.stdout.write(
    found.holder === undefined ? lockForPeople(found, now) : 'The lock is broken; the state is free.\n',
  );
  return exitCode.done;
};
