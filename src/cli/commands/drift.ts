// chatform drift: what did others change on the platform since the last apply?

import { exitCode } from '../../model/exit-code.ts';
import { objectRecords } from '../../model/run-metadata.ts';
import type { CommandDefinition } from '../flags/command.ts';
import {
  applicationOptions,
  colourOption,
  pathArgument,
  plainOption,
  stateOption,
  targetOption,
  tokenOption,
  verboseOption,
} from '../flags/options.ts';
import { summaryFlag, viewFlags } from '../flags/view-flags.ts';

const nothingKnown =
  'State knows no object of this application yet, so nothing of it can have changed. chatform plan shows what is to be done.\n';

export const drift: CommandDefinition = {
  name: 'drift',
  arguments: [pathArgument],
  summary: 'show what others changed on the platform since the last apply',
  help: `Examples:
  chatform drift                         what is not as it was applied
  chatform drift --detailed-exitcode     2 when there is any, for a nightly job
  chatform drift --format json | jq .drift

Reads the objects that state knows, a hundred at a request, and changes nothing. Only what is declared, or was at the
last apply, is compared. Changes of the manifests that wait for an apply are no drift, and are not shown.

Exit codes: 0 read, 2 there is drift (--detailed-exitcode), 3 token refused, 6 untrusted host or the state of another
application, 8 interrupted, 65 manifests invalid.`,
  options: [
    ...viewFlags,
    summaryFlag,
    { flags: '--detailed-exitcode', description: 'exit with 2 when there is drift' },
    targetOption,
    ...applicationOptions,
    tokenOption,
    stateOption,
    colourOption,
    plainOption,
    verboseOption,
  ],
  run: async (input, world) => {
    const [{ loadDeclared, demandValid }, { resolveApplication }, { planManifests }, { stateOf }, { refresh }] =
      await Promise.all([
        import('../../app/load-declared.ts'),
        import('../../app/session/application.ts'),
        import('../../app/plan-manifests.ts'),
        import('../../app/session/open-state.ts'),
        import('../../app/refresh.ts'),
      ]);
    const manifest = await loadDeclared(input.args, world, 'warn');
    await demandValid(manifest.diagnostics, input, world);
    const application = resolveApplication(input, world, manifest.application);
    const state = await (await stateOf(input, world)).read(application.identity);
    if (objectRecords(state.records()).next().done === true) world.stderr.write(nothingKnown);
    const live = await refresh(manifest, application, state, input, world, true);
    const { plan } = planManifests(manifest, application, state, input, world, undefined, true, live);
    const [{ presentPlan }, { observationsOf }] = await Promise.all([
      import('../output/show-plan.ts'),
      import('../../planner/live/observations-only.ts'),
    ]);
    await presentPlan(observationsOf(plan), input, world);
    return input.flag('detailed-exitcode') && (plan.drift?.length ?? 0) > 0 ? exitCode.changes : exitCode.done;
  },
};
