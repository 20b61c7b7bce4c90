// chatform plan: what would an apply do, why, and how long would it take?
import { resolve } from 'node:path';
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../command.ts';
import { applicationOptions, colourOption, pathArgument, stateOption, targetOption } from '../options.ts';

export const plan: CommandDefinition = {
  name: 'plan',
  arguments: [pathArgument],
  summary: 'show what an apply would do',
  help: `Examples:
  chatform plan                          of the manifests in this folder
  chatform plan --out plan.json          save it, to apply exactly this: chatform apply plan.json
  chatform plan --format json | jq .summary
  chatform plan --detailed-exitcode      2 when there is something to do

Compares the manifests with what was last applied. Sends nothing and needs no token.

Exit codes: 0 planned, 2 planned and something to do (--detailed-exitcode), 5 refused by a safety rule,
6 untrusted host or the state of another application, 65 manifests invalid.`,
  options: [
    { flags: '--out <file>', description: 'save the plan, for chatform apply FILE' },
    { flags: '--format <format>', description: 'how the plan is shown', choices: ['human', 'json'], default: 'human' },
    { flags: '--detailed-exitcode', description: 'exit with 2 when there is something to do' },
    targetOption,
    ...applicationOptions,
    stateOption,
    colourOption,
  ],
  run: async (input, world) => {
    const [{ loadDeclared, demandValid, invalidManifests }, { resolveApplication }, { planManifests }, { stateOf }] =
      await Promise.all([
        import('../declared.ts'),
        import('../application.ts'),
        import('../prepare.ts'),
        import('../open-state.ts'),
      ]);
    const manifest = await loadDeclared(input.args, world, 'warn');
    await demandValid(manifest.diagnostics, input, world);
    const application = resolveApplication(input, world, manifest.application);
    const state = await stateOf(input, world).read(application.identity);
    const { plan: made, problems, refusals } = planManifests(manifest, application, state, input, world);
    if (problems.length > 0) throw invalidManifests(problems);

    const { showPlan } = await import('../show-plan.ts');
    await showPlan(made, input, world);
    if (refusals.length > 0) {
      const { refusedBySafety } = await import('../refused.ts');
      throw refusedBySafety(refusals);
    }
    const out = input.text('out');
    if (out !== undefined) {
      const [{ writeWhole }, { printPlanFile }] = await Promise.all([
        import('../write-whole.ts'),
        import('../../planner/plan-file.ts'),
      ]);
      await writeWhole(resolve(world.cwd, out), printPlanFile(made), 0o600);
      world.stderr.write(`Saved to ${out}. It holds names and metadata. Apply it with: chatform apply ${out}\n`);
    }
    return input.flag('detailed-exitcode') && made.changes.length > 0 ? exitCode.changes : exitCode.done;
  },
};
