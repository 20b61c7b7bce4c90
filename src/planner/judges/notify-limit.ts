// Refuses plans of which more people notice something than the policy allows (semantics §15.6).

import type { Series } from '../../lib/series.ts';
import { type NoticeSection, notifyEffect } from '../../model/people/notices.ts';
import type { Policy } from '../../model/policy.ts';
import type { Finding } from '../draft/finding.ts';
import type { Acknowledgements } from './acknowledgements.ts';

/** `people`: the ids of those who notice something. */
export function overNotifyLimit(
  notices: NoticeSection | undefined,
  people: Series<string>,
  { notify }: Pick<Policy, 'notify'>,
  acknowledgements: Acknowledgements,
): Finding[] {
  if (notify === undefined) return [];
  if (people.length <= notify.at_most) {
    // A resumed run meets fewer people than were acknowledged.
    acknowledgements.keep(notifyEffect, people);
    return [];
  }
  const { isMeant, total, faults } = acknowledgements.ask(notifyEffect, people);
  if (isMeant) return [];
  return [
    {
      severity: 'error',
      problem: {
        code: 'safety.notify',
        effect: notifyEffect,
        people: people.length,
        atMost: notify.at_most,
        unknownCalls: notices?.not_known.reduce((sum, { calls }) => sum + calls, 0) ?? 0,
        total,
        faults,
      },
      acknowledge: { effect: notifyEffect, count: total },
    },
  ];
}
