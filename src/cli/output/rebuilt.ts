// Shows what state rebuild has found, and what nobody can know any more.
import type { Rebuilt } from '../../app/rebuild.ts';
import { safe } from '../../view/text.ts';
import { listOf, plural, printNumber } from '../../view/words.ts';

export function* rebuiltForPeople(rebuilt: Rebuilt): Generator<string> {
  const { state, records, missing, differing, partial, hidden } = rebuilt;
  const sentences = [`The state ${safe(state)} knows ${plural(records, 'object')} again.`];
  if (missing > 0) {
    const are = missing === 1 ? 'is' : 'are';
    sentences.push(`${plural(missing, 'declared object')} ${are} not there; apply creates what is missing.`);
  }
  if (differing > 0) sentences.push(`The next plan shows the changes of ${plural(differing, 'object')}.`);
  yield `${sentences.join(' ')}\n`;
  for (const { channel_url: key, declared, missing: absent, moved, note } of partial) {
    const there = note ?? `${printNumber(declared - absent - moved)} of ${plural(declared, 'message')} are there`;
    yield `! messages.${safe(key)}  ${safe(there)}. Apply looks for the others before it sends them, and sends only what is not there.\n`;
  }
  yield 'Not known any more:\n';
  yield '  - objects that were declared once and are not now: they stay as they are, unmanaged\n';
  yield '  - members, operators and metadata whose lines were removed before: nothing removes them\n';
  const names = Array.from(hidden, ([name, count]) => `${name} (${printNumber(count)})`);
  if (names.length > 0) {
    yield `  - what no read shows, which counts as declared: ${listOf(names)}; raise a revision to set it again\n`;
  }
}
