// chatform show: shows a saved plan.
import { usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { colourOption, plainOption } from '../flags/options.ts';
import { viewFlags } from '../flags/view-flags.ts';

export const show: CommandDefinition = {
  name: 'show',
  arguments: [{ usage: '<planfile>', description: 'a plan saved with chatform plan --out' }],
  summary: 'show a saved plan',
  help: `Examples:
  chatform show plan.json
  chatform show plan.json --format json
  chatform show plan.json --write html=plan.html markdown=plan.md --max-bytes 60000

Exit codes: 0 shown, 6 not a plan of this version, or edited since.`,
  options: [...viewFlags, colourOption, plainOption],
  run: async (input, environment) => {
    const file = input.args[0];
    if (file === undefined) throw usage('No plan file is named.', 'Write: chatform show plan.json');
    const [{ readPlan }, { planSpool }, { showPlan }] = await Promise.all([
      import('../../app/saved-plan/plan-file.ts'),
      import('../../app/output-files.ts'),
      import('../output/show-plan.ts'),
    ]);
    await showPlan(await readPlan(file, environment.cwd, planSpool().collect), input, environment);
    return exitCode.done;
  },
};
