// Shows the progress of a command before its result.

import type { Diagnostic } from '../../core/model/diagnostic.ts';
import type { Notice } from '../../core/model/event.ts';
import { diagnosticsForPeople } from '../../core/view/terminal/diagnostics.ts';
import type { ViewOptions } from '../../core/view/text/options.ts';
import { redactDiagnostics } from '../../core/view/text/redact.ts';
import { safe } from '../../core/view/text/text.ts';
import { typedText } from '../../core/view/text/typed-commands.ts';
import { listOf, plural, printDuration, printNumber, printUtc } from '../../lib/words.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { viewOptions } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';

/** The maximum number of skipped objects to name. */
const mostNamed = 10;

type NoticeOf<Type extends Notice['type']> = Extract<Notice, { readonly type: Type }>;

/** Lines with their ends. */
export function noticeForPeople(notice: Notice, options: ViewOptions): Iterable<string> {
  switch (notice.type) {
    case 'remarks':
      return diagnosticsForPeople(redactDiagnostics(notice.diagnostics, options), options);
    case 'refresh-cost':
      return [refreshCost(notice)];
    case 'refresh-offer':
      return [refreshOffer(notice)];
    case 'refresh-offer-large': {
      const objects = plural(notice.objects, 'object');
      return [`The platform was not read. --refresh would read ${objects}, about a hundred per request.\n`];
    }
    case 'host-silent':
      return [`${safe(notice.host)} does not respond (${safe(notice.why)}). Retrying. Press Ctrl-C to stop.\n`];
    case 'lock-waiting': {
      const atMost = printDuration(notice.atMostMs / 1000);
      return [`Waiting for the lock on the state, at most ${atMost}. It is held by ${safe(notice.holder)}.\n`];
    }
    case 'read-stopping':
      return ['\nStopping. Reads in progress are cancelled.\n'];
    case 'run-stopping':
      return ['\nStopping. No new calls start; running calls finish. Interrupt again to exit at once.\n'];
    case 'run-recovered':
      return [`Checked ${plural(notice.calls, 'interrupted call')} from an earlier run.\n`];
    case 'run-continues': {
      const { run, startedAt, steps } = notice;
      // It was cut off, or it is still running and has the lock.
      if (steps === undefined)
        return [`Run ${run} of ${printUtc(startedAt)} has no recorded end. What is done is not repeated.\n`];
      const done = `${printNumber(steps.succeeded)} of ${plural(steps.planned, 'step')} succeeded`;
      return [`Continuing run ${run} of ${printUtc(startedAt)}, in which ${done}. What is done is not repeated.\n`];
    }
    case 'run-settling': {
      const calls = plural(notice.calls, 'call');
      return [
        `${calls} of an interrupted run may still take effect. Waiting at most ${Math.ceil(notice.ms / 1000)} s for them.\n`,
      ];
    }
    case 'undo-impossible':
      return [
        `chatform undo cannot take this run back: what it changes is larger than ${notice.megabytes} MB (policy.undo.megabytes).\n`,
      ];
    case 'clock-differs':
      return [clockDiffers(notice)];
    case 'plan-left-out':
      return [leftOut(notice)];
    case 'unmanaged-price':
      return [unmanagedPrice(notice)];
    case 'export-reading': {
      const begin = notice.isContinued ? 'Continuing an interrupted export; objects are listed again. ' : '';
      return [`${begin}Reading all of ${safe(notice.application)}, one request for every hundred objects.\n`];
    }
    case 'export-progress':
      return [`Read ${plural(notice.objects, notice.title)} so far.\n`];
    case 'export-price':
      return [exportPrice(notice)];
    case 'messages-unlisted': {
      const where = `in ${plural(notice.channels, 'channel')}`;
      return [
        `The platform counts ${plural(notice.messages, 'message')} ${where} beyond those that were compared: outside the times of the history files, or missing from its lists.\n`,
      ];
    }
    case 'rebuild-comparing':
      return [`Comparing ${plural(notice.historyFiles, 'history file')} with the platform.\n`];
  }
}

/** The number of reads from which a notice is shown. */
const fewReads = 10;

function unlistedInWords(unlisted: NoticeOf<'refresh-cost'>['unlisted']): string {
  if (unlisted === undefined || unlisted.requests <= fewReads) return '';
  const { part, requests, lower_bound_s: atLeastS } = unlisted;
  const takes = atLeastS < 0.1 ? '' : `, at least ${printDuration(atLeastS)} in all`;
  return ` Where the platform lists no ${part}, up to ${plural(requests, 'request')} more${takes}.`;
}

