// Asks the platform whether people will see the history. Nothing else of the cutover needs the platform.

import { reachOf } from '../../../app/context/connect.ts';
import type { Ports } from '../../../app/context/ports.ts';
import { checkVisibility, isAccepted, notKnown } from '../../../app/visibility/visibility.ts';
import type { CutoverCheck } from '../../../model/migration/cutover.ts';
import type { ReadFacts } from './facts.ts';

/** What is not decided in `policy.history` keeps the window from beginning. Refused (8) after an interrupt. */
export async function visibilityChecks(
  { platform, resources, snapshot: state, history }: ReadFacts,
  ports: Ports,
): Promise<CutoverCheck[]> {
  const check = { resources, state, isWhole: true, readings: platform.decided, now: ports.clock.date() };
  const findings = await reachOf(platform, ports)(
    (ask) => checkVisibility(check, ask),
    (reason) => notKnown(check, reason),
  );
  return findings.map((finding) => ({ ...finding, blocks: isAccepted(finding, history) ? 'warning' : 'certificate' }));
}
