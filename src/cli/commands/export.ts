// chatform export: writes a live application as manifests, archives and the matching state.
import { usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { applicationFlags, type CommandDefinition, lockFlags } from '../flags/command.ts';
import { jsonOptions, lockTimeoutOption, outputOptions, platformOptions, stateOption } from '../flags/options.ts';

export const exportLive: CommandDefinition = {
  name: 'export',
  summary: 'export an application to manifests and state; no writes to the platform',
  help: `Examples:
  chatform export --out estate --base-url https://api-APP_ID.sendbird.com/v3
  chatform export --out estate --messages          also the message history of every channel
  chatform export --out copy --without-state       only the manifests, to compare or copy
  chatform export --out tuesday --messages --reactions --since monday    only what is new, and the last seven days

Reads every user and channel, including deactivated and frozen ones, and writes manifests in the layout of fmt; more
than 10,000 objects of a kind become NDJSON. State then contains all of them, so the next plan is empty. Default values
are not written and stay unmanaged. Anything that cannot be declared is listed in left-out.txt. Tokens and access codes
are never read. The application comes from the manifests in the current folder or from --base-url.

Objects are listed with a request for every hundred. Then export says how many requests histories, pins and hidden channels
cost, and the least time, before it reads them; of more than a hundred channels, it counts the messages of a hundred. Killed
or failed, run the same command again: it lists the objects again and continues the histories where they ended.`,
  exits: {
    '': {
      0: 'done',
      1: 'a file cannot be written',
      3: 'token refused',
      6: 'the folder or the state is not empty',
      7: 'state or folder locked',
      8: 'interrupted',
      64: 'usage',
    },
  },
  options: [
    {
      flags: '--out <folder>',
      description: 'folder for the manifests: empty, new, or that of the same export, killed',
    },
    { flags: '--messages', description: 'also export messages: one request for every 200' },
    { flags: '--reactions', description: 'also export reactions and pins of messages: one request per group channel' },
    {
      flags: '--since <folder>',
      description: 'an earlier export: messages before the overlap are copied from it, not read',
    },
    {
      flags: '--overlap <duration>',
      description: 'how long before the end of the earlier export edits and deletions are read (default: 168h)',
    },
    { flags: '--hidden-status', description: 'also export which users have hidden a channel: one request per user' },
    {
      flags: '--read-each',
      description: 'also export invitation preferences, bans and mutes: one request per user and two per channel',
    },
    { flags: '--without-state', description: 'do not write state' },
    ...jsonOptions,
    ...platformOptions,
    stateOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  schemas: { '': 'results#exported' },
  run: async (input, environment) => {
    const out = input.text('out');
    if (out === undefined) throw usage('--out is required.', 'For example: chatform export --out estate');
    const [{ exportApplication }, { portsOf }, { exportedDocument, exportedForPeople }, { printResult }] =
      await Promise.all([
        import('../../tools/live-import/export.ts'),
        import('../output/ports.ts'),
        import('../output/export-result.ts'),
        import('../output/result.ts'),
      ]);
    const options = {
      ...applicationFlags(input),
      ...lockFlags(input),
      out,
      messages: input.flag('messages'),
      reactions: input.flag('reactions'),
      since: input.text('since'),
      overlapMs: input.duration('overlap'),
      hiddenStatus: input.flag('hidden-status'),
      readEach: input.flag('read-each'),
      withoutState: input.flag('without-state'),
    };
    const exported = await exportApplication(options, portsOf(input, environment));
    printResult(
      input,
      environment,
      () => exportedDocument(exported),
      () => exportedForPeople(exported, out, input.text('state')),
    );
    return exitCode.done;
  },
};
