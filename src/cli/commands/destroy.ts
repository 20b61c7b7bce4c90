// chatform destroy: removes everything in state, as on_remove says.
import type { RunObserver } from '../../core/app/context/ports.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { applicationFlags, lockFlags, runFlags } from '../flags/command-input.ts';
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
  summary: 'deactivate, freeze, delete, erase or forget everything in state, as on_remove says',
  help: `Examples:
  chatform destroy                                            prints the application and changes nothing
  chatform destroy --confirm api-1234.sendbird.com/v3

Users are deactivated and channels are frozen, unless on_remove in the policy or the object says delete, forget or, for a
user, erase: the platform then erases the user's data, and no undo brings it back.
destroy prints the plan and runs it at once: --confirm is the approval. The removal limits of the policy do not apply,
but a single protected object (lifecycle: {protect: true}) makes the command refuse. The manifests are read only for the
application and the policy.`,
  exits: {
    '': {
      0: 'done',
      3: 'token refused',
      4: 'some steps failed (run it again)',
      5: 'protected, or another application was confirmed',
      7: 'state locked',
      8: 'interrupted',
      9: '--max-duration or --stop-at reached',
      64: 'not confirmed',
    },
  },
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
    const [{ destroyEstate }, { portsOf }, { watched }, { presentPlan }, { aside }, { showSuccess }] =
      await Promise.all([
        import('../../core/app/destroy.ts'),
        import('../output/ports.ts'),
        import('../output/run-watcher.ts'),
        import('../output/show-plan.ts'),
        import('../output/result.ts'),
        import('../output/notices.ts'),
      ]);
    const show = async (plan: Plan): Promise<void> => {
      await presentPlan(plan, ...aside(input, environment));
      showSuccess(
        `Confirmed for ${plan.application}: removal limits do not apply and no acknowledgement is needed.\n`,
        environment,
      );
    };
    const destroy = (watcher: RunObserver) => {
      const options = {
        ...applicationFlags(input),
        ...lockFlags(input),
        ...runFlags(input),
        paths: input.args,
        confirm: input.text('confirm'),
      };
      return destroyEstate(options, portsOf(input, environment), { show, ...watcher });
    };
    const nothingLeft = 'There is nothing to do. Everything in state is already deactivated or frozen.\n';
    return watched(input, environment, destroy, nothingLeft);
  },
};
