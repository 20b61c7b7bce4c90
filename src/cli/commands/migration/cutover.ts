// chatform cutover: whether a migration is ready for its last window, and the certificate after it.

import { posix } from 'node:path';
import { usage } from '../../../core/model/errors.ts';
import { exitCode } from '../../../core/model/exit-code.ts';
import { useCases } from '../../../core/model/library/use-cases.ts';
import type { CutoverState, SeriesRun } from '../../../core/model/migration/cutover.ts';
import { signersInWords } from '../../../core/model/signing/signature.ts';
import { chatformCommand, pathArgument } from '../../../lib/tools/pasted-words.ts';
import type { CommandDefinition } from '../../flags/command.ts';
import { applicationFlags, stateFlags } from '../../flags/command-input.ts';
import {
  applicationOptions,
  colourOption,
  flagOf,
  jsonOptions,
  plainOption,
  stateOption,
} from '../../flags/options.ts';
import type { DocumentName } from '../../output/documents.ts';
import { repeatedFlags } from '../../output/repeated-flags.ts';
import type { Unversioned } from '../../output/result.ts';

const tasks = ['certificate', 'check', 'rehearse'] as const;

export const cutover: CommandDefinition = {
  name: 'cutover',
  arguments: [{ usage: '[folder]', description: 'the folder of conversions (default: the current folder)' }],
  summary: 'check, estimate, rehearse and certify the last step of a migration',
  help: `Examples:
  chatform cutover chat                             ready or not, how long the last window takes, what to do
  chatform cutover chat --rehearse                  all of it in virtual time, before anything is sent
  chatform cutover chat --certificate               after the last verification
  chatform cutover chat --certificate --sign-command 'ssh-keygen -q -Y sign -f ~/.ssh/id_ed25519 -n chatform'
  chatform cutover chat --check --verify-command \\
    'ssh-keygen -Y verify -f signers -I ann@example.com -n chatform -s "$SIGNATURE"'

Each conversion leaves a line in conversion/series.ndjson, and each apply an entry in the audit trail. From these and the
rate limits the command estimates the last window. It reads files and state and, if a token is set, the settings of the
platform that decide whether people will see the history. The report of the last verification is
expected in conversion/verification.json: chatform verify chat --all --report chat/conversion/verification.json

The certificate is written to conversion/certificate.json, .md and .html. It contains the counts of each channel, what
was left out and by whose decision, and a SHA-256 of the export, the ledger, the history files and the verification. --check
compares all of these files again. It also goes through the list of what blocks a cutover, without the network: it names the
points that it could not look at, and ends with 4 if one blocks. The signature commands run in a shell and read the certificate from standard input.
--sign-command prints the signature. --verify-command finds the path of the signature in $SIGNATURE and must exit with 0.
--require-signature demands a signature by ssh of somebody in policy.approvals.signers, as chatform apply does for plans.`,
  exits: {
    '': {
      0: 'ready, written or unchanged',
      1: 'the signer failed, or a file cannot be written',
      4: 'not ready, also for --check, or a phase of the rehearsal would not succeed',
      5: 'not ready for a certificate or a rehearsal, or not signed',
      6: 'a file, the certificate or its signature was changed',
      64: 'usage',
      65: 'manifests invalid',
    },
  },
  options: [
    { flags: '--certificate', description: 'write the certificate, if everything was applied and verified' },
    flagOf(useCases.plan.signCommand),
    { flags: '--check', description: 'compare the certificate with the files that it names' },
    { flags: '--verify-command <command>', description: 'with --check: reads the certificate and $SIGNATURE' },
    flagOf(useCases.apply.requireSignature),
    flagOf(useCases.apply.approvalsFrom),
    flagOf(useCases.apply.approvalsRef),
    { flags: '--rehearse', description: 'run bulk, differences and window against a simulated platform' },
    ...jsonOptions,
    ...applicationOptions,
    stateOption,
    colourOption,
    plainOption,
  ],
  schemas: {
    '': 'results#cutover',
    '--certificate': 'certificate',
    '--check': 'results#cutover_checked',
    '--rehearse': 'results#cutover_rehearsed',
  },
  run: async (input, environment) => {
    const [app, { portsOf }, { safe }, view, { plural }, { printResult }] = await Promise.all([
      import('../../../migration/cutover.ts'),
      import('../../output/ports.ts'),
      import('../../../core/view/text/text.ts'),
      import('../../../core/view/reports/cutover.ts'),
      import('../../../lib/words.ts'),
      import('../../output/result.ts'),
    ]);
    const [folder = '.', ...more] = input.args;
    if (more.length > 0) throw usage('Only one folder can be named.', 'For example: chatform cutover chat');
    const [task, second] = tasks.filter((name) => input.flag(name));
    if (second !== undefined) throw usage(`--${task} and --${second} cannot be combined.`, 'Pass only one of them.');
    const [signCommand, verifyCommand] = [input.text('sign-command'), input.text('verify-command')];
    if (signCommand !== undefined && task !== 'certificate')
      throw usage('--sign-command needs --certificate.', 'Add --certificate, or remove --sign-command.');
    if (verifyCommand !== undefined && task !== 'check')
      throw usage('--verify-command needs --check.', 'Add --check, or remove --verify-command.');
    const requireSignature = input.flag('require-signature');
    if (requireSignature && task !== 'check')
      throw usage('--require-signature needs --check.', 'Add --check, or remove --require-signature.');
    const ports = portsOf(input, environment);
    const flags = stateFlags(input);
    const state = flags.state ?? (await app.stateOfFolder(folder, ports));
    const options = { ...applicationFlags(input), ...flags, state, folder };
    const answer = <Name extends DocumentName = never>(value: Unversioned<Name>, texts: () => Iterable<string>): void =>
      printResult<Name>(input, environment, () => value, texts);
    if (task === 'certificate') {
      const certificate = await app.certifyCutover({ ...options, signCommand }, ports);
      const { digest, files } = certificate;
      answer<'certificate'>(certificate, () => [
        `Wrote the certificate of ${plural(files.length, 'file')} to ${safe(posix.join(folder, 'conversion/certificate.json'))}, .md and .html\n`,
        `Digest ${digest}${signCommand === undefined ? '. It is not signed.' : ', signed in certificate.json.sig'}\n`,
      ]);
      return exitCode.done;
    }
    if (task === 'check') {
      const approval = {
        requireSignature,
        approvalsFrom: input.text('approvals-from'),
        approvalsRef: input.text('approvals-ref'),
      };
      const checked = await app.checkCutover({ ...options, verifyCommand, ...approval }, ports);
      const { certificate, files, signature, signer, checks } = checked;
      const isReady = readyOf(checks);
      const { digest, written_at } = certificate;
      const by = signer === undefined ? '' : `, by ${safe(signersInWords(signer))}`;
      const facts = { digest, written_at, files, signature, ...(signer === undefined ? {} : { signer }) };
      answer<'cutover_checked'>({ ready: isReady, ...facts, checks }, () => [
        `Unchanged since ${safe(written_at)}: the certificate and ${plural(files, 'file')}, including the export.\n`,
        `Digest ${digest}. Signature: ${signature === 'not checked' ? 'not checked; pass --verify-command or --require-signature' : signature}${by}.\n`,
        ...view.checksForPeople(checks),
      ]);
      return isReady ? exitCode.done : exitCode.incomplete;
    }
    if (task === 'rehearse') {
      const phases = await app.rehearseCutover(options, ports);
      answer<'cutover_rehearsed'>({ phases }, () => view.phasesForPeople(phases));
      return phases.every(({ outcome }) => outcome === 'done') ? exitCode.done : exitCode.incomplete;
    }
    const found = await app.readCutover(options, ports);
    const repeated = repeatedFlags(input, environment.env, state);
    const isReady = readyOf(found.checks);
    answer<'cutover'>({ ready: isReady, ...found }, () =>
      view.cutoverForPeople(found, commandsOf(found, folder, repeated), applyCommand(folder, repeated)),
    );
    return isReady ? exitCode.done : exitCode.incomplete;
  },
};

