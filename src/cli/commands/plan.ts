// chatform plan: what an apply would do, why, and how long it would take.

import { exitCode } from '../../model/exit-code.ts';
import { applicationFlags, type CommandDefinition, refreshFlag, stateFlags } from '../flags/command.ts';
import {
  eachOption,
  outputOptions,
  pathArgument,
  platformOptions,
  refreshOption,
  skipRefreshOption,
  stateOption,
  targetOption,
} from '../flags/options.ts';
import { summaryFlag, viewFlags } from '../flags/view-options.ts';

export const plan: CommandDefinition = {
  name: 'plan',
  arguments: [pathArgument],
  summary: 'show what an apply would do',
  help: `Examples:
  chatform plan                          of the manifests in this folder
  chatform plan --out plan.json          save it, to apply exactly this: chatform apply plan.json
  chatform plan --format json | jq .summary
  chatform plan --write markdown=plan.md html=plan.html --redact
  chatform plan --detailed-exitcode      2 when there is something to do
  chatform plan --base-ref origin/main   what of it this branch causes, and what was waiting before
  chatform plan --target 'group_channel.support-*'
  chatform plan --each envs/* --write markdown=plan.md
                                         every environment, in one comment

Compares the manifests with what was last applied. Sends nothing and needs no token.

--refresh reads the live objects as well, a hundred at a request, which needs a token: what was changed on the platform
is shown apart as drift, and the plan leads from what is there now to what is declared. With a token in the environment
and without --refresh, a line says what it would cost. policy: {refresh: always} makes it the habit.

--base-ref reads the manifests of the commit where this branch left REF (their merge base) through git, plans both
against the same state, and says of every change whether this branch causes it. The policy is the base's, also for what
validate checks, but for acknowledge, which stands in the diff under review.

--each plans several folders side by side. Each is an application of its own and has its own state: in a folder of its name
below that of --state, or in the same database. What fails in one stops no other.

Exit codes: 0 planned, 2 planned and something to do (--detailed-exitcode), 3 token refused (--refresh), 5 refused by a safety rule,
6 untrusted host or the state of another application, 8 interrupted (--refresh), 65 manifests invalid.`,
  options: [
    { flags: '--out <file>', description: 'save the plan, for chatform apply FILE' },
    ...viewFlags,
    summaryFlag,
    { flags: '--detailed-exitcode', description: 'exit with 2 when there is something to do' },
    refreshOption,
    skipRefreshOption,
    targetOption,
    eachOption,
    { flags: '--base-ref <ref>', description: 'tell the changes of this branch from those that were waiting at REF' },
    ...platformOptions,
    stateOption,
    ...outputOptions,
  ],
  run: async (input, environment) => {
    if (input.list('each').length > 0) return (await import('./each.ts')).runEach(plan, input, environment);
    const [{ planChanges }, { portsOf }, { presentPlan }] = await Promise.all([
      import('../../app/plan.ts'),
      import('../output/ports.ts'),
      import('../output/show-plan.ts'),
    ]);
    const out = input.text('out');
    const options = {
      ...applicationFlags(input),
      ...stateFlags(input),
      paths: input.args,
      targets: input.list('target'),
      refresh: refreshFlag(input),
      baseRef: input.text('base-ref'),
      isToBeSaved: out !== undefined,
    };
    const { plan: made, refusals, isRefreshed } = await planChanges(options, portsOf(input, environment));
    await presentPlan(made, input, environment, refusals);
    if (refusals.length > 0) {
      const { refusedBySafety } = await import('../../app/context/refusals.ts');
      throw refusedBySafety(refusals);
    }
    if (out !== undefined) {
      const { savePlan } = await import('../../app/plans/plan-file.ts');
      await savePlan(made, out, environment);
      environment.stderr.write(`Saved to ${out}. It holds names and metadata. Apply it with: chatform apply ${out}\n`);
      if (!isRefreshed) {
        environment.stderr.write('The apply will not check for live changes: the plan was made without --refresh.\n');
      }
    }
    return input.flag('detailed-exitcode') && made.changes.length > 0 ? exitCode.changes : exitCode.done;
  },
};
