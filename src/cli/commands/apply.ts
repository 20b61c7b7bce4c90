// chatform apply: changes the platform to match the manifests, resumable at any moment.

import type { Applied } from '../../core/app/apply.ts';
import type { RunObserver } from '../../core/app/context/ports.ts';
import type { ExitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { type CommandInput, flagOptions, stateFlags } from '../flags/command-input.ts';
import { runExits } from '../flags/exits.ts';
import {
  eachOptions,
  flagOf,
  jsonOptions,
  lockTimeoutOption,
  outputOptions,
  platformOptions,
  refreshOption,
  runOptions,
  selectionOptions,
  settleTimeOption,
  stageOption,
  stateOption,
  statePatienceOption,
} from '../flags/options.ts';
import { writesVerification } from '../flags/outputs.ts';
import { redactFlag, summaryFlag } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';

export const apply: CommandDefinition = {
  name: 'apply',
  arguments: [
    {
      usage: '[path...]',
      description: useCases.apply.paths.text,
    },
  ],
  summary: 'change the platform to match the manifests',
  help: `Examples:
  chatform apply                         plan the manifests in this folder, ask, run
  chatform apply plan.chatform           run exactly this saved plan
  chatform apply plan.chatform --require-signature --approvals-ref origin/main
  chatform apply --auto-approve --report report.json
  chatform apply --auto-approve --report run.html    a page with a timeline of the run
  chatform apply --each envs/* --auto-approve
  chatform apply --auto-approve --stage 10% --gate ./smoke-test.sh

apply writes every call to a journal in the state before sending it. If a run is interrupted or killed, run the same
command again: it continues, does nothing twice and loses nothing.

--require-signature runs only a saved plan that one of policy.approvals.signers signed. The signature lies beside it in
FILE.sig: ssh-keygen -Y sign -n chatform-plan -f KEY FILE. chatform reads the signers from the manifests of this folder or
of --approvals-from, at the commit of --approvals-ref. Without the flag, a plan needs a signature only if it has more
dangers than policy.approvals.dangers. Report and audit trail name the signers.

--stage applies a part first: a kind, objects that match a pattern, or a share of the channels with their users and messages, and
everything that their steps wait for. Then --gate runs a command, or --verify compares the messages of that part. If that
passes, the rest follows; if not, apply stops with 4 and prints the command that undoes the part. The same command continues
a run that was killed, and does not rerun gates that passed. The command gets STAGE (from 1), STAGE_SELECTION and
STAGE_APPLICATION, and none of chatform's variables.

--each applies several folders in parallel, each with its own state, token and rate limits (see chatform plan --help). A
failure in one does not stop the others. --report then contains one report for each folder.`,
  exits: { '': runExits },
  options: [
    { flags: '--auto-approve', description: 'do not ask for approval' },
    flagOf(useCases.apply.approvedHash),
    flagOf(useCases.apply.requireSignature),
    flagOf(useCases.apply.approvalsFrom),
    flagOf(useCases.apply.approvalsRef),
    ...runOptions,
    flagOf(useCases.apply.skipConflicts),
    flagOf(useCases.apply.allowOlder),
    { flags: '--verify', description: 'after the run, check that every declared message arrived' },
    {
      flags: '--migration-report <file...>',
      description: 'write the result of --verify: .md or .html for people, .json for programs',
      writes: writesVerification,
    },
    stageOption,
    flagOf(useCases.apply.gate),
    flagOf(useCases.apply.gateTimeout),
    settleTimeOption,
    flagOf(useCases.apply.tokensOut),
    redactFlag,
    summaryFlag,
    ...jsonOptions,
    refreshOption,
    ...selectionOptions,
    ...eachOptions,
    ...platformOptions,
    stateOption,
    statePatienceOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  schemas: { '': 'report', '--each': 'results#each' },
  run: async (input, environment) => {
    return runApply(input, environment);
  },
};

/** `isRepair` is set by chatform drift --repair. */
export async function runApply(
  input: CommandInput,
  environment: CommandEnvironment,
  isRepair = false,
): Promise<ExitCode> {
  const [{ applyChanges }, { portsOf }, { watched }, { reviewPlan }] = await Promise.all([
    import('../../core/app/apply.ts'),
    import('../output/ports.ts'),
    import('../output/run-watcher.ts'),
    import('../output/show-plan.ts'),
  ]);
  const apply = async (watcher: RunObserver): Promise<Applied> => {
    const migrationFiles = input.list('migration-report');
    const options = {
      ...flagOptions(useCases.apply, input),
      ...stateFlags(input),
      paths: input.args,
      verify: input.flag('verify'),
      isRepair,
    };
    if (migrationFiles.length > 0) (await import('../output/migration-files.ts')).demandReportEndings(migrationFiles);
    const review = (plan: Plan) => reviewPlan(plan, input, environment);
    const applied = await applyChanges(options, portsOf(input, environment), { review, ...watcher });
    const { verification } = applied;
    if (verification === undefined) return applied;
    return { ...applied, verification: await showVerification(verification, migrationFiles, input, environment) };
  };
  return watched(input, environment, apply, 'This plan is already applied. There is nothing left to do.\n');
}

/** Prints to stderr, because stdout has the plan, and returns what was shown. */
async function showVerification(
  report: MigrationReport,
  files: readonly string[],
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<MigrationReport> {
  const [{ writeMigrationReport }, { migrationForPeople }, { redactMigration }, { viewOptions }] = await Promise.all([
    import('../output/migration-files.ts'),
    import('../../core/view/reports/migration.ts'),
    import('../../core/view/text/redact.ts'),
    import('../flags/view-options.ts'),
  ]);
  const { cwd, stderr } = environment;
  const shown = redactMigration(report, viewOptions(input, environment, stderr));
  await writeMigrationReport(shown, files, cwd);
  for (const line of migrationForPeople(shown)) stderr.write(line);
  return shown;
}
