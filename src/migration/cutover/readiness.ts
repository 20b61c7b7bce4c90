// Decides whether a migration is ready for its cutover, and what is missing.

import type { HistoryFinding } from '../../core/app/visibility/findings.ts';
import { adviceOn, isAccepted } from '../../core/app/visibility/visibility.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { AppliedRun, CutoverCheck, SeriesRun } from '../../core/model/migration/cutover.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import type { HistoryPolicy } from '../../core/model/policy.ts';
import { plural } from '../../lib/words.ts';
import { differencesOf } from './window.ts';

export interface CutoverFacts {
  readonly application: string;
  readonly runs: readonly SeriesRun[];
  /** Lines of the series that cannot be read. */
  readonly broken: number;
  readonly applies: readonly AppliedRun[];
  /** The largest number of messages that one migration call sends. */
  readonly messagesPerCall: number;
  readonly trailFaults: readonly string[];
  /** The number of steps left for an apply, or the reason why no plan could be made. */
  readonly pending: number | string;
  /** Why the state was not read, as a sentence. Then `applies`, `trailFaults` and `pending` say nothing. */
  readonly unreadState?: string | undefined;
  readonly verification: MigrationReport | undefined;
  /** The digest of the ledger that is in the folder. */
  readonly ledger: string | undefined;
  /** Generated files that are missing or were edited. */
  readonly edited: readonly string[];
  /** Files of the last export that are missing or were changed since. */
  readonly exportChanges: readonly string[];
  /** Whether people will see the history. Undefined if the platform was not asked. */
  readonly visibility?: readonly HistoryFinding[] | undefined;
  /** `policy.history` of the manifests. */
  readonly history?: HistoryPolicy | undefined;
}

const advice = {
  restore: 'Restore the generated files from git or a backup, or convert the last export again.',
  convert: 'Convert a later export into this folder, apply the difference and verify.',
  decide: 'Decide in conversion/decisions.yaml, then convert again with --strict.',
  apply: 'chatform plan shows what is left. Apply it, then verify again with --all.',
  reconvert: 'Restore the export from a backup, or convert it again, apply the difference and verify.',
  verify: 'Run chatform verify with --all, and --report conversion/verification.json in this folder.',
  view: 'as_member of conversion/verification.json names the channels. Check display_past_message, then verify again with --all and --as-member.',
  trail: 'chatform state log --verify shows every fault.',
};

/** `isMet` is the reason, as a sentence, if nobody could look. */
type Demand = readonly [
  isMet: boolean | string,
  code: string,
  point: string,
  message: string,
  cure: keyof typeof advice,
];

/** Every point, in the order in which people should act. */
export function checksOf(facts: CutoverFacts): CutoverCheck[] {
  const { runs, broken, pending, ledger, edited, exportChanges, trailFaults, unreadState } = facts;
  const last = runs.at(-1);
  const [isSeries, undecided] = [last !== undefined || broken > 0, last?.undecided ?? 0];
  const isLedger = last === undefined || ledger === last.ledger;
  const [steps, refusal] = typeof pending === 'number' ? [pending, ''] : [0, pending];
  const named = (files: readonly string[]): string =>
    [...files.slice(0, 5), ...(files.length > 5 ? [`and ${files.length - 5} more`] : [])].join(', ');
  const demands: readonly Demand[] = [
    [
      broken === 0,
      'cutover.broken-series',
      'The series of conversions is readable.',
      `${plural(broken, 'line')} of conversion/series.ndjson not valid.`,
      'restore',
    ],
    [
      isSeries,
      'cutover.no-series',
      'An export was converted.',
      'No conversion has left a line in conversion/series.ndjson.',
      'convert',
    ],
    [
      runs.length !== 1,
      'cutover.one-run',
      'A later export was converted, too.',
      'Only one export was converted: the last window is not known.',
      'convert',
    ],
    [
      isLedger,
      'cutover.ledger',
      'The last conversion wrote the ledger.',
      'conversion/ledger.ndjson is not the whole ledger of the last conversion.',
      'restore',
    ],
    [
      edited.length === 0,
      'cutover.edited',
      'Nobody edited the generated files.',
      `Generated files were edited or removed: ${named(edited)}.`,
      'restore',
    ],
    [
      exportChanges.length === 0,
      'cutover.export-changed',
      'The export is unchanged since its conversion.',
      `The export is not the one that was converted: ${named(exportChanges)}.`,
      'reconvert',
    ],
    [
      undecided === 0,
      'cutover.undecided',
      'A person decided about every line that was left out.',
      `${plural(undecided, 'line')} left out without a decision.`,
      'decide',
    ],
    [
      unreadState ?? refusal === '',
      'cutover.not-planned',
      'The manifests can be applied.',
      `The manifests cannot be applied. ${refusal}`,
      'apply',
    ],
    [
      unreadState ?? (refusal === '' ? steps === 0 : hidden),
      'cutover.not-applied',
      'Every step is applied.',
      `${plural(steps, 'step')} not applied yet.`,
      'apply',
    ],
    [
      unreadState ?? trailFaults.length === 0,
      'cutover.trail',
      'The audit trail is unchanged.',
      `The audit trail was changed. ${trailFaults[0]}`,
      'trail',
    ],
    ...verificationDemands(facts),
    [
      !isGrowing(facts),
      'cutover.growing',
      'The differences do not grow.',
      'The last three differences grew: the window may exceed its bound.',
      'convert',
    ],
  ];
  const checks = demands.map(([isMet, code, point, message, cure]): CutoverCheck => {
    if (isMet === true) return { code, point, outcome: 'passed' };
    if (isMet !== false) return { code, point, outcome: 'not_looked_at', message: isMet };
    return { code, point, outcome: warnings.has(code) ? 'warning' : 'blocks', message, advice: advice[cure] };
  });
  return [...checks, ...visibilityChecks(facts)];
}

