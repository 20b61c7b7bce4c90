// chatform state: inspects and repairs state.

import type { Ports, UpkeepOptions } from '../../core/app/context/ports.ts';
import { usage } from '../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';
import { chatformCommand } from '../../lib/tools/pasted-words.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { applicationFlags, type CommandInput, lockFlags } from '../flags/command-input.ts';
import { jsonOptions, lockTimeoutOption, platformOptions, stateOption, verboseOption } from '../flags/options.ts';
import { writes } from '../flags/outputs.ts';
import { redactFlag, viewOptions } from '../flags/view-options.ts';
import type { DocumentName } from '../output/documents.ts';
import { showSuccess } from '../output/notices.ts';
import { isForPrograms, printResult, type Unversioned } from '../output/result.ts';
import type { CommandEnvironment } from '../process/environment.ts';

interface Task {
  readonly args: readonly string[];
  readonly input: CommandInput;
  readonly environment: CommandEnvironment;
  readonly options: UpkeepOptions;
  readonly ports: Ports;
}

interface StateVerb {
  /** The maximum number of arguments, and the usage. Absent if the number is not limited. */
  readonly form?: readonly [most: number, usage: string];
  run(task: Task): Promise<ExitCode | undefined>;
}

/** The registry of subcommands. Each loads its own code. */
const verbs: Readonly<Record<string, StateVerb>> = {
  list: { run: list },
  show: { form: [1, 'show ADDRESS'], run: show },
  forget: { run: forget },
  'lock-status': { form: [0, 'lock-status'], run: lock },
  unlock: { form: [0, 'unlock'], run: unlock },
  html: { form: [1, 'html FILE'], run: html },
  rebind: { form: [1, 'rebind APPLICATION'], run: rebind },
  rebuild: { run: rebuild },
  pull: { form: [1, 'pull FILE'], run: pull },
  push: { form: [1, 'push FILE'], run: push },
  log: { form: [0, 'log'], run: log },
  rekey: { form: [0, 'rekey'], run: rekey },
};
const names = Object.keys(verbs);

/** Objects named before a question; the rest are counted. */
const maxNamed = 20;

