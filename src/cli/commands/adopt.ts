// chatform adopt: takes existing objects into state, without a write to the platform.

import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { Adopted } from '../../core/model/report.ts';
import { notComparedSentence } from '../../core/view/summary/not-compared.ts';
import { safe } from '../../core/view/text/text.ts';
import { listOf, plural } from '../../lib/words.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import {
  jsonOptions,
  lockTimeoutOption,
  manifestsOption,
  outputOptions,
  platformOptions,
  stateOption,
} from '../flags/options.ts';
import { otherManager } from '../output/other-manager.ts';

export const adopt: CommandDefinition = {
  name: 'adopt',
  arguments: [{ usage: '<address...>', description: useCases.adopt.addresses.text }],
  summary: 'take existing objects into state; no writes to the platform',
  help: `Examples:
  chatform adopt user.alice group_channel.support-42
  chatform adopt 'group_channel.*' --path manifests/

Declare the objects first. adopt reads each one and records the declared attributes with their current values, so the
next plan shows every difference. Undeclared members and operators stay as they are. Values that the platform does not
show (access codes, tokens) count as declared. A pattern adopts all matching objects that are not in state yet.`,
  exits: {
    '': {
      0: 'done',
      3: 'token refused',
      6: 'in state already or not on the platform (nothing was changed)',
      7: 'state locked',
      8: 'interrupted',
      64: 'usage',
      65: 'manifests invalid',
      66: 'the address matches nothing',
    },
  },
  options: [manifestsOption, ...jsonOptions, ...platformOptions, stateOption, lockTimeoutOption, ...outputOptions],
  schemas: { '': 'results#adopted' },
  run: async (input, environment) => {
    const [{ adoptObjects }, { adoptionDocument }, { portsOf }, { printResult }] = await Promise.all([
      import('../../core/app/adopt.ts'),
      import('../../core/view/json/results.ts'),
      import('../output/ports.ts'),
      import('../output/result.ts'),
    ]);
    const options = {
      ...flagOptions(useCases.adopt, input),
      addresses: input.args,
      paths: input.list('path'),
    };
    const adopted = await adoptObjects(options, portsOf(input, environment));
    printResult<'adopted'>(
      input,
      environment,
      () => adoptionDocument(adopted),
      () => adoptedForPeople(adopted),
    );
    return exitCode.done;
  },
};

function* adoptedForPeople({ objects, missing, unread }: Adopted): Generator<string> {
  let differing = 0;
  for (const { address, differs, not_compared } of objects) {
    if (differs.length > 0) differing += 1;
    const others = notComparedSentence({ not_compared });
    const same = others === undefined ? 'as declared' : 'as declared, as far as it was compared';
    const found = differs.length === 0 ? same : `differs in ${listOf(differs)}`;
    yield `= ${safe(address)}  ${found}${others === undefined ? '' : `. ${others}`}\n`;
  }
  for (const address of missing) yield `  ${safe(address)}  is not on the platform\n`;
  for (const address of unread) yield `  ${safe(address)}  was not read: the platform does not offer this read\n`;
  const rest = differing === 0 ? '' : ` The next plan shows changes to ${plural(differing, 'object')}.`;
  yield `${plural(objects.length, 'object')} adopted into state.${rest}\n`;
  if (objects.length > 0) yield `${otherManager}\n`;
}
