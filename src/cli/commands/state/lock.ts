// chatform state lock
import { findLock } from '../../../app/upkeep/lock.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { portsOf } from '../../ports.ts';
import { lockAsJson, lockForPeople } from './show-lock.ts';
import { noMoreThan, type StateVerb, upkeepFlags } from './verb.ts';

export const lock: StateVerb = async (args, input, environment) => {
  noMoreThan(args, 0, 'lock');
  const found = await findLock(upkeepFlags(input), portsOf(input, environment));
  const isJson = input.text('format') === 'json';
  environment.stdout.write(isJson ? lockAsJson(found) : lockForPeople(found, environment.clock.date()));
  return exitCode.done;
};
