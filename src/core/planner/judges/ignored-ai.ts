// Refuses to send what an application is known to ignore: the ai object of bots (platform §9.3).

import type { Change } from '../../model/change.ts';
import type { Finding } from '../draft/finding.ts';

/** The plan would change ai again and again. Called only if the application shows ai without taking it (behaviour `botAi`). */
export function ignoredAi(changes: Iterable<Change>): Finding[] {
  const refusals: Finding[] = [];
  for (const { address, attributes } of changes) {
    if (!address.startsWith('bot.') || !attributes.some(({ path, after }) => path[0] === 'ai' && after !== undefined))
      continue;
    refusals.push({ severity: 'error', problem: { code: 'bot.ai-not-writable', address }, address });
  }
  return refusals;
}
