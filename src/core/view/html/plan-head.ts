// The head of the page of a plan: its status, how many objects it changes, where it comes from and how to apply it.

import { plural, printNumber, printUtc } from '../../../lib/words.ts';
import type { Plan } from '../../model/plan.ts';
import { signatureSentence } from '../summary/signature.ts';
import { changesInWords, commandOf, objectsInWords, statusOf } from '../summary/status.ts';
import { coverageSentence, durationInWords, isEmpty, newStateSentence, totalRequests } from '../summary/verdict.ts';
import { actorInWords } from '../text/actor.ts';
import type { ViewOptions } from '../text/options.ts';
import { typedText } from '../text/typed-commands.ts';
import { copied, hashShown, type PageHead } from './frame.ts';
import type { ObjectEffect } from './rows.ts';

export function headOf(plan: Plan, options: ViewOptions): PageHead {
  const { writing, signature, origin, applying } = options;
  const { branch, request } = refOf(origin?.ref);
  return {
    kind: commandOf(plan),
    status: statusOf(plan, options),
    verdict: [newStateSentence(plan) ?? [], changesInWords(plan)].flat().join(' '),
    application: plan.application,
    planHash: plan.hash,
    facts: [
      ['Commit', (plan.commit ?? origin?.commit)?.slice(0, hashShown)],
      ['Branch', branch],
      ['Pull request', request],
      ['State', plan.state],
      ['Requests', isEmpty(plan) ? undefined : printNumber(totalRequests(plan))],
      ['Takes', durationInWords(plan, (limit) => limit)],
      ['Live objects', liveInWords(plan)],
      ['Coverage', coverageSentence(plan)],
      ['Signature', signature && signatureSentence(signature)],
      // A saved plan does not say who made it.
      ['Page written', writing === undefined ? undefined : `${printUtc(writing.at)} by ${actorInWords(writing.by)}`],
      [
        'To apply',
        applying === undefined || isEmpty(plan) ? undefined : copied(typedText(applying, options), 'command'),
      ],
    ],
    skip: ['#changes-title', 'Skip to the changes'],
  };
}

function liveInWords({ refreshed }: Plan): string | { readonly html: string } {
  return refreshed === undefined
    ? { html: '<strong class="label caution">not read</strong> Edits that others made are unknown.' }
    : `${printNumber(refreshed.objects)} read with ${plural(refreshed.requests, 'request')}`;
}

/** `refs/heads/main` is a branch, `refs/pull/42/merge` a request. A name without `refs/` is a branch. */
function refOf(ref = ''): { readonly branch?: string; readonly request?: string } {
  const [, number] = /^refs\/(?:pull|merge-requests)\/(\d+)\//u.exec(ref) ?? [];
  if (number !== undefined) return { request: `#${number}` };
  const branch = ref.replace(/^refs\/heads\//u, '');
  return branch === '' || branch.startsWith('refs/') ? {} : { branch };
}

const effectSigns: Readonly<Record<ObjectEffect, string>> = { added: '+', changed: '~', removed: '−' };

/** `6 objects change, 94 stay`, then how many are new, changed and gone. */
export function countsOf(plan: Plan, counts: Readonly<Record<ObjectEffect, number>>): string {
  const words = objectsInWords(plan);
  if (words === undefined) return '';
  const parts = (Object.keys(effectSigns) as ObjectEffect[]).flatMap((effect) =>
    counts[effect] === 0
      ? []
      : [`<span class="${effect}">${effectSigns[effect]} ${printNumber(counts[effect])} ${effect}</span>`],
  );
  return `<p class="counts">${words}: ${parts.join(' ')}</p>\n`;
}