function readyOf(checks: CutoverState['checks']): boolean {
  return checks.every(({ outcome }) => outcome !== 'blocks');
}

/** `flags` are those that the commands need as this one does. */
function commandsOf({ runs }: CutoverState, folder: string, flags: string): string[] {
  const last = runs.at(-1);
  const out = pathArgument(folder);
  const report = posix.join(folder, 'conversion/verification.json');
  return [
    chatformCommand('convert', ...exportOf(last, folder), '--out-dir', folder, '--strict'),
    applyCommand(folder, flags),
    `${chatformCommand('verify', out, '--all', '--report', report)}${flags}`,
    `${chatformCommand('cutover', out)}${flags} --certificate`,
  ];
}

function applyCommand(folder: string, flags: string): string {
  return `${chatformCommand('apply', pathArgument(folder))}${flags}`;
}

/** The arguments that name the export of a conversion. Its paths are relative to the folder. */
function exportOf(run: SeriesRun | undefined, folder: string): readonly string[] {
  if (run === undefined) return ['SOURCE', 'EXPORT'];
  const { source, mapping, identities, database } = run;
  const path = (name: string): string => pathArgument(posix.join(folder, name));
  const files = run.export.paths.filter((name) => name !== mapping).map(path);
  return [
    mapping === undefined ? source : 'table',
    ...(database === undefined ? files : ['--from-env', database.variable, '--full']),
    ...(mapping === undefined ? [] : ['--mapping', path(mapping)]),
    ...(identities === undefined ? [] : ['--identities', path(identities)]),
  ];
}