function refreshCost({ kinds, atLeastS, each, unlisted }: NoticeOf<'refresh-cost'>): string {
  const costs = kinds.map(
    ({ title, objects, requests }) =>
      `${plural(objects, title)} ${objects === 1 ? 'costs' : 'cost'} ${plural(requests, 'request')}`,
  );
  const takes = atLeastS < 0.1 ? '' : `, at least ${printDuration(atLeastS)}`;
  const ofSingles = each === 0 ? '' : ` and ${plural(each, 'request')} for single objects`;
  return `Refresh: ${costs.join(', ')}${ofSingles}${takes}.${unlistedInWords(unlisted)}\n`;
}

const pricedParts = { messages: '', pins: 'the pins of ', hidden_channels: 'the hidden channels of ' } as const;
const pricedObjects = { messages: 'message', pins: 'channel', hidden_channels: 'user' } as const;

function exportPrice({ price, isAtMost }: NoticeOf<'export-price'>): string {
  const { kinds, requests, lower_bound_s: atLeastS, is_estimate: isEstimate } = price;
  const bound = isAtMost ? 'at most ' : isEstimate ? 'about ' : '';
  const takes = atLeastS < 0.1 || isAtMost ? '' : `, which takes at least ${printDuration(atLeastS)}`;
  const parts = kinds.map(({ what, objects, requests: count }) => {
    const object = `${pricedParts[what]}${plural(objects, pricedObjects[what])}`;
    return `${printNumber(count)} for ${object}`;
  });
  const from = isEstimate ? ' Estimated from a hundred channels.' : '';
  const listed = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return `Sending ${bound}${plural(requests, 'request')}${takes}${listed}.${from}\n`;
}

function unmanagedPrice({ titles, known, requests, atLeastS, more }: NoticeOf<'unmanaged-price'>): string {
  const takes = (seconds: number) => (seconds < 0.1 ? '' : `, at least ${printDuration(seconds)}`);
  const least = `at least ${plural(requests, 'request')} for ${plural(known, 'known object')}${takes(atLeastS)}`;
  const rest = `${plural(more.requests, 'request')} for each ${printNumber(more.objects)} more${takes(more.atLeastS)}`;
  return `Listing every ${listOf(titles)}, a hundred per request: ${least}, and ${rest}.\n`;
}

function clockDiffers({ aheadMs }: NoticeOf<'clock-differs'>): string {
  const direction = aheadMs > 0 ? 'behind' : 'ahead of';
  return `The clock of this machine is ${printDuration(Math.round(Math.abs(aheadMs) / 60_000) * 60)} ${direction} the platform's. chatform computes when bans and mutes end by the platform's clock. Set this machine's clock.\n`;
}

function refreshOffer({ kinds, atLeastS, unlisted }: NoticeOf<'refresh-offer'>): string {
  const objects = kinds.reduce((sum, kind) => sum + kind.objects, 0);
  const requests = kinds.reduce((sum, kind) => sum + kind.requests, 0);
  const takes = atLeastS < 0.1 ? '' : `, at least ${printDuration(atLeastS)}`;
  const cost = `${plural(objects, 'object')} with ${plural(requests, 'request')}${takes}`;
  return `The platform was not read. --refresh would read ${cost}.${unlistedInWords(unlisted)}\n`;
}

function leftOut({ addresses, steps }: NoticeOf<'plan-left-out'>): string {
  const more = addresses.length > mostNamed ? `, and ${addresses.length - mostNamed} more` : '';
  const names = addresses.slice(0, mostNamed).map(safe).join(', ') + more;
  const them = steps === 1 ? 'it' : 'them';
  return `Skipped ${plural(steps, 'step')} (changed since the plan): ${names}. Re-plan to include ${them}.\n`;
}

/** Notices that are warnings, which -q shows. */
const warnings: ReadonlySet<Notice['type']> = new Set([
  'remarks',
  'undo-impossible',
  'clock-differs',
  'plan-left-out',
  'messages-unlisted',
]);

export function isHidden({ type }: Notice, { isQuiet = false }: CommandEnvironment): boolean {
  return isQuiet && !warnings.has(type);
}

/** The lines of the summary of a command that writes files. -q leaves the warnings, which begin with `!`. */
export function* summaryLines(lines: Iterable<string>, environment: CommandEnvironment): Generator<string> {
  for (const line of lines)
    if (environment.isQuiet !== true || line.startsWith('!')) yield typedText(line, environment);
}

/** Prints lines to stderr that say what a successful command did. -q hides them. */
export function showSuccess(text: string, environment: CommandEnvironment): void {
  if (environment.isQuiet !== true) environment.stderr.write(typedText(text, environment));
}

/** Prints to stderr, so that stdout has only JSON. */
export function showRemarks(
  diagnostics: readonly Diagnostic[],
  input: CommandInput,
  environment: CommandEnvironment,
): void {
  if (diagnostics.length === 0) return;
  const { stderr } = environment;
  const options = viewOptions(input, environment, stderr);
  for (const line of diagnosticsForPeople(redactDiagnostics(diagnostics, options), options)) stderr.write(line);
}
