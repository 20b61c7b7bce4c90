// Refuses to send what an application is known to ignore: the ai object of bots (platform §9.3).

import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** The plan would change ai again and again. Called only if the application shows ai without taking it (reading `botAi`). */
export function ignoredAi(changes: Iterable<Change>): Diagnostic[] {
  const refusals: Diagnostic[] = [];
  for (const { address, attributes } of changes) {
    if (!address.startsWith('bot.') || !attributes.some(({ path, after }) => path[0] === 'ai' && after !== undefined))
      continue;
    refusals.push({
      severity: 'error',
      code: 'bot.ai-not-writable',
      summary: 'The application does not take ai from a call',
      detail: `${address} declares ai, but by its readings the application only shows it. Set it in the dashboard, and declare the values that the platform shows, or none.`,
      address,
    });
  }
  return refusals;
}