export const state: CommandDefinition = {
  name: 'state',
  arguments: [
    { usage: `<${names.join('|')}>`, description: 'subcommand' },
    { usage: '[argument...]', description: 'addresses, files, or an application: see the examples' },
  ],
  summary: 'inspect and repair state',
  help: `Examples:
  chatform state list                      every address
  chatform state list 'user.support-*'     some of them
  chatform state show user.alice           one record as JSON
  chatform state html app.html             channels, people and who can do what, as a page to search,
                                           to which chatform plan --state-page app.html links
  chatform state lock-status               who holds the lock, since when, until when
  chatform state unlock                    break the lock; its holder can no longer write
  chatform state log                       every run: who, when, which commit and plan, how it ended
  chatform state log --verify              check that no entry was removed or edited
  chatform state forget user.mallory       remove from state; the user stays on the platform
  chatform state pull copy.ndjson          the whole state as one file, with a digest
  chatform state push copy.ndjson --state postgres://ci@db.example.com/chatform
  chatform state rebind https://chat.example.com/v3
                                           the application has a new address
  chatform state rebuild manifests/        rebuild a lost state from manifests and platform
  CHATFORM_STATE_KEY=NEW CHATFORM_STATE_KEY_OLD=OLD chatform state rekey
                                           encrypt with a new key, or for the first time

The application comes from the manifests in the current folder or from --base-url. rebuild takes paths of manifests,
reads the platform, and writes only into an empty state. Subcommands that change state take its lock; --lock-timeout
waits for it. unlock, forget and rebind ask for confirmation, and need --auto-approve without a terminal.`,
  exits: {
    '': {
      0: 'done',
      1: 'the state cannot be used',
      3: 'the store refused the login, or the platform refused the token',
      5: 'declined at the prompt, or the key is missing or wrong',
      6: 'another application or lineage, the destination is newer or not empty, or the log was changed',
      7: 'state locked',
      8: 'the lock was lost or the wait for it interrupted',
      64: 'usage, or no terminal to ask on',
      65: 'manifests invalid or untrusted host',
      66: 'no matching address, or the state does not exist',
    },
  },
  options: [
    {
      flags: '--out <file>',
      description: 'pull: file for the copy (default: standard output)',
      writes: writes('state-copy'),
    },
    { flags: '--from <application>', description: 'rebind: which state to use, if a database contains several' },
    { flags: '--auto-approve', description: 'unlock, forget, rebind: do not ask for a confirmation' },
    { flags: '--force', description: 'push, rebuild: replace or extend an existing state' },
    { flags: '--unencrypted', description: 'rekey: store the state unencrypted' },
    { flags: '--verify', description: 'log: check that no entry was removed or edited' },
    redactFlag,
    ...jsonOptions,
    ...platformOptions,
    stateOption,
    lockTimeoutOption,
    verboseOption,
  ],
  schemas: Object.fromEntries(names.map((name) => [name, `results#state_${name.replaceAll('-', '_')}`])),
  run: async (input, environment) => {
    const [name = '', ...args] = input.args;
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (verb === undefined) {
      const [{ Suggestions }, { meantCommand }] = await Promise.all([
        import('../../lib/suggestions.ts'),
        import('../flags/meant.ts'),
      ]);
      const meant = meantCommand(`state ${name}`);
      const hint = meant === undefined ? new Suggestions().sentence(name, names) : ` ${meant}`;
      throw usage(
        `"${name}" is not a subcommand of chatform state.${hint}`,
        `The subcommands are ${names.join(', ')}. See chatform state --help.`,
      );
    }
    const [most, form] = verb.form ?? [args.length, name];
    if (args.length > most) {
      throw usage(`Too many arguments: ${args.slice(most).join(' ')}.`, `Usage: ${chatformCommand(`state ${form}`)}`);
    }
    const { portsOf } = await import('../output/ports.ts');
    const options = { ...applicationFlags(input), ...lockFlags(input) };
    const ended = await verb.run({ args, input, environment, options, ports: portsOf(input, environment) });
    return ended ?? exitCode.done;
  },
};

async function list({ args, input, environment, options, ports }: Task): Promise<undefined> {
  const [{ listAddresses }, { safeJson }] = await Promise.all([
    import('../../core/app/state.ts'),
    import('../../core/view/text/text.ts'),
  ]);
  const addresses = await listAddresses(args, options, ports);
  if (isForPrograms(input)) {
    const listed = [...addresses];
    printResult<'state_list'>(input, environment, () => ({ count: listed.length, addresses: listed }));
    return;
  }
  for (const address of addresses) environment.stdout.write(`${safeJson(address).slice(1, -1)}\n`);
}

async function show({ args, input, environment, options, ports }: Task): Promise<undefined> {
  const [{ recordAt }, { safeJson }] = await Promise.all([
    import('../../core/app/state.ts'),
    import('../../core/view/text/text.ts'),
  ]);
  const record = await recordAt(args[0], options, ports);
  printResult<'state_show'>(
    input,
    environment,
    () => record,
    () => [`${safeJson(record, 2)}\n`],
  );
}

async function html(task: Task): Promise<undefined> {
  const { args, input, environment, options, ports } = task;
  const [file] = args;
  if (file === undefined) throw usage('No file was given.', 'Usage: chatform state html FILE');
  const [{ applicationMap }, { mapAsHtml }, { saveOutput }, { plural }] = await Promise.all([
    import('../../core/app/application-map.ts'),
    import('../../core/view/html/map-page.ts'),
    import('../../core/app/context/output-files.ts'),
    import('../../lib/words.ts'),
  ]);
  const map = await applicationMap(options, ports);
  await saveOutput(
    'application-html',
    environment.cwd,
    file,
    mapAsHtml(map, viewOptions(input, environment, environment.stdout)),
  );
  const counts = { file, channels: map.channels.length, people: map.people.length };
  const written = `${plural(counts.channels, 'channel')} and ${plural(counts.people, 'person', 'people')}`;
  say<'state_html'>(task, counts, `Wrote ${written} to ${file}. It contains names: only its owner may read it.\n`);
}

