// chatform drift: what others changed on the platform since the last apply.

import { usage } from '../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { WrittenDrift } from '../../tools/live-import/drift-write.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { type CommandInput, flagOptions, stateFlags } from '../flags/command-input.ts';
import { runExits } from '../flags/exits.ts';
import {
  eachOptions,
  flagOf,
  lockTimeoutOption,
  outputOptions,
  pathArgument,
  platformOptions,
  runOptions,
  selectionOptions,
  stateOption,
  statePatienceOption,
} from '../flags/options.ts';
import { writesView } from '../flags/outputs.ts';
import { demandOutToSign, summaryFlag, viewFlags, viewOptions } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';

/** The value of --write that is not a view. */
const manifests = 'manifests';

export const drift: CommandDefinition = {
  name: 'drift',
  arguments: [pathArgument],
  summary: 'show what others changed on the platform since the last apply',
  help: `Examples:
  chatform drift                         what no longer matches the last apply
  chatform drift --detailed-exitcode     exit code 2 if there is drift, for a nightly job
  chatform drift --each envs/*           every environment (see chatform plan --help)
  chatform drift --format json | jq .drift
  chatform drift --write                 edit the manifests to match the platform
  chatform drift --write manifests markdown=drift.md
  chatform drift --unmanaged             also count what the application has and nobody declares
  chatform drift --repair harmless       plan to undo harmless drift, ask, run
  chatform drift --repair harmless --out plan.chatform

Reads the objects in state, a hundred per request, and changes nothing. Only attributes that are declared, or were at the
last apply, are compared. Manifest edits that are not applied yet are not drift and are not shown.

--write without a value (or --write manifests) accepts the drift: it changes the values in the manifests, and keeps
comments, order and layout. It edits only plain blocks. Values from rows, overlays, bases, defaults, variables and anchors,
secrets, deleted objects and values with a change that is not applied yet are named on stderr, each with its place, the
live value and the reason. The edited manifests are checked before any file is written. No call changes the platform.

--unmanaged also lists every user, bot, channel and custom type, a hundred per request, and prints the price first. It counts the
objects that are neither declared, nor in state, nor matched by policy.external: by kind and custom type, with the last activity
that the lists show. They are not drift, so --detailed-exitcode ignores them.

--repair harmless plans only to undo drift. It restores the last applied values where that loses no data and changes neither
what people can do, nor who can call the API, nor where data is sent. The plan lists the drift that it leaves, with the
reason: deleted objects, members who left, changes of access, and objects with manifest edits that are not applied yet. Safety rules and approval are those of chatform apply
(--auto-approve, --approved-hash). With --out, the plan is saved instead, and signed with --sign-command.`,
  exits: {
    '': {
      0: 'no drift in the values that were compared, or drift shown',
      2: 'there is drift (--detailed-exitcode)',
      3: 'token refused',
      4: 'no drift found, but the platform refused to show an object (--detailed-exitcode)',
      6: 'the state of another application',
      8: 'interrupted',
      65: 'manifests invalid or untrusted host',
      66: 'state has no objects of the application',
    },
    '--write': { 1: 'a file cannot be written', 6: 'a manifest changed meanwhile' },
    '--repair': runExits,
  },
  options: [
    ...viewFlags.filter(({ flags }) => !flags.startsWith('--write')),
    {
      flags: '--write [what...]',
      description:
        'accept the drift in the manifests (no value, or manifests); FORMAT=FILE: also write the drift to a file',
      writes: writesView,
    },
    flagOf(useCases.drift.unmanaged),
    { flags: '--repair <what>', description: 'plan to undo only harmless drift', choices: ['harmless'] },
    flagOf(useCases.plan.out, `with --repair: ${useCases.plan.out.text}`),
    flagOf(useCases.plan.signCommand),
    { flags: '--auto-approve', description: 'with --repair: do not ask for approval' },
    flagOf(useCases.apply.approvedHash, `with --repair: ${useCases.apply.approvedHash.text}`),
    ...runOptions,
    summaryFlag,
    {
      flags: '--detailed-exitcode',
      description: 'exit with 2 if there is drift, and with 4 if a refused read may hide it',
    },
    ...selectionOptions,
    ...eachOptions,
    ...platformOptions,
    stateOption,
    statePatienceOption,
    lockTimeoutOption,
    ...outputOptions,
  ],
  schemas: { '': 'plan', '--repair': 'report' },
  run: async (flags, environment) => {
    const views = flags.list('write').filter((what) => what !== manifests);
    const isWriting = flags.flag('write') || flags.list('write').includes(manifests);
    const input = flags.with(flags.args, { write: views });
    try {
      return await runDrift(input, isWriting, environment);
    } finally {
      flags.isAnswered = input.isAnswered;
    }
  },
};

/** `input` without the value of --write that names the manifests. */
async function runDrift(input: CommandInput, isWriting: boolean, environment: CommandEnvironment): Promise<ExitCode> {
  const out = input.text('out');
  const isRepair = input.text('repair') !== undefined;
  if (out !== undefined && !isRepair)
    throw usage('--out needs --repair.', 'For example: chatform drift --repair harmless --out plan.chatform');
  demandOutToSign(input);
  if (isRepair && isWriting)
    throw usage(
      '--write and --repair cannot be combined.',
      'Accept the drift with --write, or undo it with --repair harmless.',
    );
  if (isRepair && input.flag('unmanaged'))
    throw usage(
      '--unmanaged and --repair cannot be combined.',
      'A repair concerns only managed objects. Run chatform drift --unmanaged first.',
    );
  if (isRepair && out === undefined) return (await import('./apply.ts')).runApply(input, environment, true);
  const [{ planDriftRepair, readDrift }, { portsOf }, { presentMade, presentPlan }] = await Promise.all([
    import('../../core/app/drift.ts'),
    import('../output/ports.ts'),
    import('../output/show-plan.ts'),
  ]);
  const options = { ...flagOptions(useCases.drift, input), ...stateFlags(input), paths: input.args };
  const ports = portsOf(input, environment);
  if (out !== undefined) {
    const { plan, refusals } = await planDriftRepair(options, ports);
    await presentMade(plan, refusals, true, input, environment);
    return input.flag('detailed-exitcode') && plan.changes.length > 0 ? exitCode.changes : exitCode.done;
  }
  const written = isWriting
    ? await (await import('../../tools/live-import/drift-write.ts')).writeDrift(options, ports)
    : undefined;
  const plan = written?.plan ?? (await readDrift(options, ports));
  await presentPlan(plan, input, environment);
  if (written !== undefined) await showWritten(written, input, environment);
  if (!input.flag('detailed-exitcode')) return exitCode.done;
  if ((plan.drift?.length ?? 0) > 0) return exitCode.changes;
  // What policy.read_each leaves out was asked for. A refused read was not.
  const isRefused = plan.refreshed?.not_compared.some(({ why }) => why === 'refused') === true;
  return isRefused ? exitCode.incomplete : exitCode.done;
}

/** Prints to stderr, because stdout has the drift. */
async function showWritten(written: WrittenDrift, input: CommandInput, environment: CommandEnvironment): Promise<void> {
  const [{ writtenDrift }, { showSuccess }] = await Promise.all([
    import('../../core/view/reports/written-drift.ts'),
    import('../output/notices.ts'),
  ]);
  for (const line of writtenDrift(written, viewOptions(input, environment, environment.stderr))) {
    showSuccess(line, environment);
  }
}
