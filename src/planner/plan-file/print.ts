// Writes the text of a plan file. The hash proves that the steps are the approved ones. The checksum at the end proves that
// the rest was not edited: the displayed changes, and the digests that identify done steps.
import { RunningDigest } from '../../lib/digest.ts';
import { type Series, textsOf } from '../../lib/series.ts';
import type { Plan } from '../../model/plan.ts';
import { endName, planFileVersion, sectionMark } from './layout.ts';

/** The number of characters that are hashed and passed on together. */
const pieceLength = 1 << 16;

/** Yields pieces, because the text of a large plan exceeds the maximum length of a string. */
export function* printPlanFile(plan: Plan): Generator<string> {
  const digest = new RunningDigest();
  let piece = '';
  for (const line of lines(plan)) {
    piece += `${line}\n`;
    if (piece.length < pieceLength) continue;
    digest.add(piece);
    yield piece;
    piece = '';
  }
  digest.add(piece);
  yield `${piece}${sectionMark}${endName} ${digest.soFar('hex')}\n`;
}

/**
 * The checksum of a whole plan, with the parts that a file does not have. `take` gets the text of the file.
 */
export function checksumOf(plan: Plan, take: (piece: string) => void = () => {}): string {
  const digest = new RunningDigest();
  for (const piece of printPlanFile(plan)) {
    digest.add(piece);
    take(piece);
  }
  for (const name of ['preconditions', 'needed', 'live'] as const)
    for (const line of section(name, plan[name])) digest.add(`${line}\n`);
  return digest.soFar('hex');
}

function* lines(plan: Plan): Generator<string> {
  // What an apply compares is made again from the origins.
  const { changes, steps, origins, drift, preconditions: _records, needed: _needed, live: _live, ...head } = plan;
  const { checksum: _checksum, ...rest } = head;
  yield JSON.stringify({ file_version: planFileVersion, ...rest });
  yield* section('changes', changes);
  yield* section('steps', steps);
  yield* section('origins', origins);
  yield* section('drift', drift);
}

/** Yields nothing for what is absent. */
function* section(name: string, values: Series<unknown> | undefined): Generator<string> {
  if (values === undefined) return;
  yield sectionMark + name;
  yield* textsOf(values);
}
