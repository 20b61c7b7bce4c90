// chatform destroy: takes down everything in state, each object by its on_remove.

import { applicationFlags, type CommandDefinition, lockFlags, runFlags } from '../flags/command.ts';
import {
  lockTimeoutOption,
  outputOptions,
  pathArgument,
  platformOptions,
  runOptions,
  stateOption,
} from '../flags/options.ts';

export const destroy: CommandDefinition = {
  name: 'destroy',
  arguments: [pathArgument],
  summary: 'take down everything in state, by its on_remove',
  help: `Examples:
  chatform destroy                                            says which application is meant, and changes nothing
  chatform destroy --confirm api-1234.sendbird.com/v3

Users are deactivated and channels frozen, unless on_remove of the policy or of the object says delete or forget.
The plan is shown, and run at once: --confirm is the approval. The budgets of the policy do not apply; an object that is
protected (lifecycle: {protect: true}) refuses the whole command. The manifests are read for the application and the
policy alone.

Exit codes: 0 done, 3 token refused, 4 some steps failed (run it again), 5 protected, or another application is
confirmed, 7 state locked, 8 interrupted, 9 --max-duration reached, 64 not confirmed.`,
  options: [
    { flags: '--confirm <application>', description: 'the application, as chatform destroy names it' },
    ...runOptions,
    ...platformOptions,
    stateOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  run: async (input, environment) => {
    const [{ destroyEstate }, { portsOf }, { reporting }, { RunWatcher }, { presentPlan }] = await Promise.all([
      import('../../app/destroy.ts'),
      import('../output/ports.ts'),
      import('../output/run-report.ts'),
      import('../output/run-watcher.ts'),
      import('../output/show-plan.ts'),
    ]);
    return reporting(input, environment, async (report) => {
      const options = {
        ...applicationFlags(input),
        ...lockFlags(input),
        ...runFlags(input),
        paths: input.args,
        confirm: input.text('confirm'),
      };
      const watcher = new RunWatcher(input, environment, report);
      const destroyed = await destroyEstate(options, portsOf(input, environment), {
        show: async (plan) => {
          await presentPlan(plan, input, environment);
          environment.stderr.write(
            `Confirmed for ${plan.application}: the budgets of the policy do not apply, and nothing has to be acknowledged.\n`,
          );
        },
        begin: (plan, run) => watcher.begin(plan, run),
        event: (event) => watcher.event(event),
        end: (end) => watcher.end(end),
      });
      if (destroyed.wasDone) {
        environment.stdout.write('Nothing is left to do: everything in state is retired already.\n');
      }
      return destroyed.report.exit_code;
    });
  },
};
