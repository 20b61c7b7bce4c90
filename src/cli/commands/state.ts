// chatform state: what does state remember?
import { parseAddress } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { type CommandDefinition, usage } from '../command.ts';
import { applicationOptions, stateOption } from '../options.ts';

export const state: CommandDefinition = {
  name: 'state',
  arguments: [
    { usage: '<list|show>', description: 'list: every address; show: one record as JSON' },
    { usage: '[address]', description: 'for show: as user.alice' },
  ],
  summary: 'look into state',
  help: `Examples:
  chatform state list
  chatform state show user.alice
  chatform state list --base-url emulator:.chatform/emulator

The application is the one of the manifests in the current folder, or of --base-url.`,
  options: [...applicationOptions, stateOption],
  run: async (input, world) => {
    const [verb, text] = input.args;
    if (verb !== 'list' && verb !== 'show') {
      throw usage(`chatform state knows no "${verb ?? ''}".`, `Write chatform state list, or state show ADDRESS.`);
    }
    const [{ loadDeclared }, { resolveApplication }, { stateOf }] = await Promise.all([
      import('../declared.ts'),
      import('../application.ts'),
      import('../open-state.ts'),
    ]);
    const declared =
      input.text('base-url') === undefined ? (await loadDeclared([], world, 'warn')).application : undefined;
    const { identity } = resolveApplication(input, world, declared);
    const snapshot = await stateOf(input, world).read(identity);
    if (verb === 'list') {
      for (const { address } of snapshot.records()) world.stdout.write(`${JSON.stringify(address).slice(1, -1)}\n`);
      return exitCode.done;
    }
    const address = text === undefined ? undefined : parseAddress(text);
    if (address === undefined) throw usage('No address is given.', 'Write: chatform state show user.alice');
    const record = snapshot.get(address);
    if (record === undefined) {
      throw new Refusal(
        'state.unknown-address',
        exitCode.unexpected,
        `State knows no ${address}.`,
        'chatform state list shows every address.',
      );
    }
    world.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    return exitCode.done;
  },
};
