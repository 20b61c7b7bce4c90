// chatform show: shows a saved plan, or the report of a run or of a verification.
import { usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { colourOption, flagOf, plainOption, stageOption } from '../flags/options.ts';
import { viewFlags } from '../flags/view-options.ts';

export const show: CommandDefinition = {
  name: 'show',
  arguments: [
    {
      usage: '<planfile>',
      description: 'a plan saved by chatform plan --out FILE, or the JSON report of an apply or verify',
    },
  ],
  summary: 'show a saved plan, or the report of a run',
  help: `Examples:
  chatform show plan.chatform
  chatform show plan.chatform --format json
  chatform show plan.chatform --write html=plan.html markdown=plan.md --max-bytes 60000
  chatform show plan.chatform --stage 10%    also show what each stage of an apply with it would have
  chatform show report.json --format html > run.html    a page with a timeline of the run

If the file of a plan has a signature beside it (FILE.sig), show says who signed, and whether the signature counts by
policy.approvals of the manifests in this folder, or in --approvals-from, at --approvals-ref if it is given. It needs ssh-keygen.

Reports can be shown as human, markdown, html or json.`,
  exits: {
    '': {
      0: 'shown',
      6: 'not a plan or report of this version, or the file was edited',
    },
  },
  options: [
    stageOption,
    flagOf(useCases.apply.approvalsFrom),
    flagOf(useCases.apply.approvalsRef),
    ...viewFlags,
    colourOption,
    plainOption,
  ],
  schemas: { 'a plan': 'plan', 'a report': 'report', 'a verification': 'migration' },
  run: async (input, environment) => {
    const file = input.args[0];
    if (file === undefined) throw usage('No file was given.', 'For example: chatform show plan.chatform');
    const [
      { beginsAsPlan, readPlan },
      { temporarySpool },
      { RunningDigest },
      { withSavedDangers },
      { shownSignature },
      { portsOf },
      { applyCommand, showPlan },
      { showReport },
    ] = await Promise.all([
      import('../../core/app/plans/plan-file.ts'),
      import('../../core/app/context/this-process.ts'),
      import('../../lib/digest.ts'),
      import('../../core/app/plans/saved-dangers.ts'),
      import('../../core/app/approvals/shown-signature.ts'),
      import('../output/ports.ts'),
      import('../output/show-plan.ts'),
      import('../output/show-report.ts'),
    ]);
    if (!(await beginsAsPlan(file, environment.cwd)) && (await showReport(file, input, environment)))
      return exitCode.done;
    const stages = input.list('stage');
    const digest = new RunningDigest();
    const saved = await readPlan(file, environment, temporarySpool().collect, digest);
    const plan = await withSavedDangers(saved, environment);
    const signature = await shownSignature(
      { name: file, sha256: digest.soFar('hex') },
      flagOptions(useCases.apply, input),
      plan.application,
      portsOf(input, environment),
    );
    const planWithStages =
      stages.length === 0 ? plan : (await import('../../core/app/run/stages.ts')).dividing(stages)(plan);
    await showPlan(planWithStages, input, environment, {
      applying: applyCommand(file),
      ...(signature === undefined ? {} : { signature }),
    });
    return exitCode.done;
  },
};
