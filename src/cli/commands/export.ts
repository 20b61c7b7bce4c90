// chatform export: writes a live application as manifests, archives and a state that belongs to them.
import { usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { applicationFlags, type CommandDefinition, lockFlags } from '../flags/command.ts';
import { formatOption, lockTimeoutOption, outputOptions, platformOptions, stateOption } from '../flags/options.ts';

export const exportLive: CommandDefinition = {
  name: 'export',
  summary: 'write a live application as manifests and state; no writes to the platform',
  help: `Examples:
  chatform export --out estate --base-url https://api-APP_ID.sendbird.com/v3
  chatform export --out estate --messages          the history of every channel as well
  chatform export --out copy --without-state       the manifests alone, to compare or to copy

Reads every user and channel, deactivated and frozen ones too, and writes what can be declared in the layout of fmt:
more than 10,000 objects of a kind as NDJSON. The state knows all of it afterwards, so that the next plan is empty.
What is as every new object has it is not written, and stays unmanaged. What cannot be declared is listed in
left-out.txt. Tokens and access codes are never read. The application is the one of the manifests in the current
folder, or of --base-url.

Exit codes: 0 done, 1 a file cannot be written, 3 token refused, 6 the folder or the state is not empty,
7 state locked, 8 interrupted, 64 usage.`,
  options: [
    { flags: '--out <folder>', description: 'where the manifests go: empty, or not there yet' },
    { flags: '--messages', description: 'the messages of every channel too: a request for every 200' },
    { flags: '--hidden-status', description: 'who has hidden which channel: a request for every user' },
    {
      flags: '--read-each',
      description: 'what takes a request for every user, two for every channel: invitation preferences, bans, mutes',
    },
    { flags: '--without-state', description: 'write no state' },
    formatOption,
    ...platformOptions,
    stateOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  run: async (input, environment) => {
    const out = input.text('out');
    if (out === undefined) throw usage('No folder is given.', 'Write: chatform export --out estate');
    const [{ exportApplication }, { portsOf }, { exportedAsJson, exportedForPeople }] = await Promise.all([
      import('../../app/export.ts'),
      import('../output/ports.ts'),
      import('../output/exported.ts'),
    ]);
    const options = {
      ...applicationFlags(input),
      ...lockFlags(input),
      out,
      messages: input.flag('messages'),
      hiddenStatus: input.flag('hidden-status'),
      readEach: input.flag('read-each'),
      withoutState: input.flag('without-state'),
    };
    const exported = await exportApplication(options, portsOf(input, environment));
    const isJson = input.text('format') === 'json';
    const texts = isJson ? [exportedAsJson(exported)] : exportedForPeople(exported, out);
    for (const text of texts) environment.stdout.write(text);
    return exitCode.done;
  },
};
