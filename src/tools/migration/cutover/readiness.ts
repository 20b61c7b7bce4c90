// Decides whether a migration is ready for its cutover, and what is missing.

import { exitCode } from '../../../model/exit-code.ts';
import type { AppliedRun, CutoverCheck, SeriesRun } from '../../../model/migration/cutover.ts';
import type { MigrationReport } from '../../../model/migration-report.ts';
import { plural } from '../../../view/text/words.ts';
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
  readonly verification: MigrationReport | undefined;
  /** The digest of the ledger that is in the folder. */
  readonly ledger: string | undefined;
  /** Generated files that are missing or were edited. */
  readonly edited: readonly string[];
}

const advice = {
  restore: 'Restore the generated files from git or a backup, or convert the last export again.',
  convert: 'Convert a later export into this folder, apply the difference and verify.',
  decide: 'Decide in conversion/decisions.yaml, then convert again with --strict.',
  apply: 'chatform plan shows what is left. Apply it, then verify again with --all.',
  verify: 'Run chatform verify with --all, and --report conversion/verification.json in this folder.',
  view: 'as_member of conversion/verification.json names the channels. Check display_past_message, then verify again with --all and --as-member.',
  trail: 'chatform state log --verify shows every fault.',
};

type Demand = readonly [isMet: boolean, code: string, message: string, cure: keyof typeof advice];

/** In the order in which people should act. */
export function checksOf(facts: CutoverFacts): CutoverCheck[] {
  const { runs, broken, pending, ledger, edited, trailFaults } = facts;
  const last = runs.at(-1);
  const [isSeries, undecided] = [last !== undefined || broken > 0, last?.undecided ?? 0];
  const isLedger = last === undefined || ledger === last.ledger;
  const [steps, refusal] = typeof pending === 'number' ? [pending, ''] : [0, pending];
  const named = [...edited.slice(0, 5), ...(edited.length > 5 ? [`and ${edited.length - 5} more`] : [])].join(', ');
  const demands: readonly Demand[] = [
    [
      broken === 0,
      'cutover.broken-series',
      `${plural(broken, 'line')} of conversion/series.ndjson not valid.`,
      'restore',
    ],
    [isSeries, 'cutover.no-series', 'No conversion has left a line in conversion/series.ndjson.', 'convert'],
    [runs.length !== 1, 'cutover.one-run', 'Only one export was converted: the last window is not known.', 'convert'],
    [isLedger, 'cutover.ledger', 'conversion/ledger.ndjson is not the whole ledger of the last conversion.', 'restore'],
    [edited.length === 0, 'cutover.edited', `Generated files were edited or removed: ${named}.`, 'restore'],
    [undecided === 0, 'cutover.undecided', `${plural(undecided, 'line')} left out without a decision.`, 'decide'],
    [refusal === '', 'cutover.not-planned', `The manifests cannot be applied. ${refusal}`, 'apply'],
    [steps === 0, 'cutover.not-applied', `${plural(steps, 'step')} not applied yet.`, 'apply'],
    [trailFaults.length === 0, 'cutover.trail', `The audit trail was changed. ${trailFaults[0]}`, 'trail'],
    // Show only the first one: the others have the same remedy.
    ...verificationDemands(facts)
      .filter(([isMet]) => !isMet)
      .slice(0, 1),
    [
      !isGrowing(facts),
      'cutover.growing',
      'The last three differences grew: the window may exceed its bound.',
      'convert',
    ],
  ];
  return demands.flatMap(([isMet, code, message, cure]) =>
    isMet ? [] : [{ code, blocks: blocks[code] ?? 'certificate', message, advice: advice[cure] }],
  );
}

const blocks: Readonly<Record<string, CutoverCheck['blocks']>> = {
  'cutover.one-run': 'warning',
  'cutover.growing': 'warning',
};

function verificationDemands({ verification, application, runs, applies }: CutoverFacts): Demand[] {
  if (verification === undefined)
    return [
      [
        false,
        'cutover.not-verified',
        'conversion/verification.json is missing or is not a verification report.',
        'verify',
      ],
    ];
  const { started_at, totals, exit_code, application: verified, as_member } = verification;
  const { mismatched, unreadable, compared, declared } = totals;
  const changes = [...applies.map(({ finished_at }) => finished_at), ...runs.map((run) => run.started_at)];
  const isNew = changes.every((time) => Date.parse(time) <= Date.parse(started_at));
  const unmatched = mismatched + unreadable;
  const hidden = as_member?.hidden_from ?? 0;
  const isFailed = exit_code !== exitCode.done && (unmatched > 0 || hidden === 0);
  const failed =
    unmatched > 0 ? `${plural(unmatched, 'channel')} did not match in the verification.` : 'The verification failed.';
  const unseen = `In the verification, ${plural(hidden, 'membership')} did not show the whole history of the channel.`;
  return [
    [verified === application, 'cutover.other-application', `The verified application is ${verified}.`, 'verify'],
    [isNew, 'cutover.verification-old', 'The verification is older than the last conversion or apply.', 'verify'],
    [!isFailed, 'cutover.verification-failed', failed, 'apply'],
    [hidden === 0, 'cutover.verification-failed', unseen, 'view'],
    [
      compared === declared,
      'cutover.verification-sampled',
      `The verification compared ${compared} of ${plural(declared, 'message')}.`,
      'verify',
    ],
  ];
}

/** Whether each of the last three differences has more lines per time than the previous one. */
function isGrowing(facts: CutoverFacts): boolean {
  const rates = differencesOf(facts)
    .slice(-3)
    .map(({ lines, gap }) => lines / Math.max(1, gap));
  return rates.length === 3 && rates.every((rate, at) => at === 0 || rate > (rates[at - 1] ?? 0));
}
