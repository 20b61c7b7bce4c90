// chatform export: writes a live application as manifests, history files and the matching state.

import { usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import { typedText } from '../../core/view/text/typed-commands.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import {
  flagOf,
  jsonOptions,
  lockTimeoutOption,
  outputOptions,
  platformOptions,
  stateOption,
} from '../flags/options.ts';

export const exportLive: CommandDefinition = {
  name: 'export',
  summary: 'export an application to manifests and state; no writes to the platform',
  help: `Examples:
  chatform export --out-dir estate --base-url https://api-APP_ID.sendbird.com/v3
  chatform export --out-dir estate --messages          also the message history of every channel
  chatform export --out-dir copy --without-state       only the manifests, to compare or copy
  chatform export --out-dir . --only 'group_channel.support-*' --with users    a part, into manifests that exist
  chatform export --out-dir tuesday --messages --reactions --since monday    only what is new, and the last seven days

Reads every user and channel, including deactivated and frozen ones, and writes manifests in the layout of fmt; more
than 10,000 objects of a kind become NDJSON. State then contains all of them, so the next plan is empty. Default values
are not written and stay unmanaged. Anything that cannot be declared is listed in left-out.txt. Tokens and access codes
are never read. The application comes from the manifests in the current folder or from --base-url.

--only takes over a part: kinds (open_channel), addresses, globs of addresses, and custom_type=GLOB. The folder may have
manifests. Blocks are added to the right files, which keep their comments and style, and nothing that is declared changes.
--exclude leaves out objects, in the same form. With --only, it leaves them out of the selected part.

Objects are listed with a request for every hundred. Then export says how many requests histories, pins and hidden channels
cost, and the least time, before it reads them; of more than a hundred channels, it counts the messages of a hundred. Killed
or failed, run the same command again: it lists the objects again and continues the histories where they ended.`,
  exits: {
    '': {
      0: 'done',
      1: 'a file cannot be written',
      3: 'token refused',
      6: 'the folder or the state is not empty, or a file changed meanwhile',
      7: 'state or folder locked',
      8: 'interrupted',
      64: 'usage, or a pattern of --only or --exclude matches nothing',
      65: 'with --only: the manifests are not valid, or would not be',
    },
  },
  options: [
    flagOf(useCases.exportEstate.out),
    flagOf(useCases.exportEstate.only),
    flagOf(useCases.exportEstate.exclude),
    flagOf(useCases.exportEstate.with),
    flagOf(useCases.exportEstate.messages),
    flagOf(useCases.exportEstate.reactions),
    flagOf(useCases.exportEstate.threads),
    flagOf(useCases.exportEstate.since),
    flagOf(useCases.exportEstate.overlap),
    flagOf(useCases.exportEstate.hiddenStatus),
    flagOf(useCases.exportEstate.readEach),
    flagOf(useCases.exportEstate.withoutState),
    ...jsonOptions,
    ...platformOptions,
    stateOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  schemas: { '': 'results#exported' },
  run: async (input, environment) => {
    const out = input.text('out-dir');
    if (out === undefined) throw usage('--out-dir is required.', 'For example: chatform export --out-dir estate');
    const [{ exportApplication }, { portsOf }, { exportedForPeople }, { exportDocument }, { printResult }] =
      await Promise.all([
        import('../../tools/live-import/export.ts'),
        import('../output/ports.ts'),
        import('../output/export-result.ts'),
        import('../../core/view/json/results.ts'),
        import('../output/result.ts'),
      ]);
    const options = { ...flagOptions(useCases.exportEstate, input), out };
    const exported = await exportApplication(options, portsOf(input, environment));
    printResult<'exported'>(
      input,
      environment,
      () => exportDocument(exported),
      () =>
        Array.from(exportedForPeople(exported, { ...options, state: input.text('state') }), (line) =>
          typedText(line, environment),
        ),
    );
    return exitCode.done;
  },
};
