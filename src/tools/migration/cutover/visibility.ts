// Asks the platform whether people will see the history. Nothing else of the cutover needs the platform.

import { reachOf } from '../../../app/context/connect.ts';
import type { Ports } from '../../../app/context/ports.ts';
import { checkVisibility, notKnown } from '../../../app/visibility/visibility.ts';
import type { ReadFacts } from './facts.ts';
import type { CutoverFacts } from './readiness.ts';

/** Refused (8) after an interrupt. */
export async function readVisibility(
  { platform, resources, snapshot: state }: ReadFacts,
  ports: Ports,
): Promise<NonNullable<CutoverFacts['visibility']>> {
  const check = { resources, state, isWhole: true, readings: platform.decided, now: ports.clock.date() };
  return reachOf(platform, ports)(
    (ask) => checkVisibility(check, ask),
    (reason) => notKnown(check, reason),
  );
}