async function forget(task: Task): Promise<undefined> {
  const { args, options, ports } = task;
  if (args.length === 0)
    throw usage('No address was given.', "For example: chatform state forget user.alice 'user.old-*'");
  const [{ forgetObjects }, { plural }] = await Promise.all([
    import('../../core/app/state.ts'),
    import('../../lib/words.ts'),
  ]);
  const count = await forgetObjects(args, options, ports, (addresses) => {
    const named = addresses.slice(0, maxNamed).map((address) => `  ${address}`);
    if (addresses.length > maxNamed) named.push(`  and ${addresses.length - maxNamed} more`);
    return demandApproval(
      `${named.join('\n')}\n${plural(addresses.length, 'object')} will be removed from state. Nothing changes on the platform. If an object is still declared, the next apply tries to create it and applies policy.existing to the object it finds. Objects that are no longer declared become unmanaged.`,
      task,
    );
  });
  say<'state_forget'>(task, { forgotten: count }, `${plural(count, 'object')} removed from state.\n`);
}

async function lock({ input, environment, options, ports }: Task): Promise<undefined> {
  const [{ findLock }, { lockDocument, lockForPeople }] = await Promise.all([
    import('../../core/app/state.ts'),
    import('../output/state.ts'),
  ]);
  const found = await findLock(options, ports);
  printResult<'state_lock_status'>(
    input,
    environment,
    () => lockDocument(found),
    () => [lockForPeople(found, environment.clock.date())],
  );
}

async function unlock(task: Task): Promise<undefined> {
  const { environment, options, ports } = task;
  const [{ breakLock }, { lockForPeople }] = await Promise.all([
    import('../../core/app/state.ts'),
    import('../output/state.ts'),
  ]);
  const now = environment.clock.date();
  const found = await breakLock(options, ports, (held) =>
    demandApproval(
      `${lockForPeople(held, now)}Breaking the lock locks this holder out permanently: it stops at its next write to state. Requests that it already sent may still arrive; the next run checks them.`,
      task,
    ),
  );
  say<'state_unlock'>(
    task,
    { broken: found.holder !== undefined },
    found.holder === undefined ? lockForPeople(found, now) : 'The lock is broken. The state is unlocked.\n',
  );
}

async function rebind(task: Task): Promise<undefined> {
  const { args, input, options, ports } = task;
  const [{ rebindState }, { plural }] = await Promise.all([
    import('../../tools/state-transfer.ts'),
    import('../../lib/words.ts'),
  ]);
  const rebound = await rebindState({ ...options, to: args[0], from: input.text('from') }, ports, (rebinding) =>
    demandApproval(
      `The state ${rebinding.state}, ${plural(rebinding.records, 'record')}, belongs to ${rebinding.from}.\nIt will become the state of ${rebinding.to}. Continue only if that is the same application under a new address. For a different application, the next apply would change and remove the wrong objects.`,
      task,
    ),
  );
  const since = rebound.from === rebound.to ? 'already' : 'now';
  say<'state_rebind'>(task, rebound, `The state ${rebound.state} ${since} belongs to ${rebound.to}.\n`);
}

async function rebuild({ args, input, environment, options, ports }: Task): Promise<undefined> {
  const [{ rebuildState }, { rebuiltForPeople }] = await Promise.all([
    import('../../tools/live-import/rebuild.ts'),
    import('../output/state.ts'),
  ]);
  const rebuilt = await rebuildState({ ...options, paths: args, isForced: input.flag('force') }, ports);
  printResult<'state_rebuild'>(
    input,
    environment,
    () => rebuilt,
    () => rebuiltForPeople(rebuilt),
  );
}

