// Names plans that erase users of an application that may have no data requests (platform §4.7).

import type { Plan } from '../../model/plan.ts';
import type { Finding } from '../draft/finding.ts';
import type { Judgement } from './judge.ts';

/** Refuses if the application is known to have none. `hasThem` is its behaviour, if that is decided. */
export function judgeDataRequests({ requests }: Pick<Plan, 'requests'>, hasThem: boolean | undefined): Judgement {
  if (!requests.some(({ route }) => route === '/privacy/gdpr')) return { refusals: [] };
  const problem = { code: 'user.data-requests', isKnown: hasThem === false } as const;
  const finding: Finding = { severity: problem.isKnown ? 'error' : 'warning', problem };
  return problem.isKnown ? { refusals: [finding] } : { refusals: [], remarks: [finding] };
}
