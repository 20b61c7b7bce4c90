// chatform destroy: deactivates, freezes or deletes everything in state, as on_remove says.

import { applicationFlags, type CommandDefinition, lockFlags, runFlags } from '../flags/command.ts';
import {
  jsonOptions,
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
  summary: 'deactivate, freeze or delete everything in state, as on_remove says',
  help: `Examples:
  chatform destroy                                            prints the application and changes nothing
  chatform destroy --confirm api-1234.sendbird.com/v3

Users are deactivated and channels are frozen, unless on_remove in the policy or the object says delete or forget.
destroy prints the plan and runs it at once: --confirm is the approval. The removal limits of the policy do not apply,
but a single protected object (lifecycle: {protect: true}) makes the command refuse. The manifests are read only for the
application and the policy.

Exit codes: 0 done, 3 token refused, 4 some steps failed (run it again), 5 protected, or another application was
confirmed, 7 state locked, 8 interrupted, 9 --max-duration reached, 64 not confirmed.`,
  options: [
    { flags: '--confirm <application>', description: 'the application, as chatform destroy prints it' },
    ...runOptions,
    ...jsonOptions,
    ...platformOptions,
    stateOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  schemas: { '': 'report' },
  run: async (input, environment) => {
    const [
      { destroyEstate },
      { portsOf },
      { reporting, shownReport },
      { RunWatcher },
      { presentPlan },
      { aside, printResult },
    ] = await Promise.all([
      import('../../app/destroy.ts'),
      import('../output/ports.ts'),
      import('../output/run-report.ts'),
      import('../output/run-watcher.ts'),
      import('../output/show-plan.ts'),
      import('../output/result.ts'),
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
          await presentPlan(plan, ...aside(input, environment));
          environment.stderr.write(
            `Confirmed for ${plan.application}: removal limits do not apply and no acknowledgement is needed.\n`,
          );
        },
        begin: (plan, run) => watcher.begin(plan, run),
        event: (event) => watcher.event(event),
        end: (end) => watcher.end(end),
      });
      const document = await shownReport(destroyed.report, input, environment);
      printResult(
        input,
        environment,
        () => document,
        () =>
          destroyed.wasDone ? ['There is nothing to do. Everything in state is already deactivated or frozen.\n'] : [],
      );
      return destroyed.report.exit_code;
    });
  },
};
