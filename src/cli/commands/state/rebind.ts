// How does a state follow its application to another address?

import { stateOf } from '../../../app/session/open-state.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { applicationIdentity } from '../../../platform/base-url.ts';
import type { UpkeepBackend } from '../../../state/upkeep.ts';
import { type CommandInput, usage } from '../../flags/command.ts';
import { counted, demandYes, identityOf, noMoreThan, type StateVerb } from './verb.ts';

export const rebind: StateVerb = async (args, input, world) => {
  noMoreThan(args, 1, 'rebind APPLICATION');
  const [given] = args;
  const to = given === undefined ? await identityOf(input, world) : identityIn(given);
  const backend = await stateOf(input, world);
  const from = await sourceOf(backend, input, to);
  if (from === to) {
    world.stdout.write(`The state ${backend.name} is of ${to} already.\n`);
    return exitCode.done;
  }
  const { size } = await backend.read(from);
  await demandYes(
    `The state ${backend.name}, ${counted(size, 'record')}, is of ${from}.\nFrom now on it is taken for the state of ${to}. Do this only when that is the same platform application under another address: for another one, the next apply would change and remove the wrong objects.`,
    input,
    world,
  );
  const writer = await backend.open({ application: from, lockTimeoutMs: input.duration('lock-timeout') ?? 0 });
  await writer.rebind(to);
  world.stdout.write(`The state ${backend.name} is of ${to} now.\n`);
  return exitCode.done;
};

/** A base URL, or an identity as messages print it. */
function identityIn(text: string): string {
  return applicationIdentity(/^emulator:|:\/\//u.test(text) ? text : `https://${text}`);
}

async function sourceOf(backend: UpkeepBackend, input: CommandInput, to: string): Promise<string> {
  const there = await backend.applications();
  const named = input.text('from');
  const [only, ...others] = named === undefined ? there : [identityIn(named)].filter((from) => there.includes(from));
  if (only === undefined) {
    throw new Refusal(
      'state.unknown-application',
      exitCode.unexpected,
      named === undefined ? `The state ${backend.name} was never written.` : `There is no state of ${named}.`,
      there.length === 0 ? 'There is nothing to rebind.' : `There are states of ${there.join(', ')}.`,
    );
  }
  if (others.length > 0) {
    throw usage(`There are several states in ${backend.name}.`, `Say which with --from: ${there.join(', ')}.`);
  }
  if (only !== to && there.includes(to)) {
    throw new Refusal(
      'state.exists',
      exitCode.conflict,
      `There is a state of ${to} already in ${backend.name}.`,
      'Nothing was changed. Two states cannot become one; keep a copy of the other with chatform state pull, and forget its objects.',
    );
  }
  return only;
}
