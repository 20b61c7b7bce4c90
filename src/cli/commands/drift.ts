// chatform drift: what others changed on the platform since the last apply.

import { exitCode } from '../../model/exit-code.ts';
import { applicationFlags, type CommandDefinition, stateFlags } from '../flags/command.ts';
import { outputOptions, pathArgument, platformOptions, stateOption, targetOption } from '../flags/options.ts';
import { summaryFlag, viewFlags } from '../flags/view-options.ts';

export const drift: CommandDefinition = {
  name: 'drift',
  arguments: [pathArgument],
  summary: 'show what others changed on the platform since the last apply',
  help: `Examples:
  chatform drift                         what no longer matches the last apply
  chatform drift --detailed-exitcode     exit code 2 if there is drift, for a nightly job
  chatform drift --format json | jq .drift

Reads the objects in state, a hundred per request, and changes nothing. Only attributes that are declared, or were at the
last apply, are compared. Manifest edits that are not applied yet are not drift and are not shown.

Exit codes: 0 no drift or drift shown, 1 state has no objects of the application, 2 there is drift (--detailed-exitcode), 3 token refused, 6 untrusted host or the state of another
application, 8 interrupted, 65 manifests invalid.`,
  options: [
    ...viewFlags,
    summaryFlag,
    { flags: '--detailed-exitcode', description: 'exit with 2 if there is drift' },
    targetOption,
    ...platformOptions,
    stateOption,
    ...outputOptions,
  ],
  schemas: { '': 'plan' },
  run: async (input, environment) => {
    const [{ readDrift }, { portsOf }, { presentPlan }] = await Promise.all([
      import('../../app/drift.ts'),
      import('../output/ports.ts'),
      import('../output/show-plan.ts'),
    ]);
    const options = {
      ...applicationFlags(input),
      ...stateFlags(input),
      paths: input.args,
      targets: input.list('target'),
    };
    const plan = await readDrift(options, portsOf(input, environment));
    await presentPlan(plan, input, environment);
    return input.flag('detailed-exitcode') && (plan.drift?.length ?? 0) > 0 ? exitCode.changes : exitCode.done;
  },
};
