// How is a state folded together, when it was not at the end of a run?

import { stateOf } from '../../../app/session/open-state.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { counted, identityOf, noMoreThan, type StateVerb } from './verb.ts';

export const compact: StateVerb = async (args, input, world) => {
  noMoreThan(args, 0, 'compact');
  const application = await identityOf(input, world);
  const backend = await stateOf(input, world);
  const writer = await backend.open({ application, lockTimeoutMs: input.duration('lock-timeout') ?? 0 });
  const { size } = writer;
  await writer.compact();
  world.stdout.write(`The state ${backend.name} is compact: ${counted(size, 'record')}.\n`);
  return exitCode.done;
};