async function pull(task: Task): Promise<undefined> {
  const { args, input, environment, options, ports } = task;
  const [{ pullState, saveCopy }, { plural }] = await Promise.all([
    import('../../tools/state-transfer.ts'),
    import('../../lib/words.ts'),
  ]);
  const file = args[0] ?? input.text('out');
  if (file === undefined && isForPrograms(input))
    throw usage('The copy and its description cannot both be on standard output.', 'Usage: chatform state pull FILE');
  const pulled = await pullState(options, ports);
  if (file === undefined) for (const piece of pulled.text) environment.stdout.write(piece);
  else await saveCopy(pulled, file, environment.cwd);
  const kept = file === undefined ? '' : ` It contains names and metadata: only its owner may read ${file}.`;
  showSuccess(
    `Copied ${plural(pulled.records, 'record')}, serial ${pulled.serial}, of ${pulled.application}.${kept}\n`,
    environment,
  );
  const { text: _text, ...counts } = pulled;
  if (file !== undefined) say<'state_pull'>(task, { ...counts, file }, '');
}

async function push(task: Task): Promise<undefined> {
  const { args, input, options, ports } = task;
  const [{ pushState }, { plural }] = await Promise.all([
    import('../../tools/state-transfer.ts'),
    import('../../lib/words.ts'),
  ]);
  const [file] = args;
  if (file === undefined) throw usage('No file was given.', 'Usage: chatform state push FILE');
  const pushed = await pushState({ ...options, file, isForced: input.flag('force') }, ports);
  const { wasThere, ...counts } = pushed;
  say<'state_push'>(
    task,
    { ...counts, was_there: wasThere },
    wasThere
      ? `The state ${pushed.state} already contains this copy.\n`
      : `Pushed ${plural(pushed.records, 'record')} of ${pushed.application} to ${pushed.state}, digest verified.\n`,
  );
}

async function log({ input, environment, options, ports }: Task): Promise<ExitCode | undefined> {
  const [{ stateLog }, { trailLine }, { safe }, { plural }] = await Promise.all([
    import('../../core/app/state.ts'),
    import('../output/state.ts'),
    import('../../core/view/text/text.ts'),
    import('../../lib/words.ts'),
  ]);
  const found = await stateLog(options, ports);
  const { entries, faults, digest, kept } = found;
  const { stderr } = environment;
  printResult<'state_log'>(
    input,
    environment,
    () => ({
      entries,
      digest: digest ?? null,
      faults,
      before_values: kept.map(({ run, bytes }) => ({ run, bytes })),
    }),
    () => entries.map((entry) => `${safe(trailLine(entry))}\n`),
  );
  if (!input.flag('verify')) return undefined;
  for (const fault of faults) stderr.write(`${safe(fault)}\n`);
  if (faults.length > 0) {
    stderr.write(`The trail of ${safe(found.state)} was changed: ${plural(faults.length, 'fault')}.\n`);
    return exitCode.conflict;
  }
  const end = digest === undefined ? '' : `, digest ${digest}`;
  showSuccess(`Verified ${plural(entries.length, 'entry', 'entries')}${end}.\n`, environment);
  return undefined;
}

async function rekey(task: Task): Promise<undefined> {
  const { input, options, ports } = task;
  const [{ rekeyState }, { plural }] = await Promise.all([
    import('../../tools/state-transfer.ts'),
    import('../../lib/words.ts'),
  ]);
  const isPlain = input.flag('unencrypted');
  const rekeyed = await rekeyState({ ...options, isPlain }, ports);
  const how = isPlain ? 'now stored unencrypted' : 'now encrypted with the new key';
  say<'state_rekey'>(
    task,
    { ...rekeyed, encrypted: !isPlain },
    `The state ${rekeyed.state} is ${how}: ${plural(rekeyed.records, 'record')}.\n`,
  );
}

function say<Name extends DocumentName = never>(
  { input, environment }: Task,
  result: Unversioned<Name>,
  sentence: string,
): void {
  printResult<Name>(
    input,
    environment,
    () => result,
    () => [sentence],
  );
}

/** Shows `what` will happen, and throws unless the user types yes or has approved with a flag. */
async function demandApproval(what: string, { input, environment }: Task): Promise<void> {
  const { demandYes } = await import('../output/confirm.ts');
  const isGiven = input.flag('auto-approve');
  await demandYes({ what, flag: '--auto-approve', isGiven, declined: 'state.declined' }, environment);
}
