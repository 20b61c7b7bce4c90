// chatform undo: undoes what a run did.

import { usage } from '../../../core/model/errors.ts';
import { exitCode } from '../../../core/model/exit-code.ts';
import { useCases } from '../../../core/model/library/use-cases.ts';
import type { Plan } from '../../../core/model/plan.ts';
import type { CommandDefinition } from '../../flags/command.ts';
import { flagOptions, stateFlags } from '../../flags/command-input.ts';
import { runExits } from '../../flags/exits.ts';
import {
  flagOf,
  lockTimeoutOption,
  manifestsOption,
  outputOptions,
  platformOptions,
  runOptions,
  settleTimeOption,
  stateOption,
  statePatienceOption,
} from '../../flags/options.ts';
import { demandOutToSign, summaryFlag, viewFlags } from '../../flags/view-options.ts';

export const undo: CommandDefinition = {
  name: 'undo',
  arguments: [
    {
      usage: '[run]',
      description: useCases.undo.run.text,
    },
  ],
  summary: 'undo what a run did',
  help: `Examples:
  chatform undo                          plan to undo the last run, ask, run
  chatform undo 12                       the same for run 12 of chatform state log
  chatform undo --out undo.plan          save the plan; chatform apply undo.plan runs exactly this plan
  chatform undo --out undo.plan --sign-command 'ssh-keygen -q -Y sign -f ~/.ssh/id_ed25519 -n chatform-plan'
  chatform undo --auto-approve --approved-hash HASH
  chatform undo --path manifests/        manifests elsewhere than in this folder

Before its first step, a run saves in state the values of the objects that it is about to change. undo plans from these
values: attributes are restored, and created objects are removed as on_remove says. The plan is like any other: the same
order, dangers, cost, limits, protected objects and rules. A run that stopped halfway can be undone, and so can an undo.

The plan first lists what it does not undo: deleted objects, messages, images, codes and tokens, attributes that the
platform cannot change back, and later changes by other runs or people. To detect changes by people, undo reads the
objects first, unless --no-refresh is given. It also names the lines of the manifests that would make the next apply
repeat the changes of the run.

policy: {undo: {runs: 5, days: 30, megabytes: 8}} says how much is kept. chatform state log --format json lists the size
for each run.`,
  exits: {
    '': {
      ...runExits,
      66: 'not a run, or the values from before it are not kept',
    },
  },
  options: [
    flagOf(useCases.planUndo.out, `${useCases.planUndo.out.text} instead of running it`),
    flagOf(useCases.planUndo.signCommand),
    { flags: '--auto-approve', description: 'do not ask for approval' },
    flagOf(useCases.undo.approvedHash),
    ...runOptions,
    settleTimeOption,
    ...viewFlags,
    summaryFlag,
    flagOf(useCases.undo.refresh),
    manifestsOption,
    ...platformOptions,
    stateOption,
    statePatienceOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  schemas: { '': 'report', '--out': 'plan' },
  run: async (input, environment) => {
    const [{ planUndo, undoRun }, { portsOf }, { presentMade, reviewPlan }, { watched }] = await Promise.all([
      import('../../../core/app/undo.ts'),
      import('../../output/ports.ts'),
      import('../../output/show-plan.ts'),
      import('../../output/run-watcher.ts'),
    ]);
    const [run, ...more] = input.args;
    demandOutToSign(input);
    if (more.length > 0) throw usage(`Too many arguments: ${more.join(' ')}.`, 'Usage: chatform undo [RUN]');
    const isToBeSaved = input.text('out') !== undefined;
    const options = {
      ...flagOptions(useCases.undo, input),
      ...stateFlags(input),
      paths: input.list('path'),
      run,
      isToBeSaved,
    };
    const ports = portsOf(input, environment);
    if (isToBeSaved) {
      const { plan, refusals, isRefreshed } = await planUndo(options, ports);
      await presentMade(plan, refusals, isRefreshed, input, environment);
      return exitCode.done;
    }
    const review = (plan: Plan) => reviewPlan(plan, input, environment, 'chatform undo --out FILE');
    return watched(input, environment, (watcher) => undoRun(options, ports, { review, ...watcher }));
  },
};
