// chatform plan: what an apply would do, why, and how long it would take.

import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import {
  eachOptions,
  flagOf,
  outputOptions,
  pathArgument,
  platformOptions,
  refreshOption,
  selectionOptions,
  stageOption,
  stateOption,
} from '../flags/options.ts';
import { demandOutToSign, summaryFlag, viewFlags } from '../flags/view-options.ts';

export const plan: CommandDefinition = {
  name: 'plan',
  arguments: [pathArgument],
  summary: 'show what an apply would do',
  help: `Examples:
  chatform plan                          plan the manifests in this folder
  chatform plan --out plan.chatform      save the plan; chatform apply plan.chatform runs exactly this plan
  chatform plan --out plan.chatform --sign-command 'ssh-keygen -q -Y sign -f ~/.ssh/id_ed25519 -n chatform-plan'
  chatform plan --format json | jq .summary
  chatform plan --write markdown=plan.md html=plan.html --redact
  chatform plan --detailed-exitcode      exit code 2 if there is something to do
  chatform plan --base-ref origin/main   separate the changes of this branch from pending ones
  chatform plan --target 'group_channel.support-*'
  chatform plan --each envs/* --write markdown=plan.md
                                         every environment, in one comment

Compares the manifests with what was last applied. Sends nothing and needs no token.

--refresh also reads the live objects, a hundred per request, and needs a token. Changes made on the platform are shown
separately as drift, and the plan starts from the current values. --refresh=changed reads only the objects that the plan
would change or create, and nothing if there are none. --no-refresh reads nothing. policy: {refresh: changed} makes a word the
default. With a token in the environment and without any of these, plan prints what a refresh would cost.

--base-ref reads the manifests at the merge base of this branch and REF through git, plans both against the same state,
and shows for every change whether this branch causes it. The policy is the one of the base, also for the checks of
validate, except acknowledge, which is part of the diff under review.`,
  notes: `--sign-command runs in a shell, without the variables of chatform. It reads the saved plan from standard input and prints
the signature, which is written to FILE.sig. A plan that was saved before is signed in the same way, by
ssh-keygen -Y sign -n chatform-plan -f KEY FILE.

--each plans several folders in parallel. Each folder is an application with its own state: in a folder of the same name
below --state, or in the same database. Its token is CHATFORM_API_TOKEN_FOLDER where that is set: for envs/staging
CHATFORM_API_TOKEN_ENVS_STAGING. Markdown and JSON are joined; other files get the name of the folder, as in
plan.envs-staging.chatform. A failure in one does not stop the others.`,
  exits: {
    '': {
      0: 'planned',
      1: 'the command in --sign-command failed (nothing is saved)',
      2: 'planned with something to do (--detailed-exitcode)',
      3: 'token refused (--refresh)',
      5: 'refused by a safety rule',
      6: 'the state of another application, or an older commit in CI',
      8: 'interrupted (--refresh)',
      65: 'manifests invalid or untrusted host',
    },
  },
  options: [
    flagOf(useCases.plan.out),
    flagOf(useCases.plan.signCommand),
    stageOption,
    ...viewFlags,
    summaryFlag,
    { flags: '--detailed-exitcode', description: 'exit with 2 if there is something to do' },
    refreshOption,
    ...selectionOptions,
    ...eachOptions,
    flagOf(useCases.plan.baseRef),
    flagOf(useCases.plan.allowOlder),
    ...platformOptions,
    stateOption,
    ...outputOptions,
  ],
  schemas: { '': 'plan', '--each': 'results#each' },
  isComputed: true,
  run: async (input, environment) => {
    const [{ planChanges }, { portsOf }, { presentMade }] = await Promise.all([
      import('../../core/app/plan.ts'),
      import('../output/ports.ts'),
      import('../output/show-plan.ts'),
    ]);
    demandOutToSign(input);
    const options = {
      ...flagOptions(useCases.plan, input),
      paths: input.args,
      isToBeSaved: input.text('out') !== undefined,
    };
    const { plan: made, refusals, isRefreshed, staged } = await planChanges(options, portsOf(input, environment));
    await presentMade(made, refusals, isRefreshed, input, environment, staged);
    const isPending = made.changes.length > 0 || made.warnings.some(({ code }) => code === 'plan.left-out');
    return input.flag('detailed-exitcode') && isPending ? exitCode.changes : exitCode.done;
  },
};