const warnings: ReadonlySet<string> = new Set(['cutover.one-run', 'cutover.growing']);
const hidden = 'An earlier point must be settled first.';

/** The points that keep a cutover from beginning, and a certificate from being written or accepted. */
export function blocking(checks: readonly CutoverCheck[]): CutoverCheck[] {
  return checks.filter(({ outcome }) => outcome === 'blocks');
}

const visibilityPoints: Readonly<Record<HistoryFinding['code'], string>> = {
  'history.hidden': 'Members see the history.',
  'history.expires': 'The platform keeps the history.',
  'history.unknown': 'The platform shows who sees the history and how long it keeps it.',
};

/** What `policy.history` does not decide blocks. */
function visibilityChecks({ visibility, history }: CutoverFacts): CutoverCheck[] {
  const isUnknown = visibility?.some(({ code }) => code === 'history.unknown') ?? false;
  return (Object.entries(visibilityPoints) as [HistoryFinding['code'], string][]).flatMap(
    ([code, point]): CutoverCheck[] => {
      if (visibility === undefined)
        return [{ code, point, outcome: 'not_looked_at', message: 'The platform was not asked.' }];
      const findings = visibility.filter((finding) => finding.code === code);
      // The history that is not known may be hidden or expire, too.
      if (findings.length === 0 && isUnknown)
        return [{ code, point, outcome: 'not_looked_at', message: 'history.unknown names what is not known.' }];
      if (findings.length === 0) return [{ code, point, outcome: 'passed' }];
      const outcome = isAccepted({ code }, history) ? 'warning' : 'blocks';
      return findings.map((finding) => {
        const { message } = finding;
        return { code, message, advice: adviceOn(finding, history), point, outcome };
      });
    },
  );
}

/** Each has a meaning only if the earlier ones are met. */
function verificationDemands({ verification, application, runs, applies, unreadState }: CutoverFacts): Demand[] {
  const { started_at = '', totals, exit_code, application: verified = '', as_member } = verification ?? {};
  const { mismatched = 0, unreadable = 0, compared = 0, declared = 0 } = totals ?? {};
  const isAfter = (times: readonly string[]): boolean =>
    times.every((time) => Date.parse(time) <= Date.parse(started_at));
  const isAfterRuns = isAfter(runs.map((run) => run.started_at));
  const unmatched = mismatched + unreadable;
  const hiddenFrom = as_member?.hidden_from ?? 0;
  const isFailed = exit_code !== exitCode.done;
  const failures =
    unmatched > 0
      ? (['apply', `${plural(unmatched, 'channel')} did not match in the verification.`] as const)
      : hiddenFrom > 0
        ? ([
            'view',
            `In the verification, ${plural(hiddenFrom, 'membership')} did not show the whole history of the channel.`,
          ] as const)
        : (['apply', 'The verification failed.'] as const);
  const demands: readonly Demand[] = [
    [
      verification !== undefined,
      'cutover.not-verified',
      'The messages were verified.',
      'conversion/verification.json is missing or is not a verification report.',
      'verify',
    ],
    [
      verified === application,
      'cutover.other-application',
      'The verification read this application.',
      `The verified application is ${verified}.`,
      'verify',
    ],
    [
      isAfterRuns && (unreadState ?? isAfter(applies.map(({ finished_at }) => finished_at))),
      'cutover.verification-old',
      'The verification followed the last conversion and apply.',
      'The verification is older than the last conversion or apply.',
      'verify',
    ],
    [
      !isFailed && hiddenFrom === 0,
      'cutover.verification-failed',
      'The verification found no difference.',
      failures[1],
      failures[0],
    ],
    [
      compared === declared,
      'cutover.verification-sampled',
      'The verification compared every message.',
      `The verification compared ${compared} of ${plural(declared, 'message')}.`,
      'verify',
    ],
  ];
  const firstUnmet = demands.findIndex(([isMet]) => isMet === false);
  return demands.map((demand, at) => {
    const [, ...words] = demand;
    return firstUnmet !== -1 && at > firstUnmet ? [hidden, ...words] : demand;
  });
}

/** Whether each of the last three differences has more lines per time than the previous one. */
function isGrowing(facts: CutoverFacts): boolean {
  const rates = differencesOf(facts)
    .slice(-3)
    .map(({ lines, gap }) => lines / Math.max(1, gap));
  return rates.length === 3 && rates.every((rate, at) => at === 0 || rate > (rates[at - 1] ?? 0));
}
