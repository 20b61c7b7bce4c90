// Writes a plan file, which is JSON. Its hash proves that the steps are the approved ones; the checksum at its end proves
// that nobody edited the rest: what people read, and the digests by which done steps are recognised. reader.ts reads it.
import { TextDigest } from '../../lib/digest.ts';
import type { Plan } from '../../model/plan.ts';

/** In pieces, a line for each change and step: a large plan is longer than a string may be. */
export function* printPlanFile(plan: Plan): Generator<string> {
  const digest = new TextDigest();
  for (const piece of document(plan)) {
    digest.add(piece);
    yield piece;
  }
  digest.add('}');
  yield `,"checksum":"${digest.end()}"}\n`;
}

/** Everything but the brace that ends it. */
function* document({ changes, steps, drift, preconditions, needed, live, ...rest }: Plan): Generator<string> {
  yield JSON.stringify(rest).slice(0, -1);
  yield* list('changes', changes);
  yield* list('steps', steps);
  if (drift !== undefined) yield* list('drift', drift);
  yield* members('preconditions', preconditions);
  if (needed !== undefined) yield* members('needed', needed);
  if (live !== undefined) yield* members('live', live);
}

function* list(name: string, values: Iterable<unknown>): Generator<string> {
  let before = `,\n"${name}":[\n`;
  for (const value of values) {
    yield before + JSON.stringify(value);
    before = ',\n';
  }
  yield before.startsWith(',\n"') ? `,\n"${name}":[]` : '\n]';
}

function* members(name: string, entries: Iterable<readonly [string, unknown]>): Generator<string> {
  let before = `,\n"${name}":{\n`;
  for (const [key, value] of entries) {
    yield `${before}${JSON.stringify(key)}:${JSON.stringify(value)}`;
    before = ',\n';
  }
  yield before.startsWith(',\n"') ? `,\n"${name}":{}` : '\n}';
}
