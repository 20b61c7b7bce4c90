// Writes the text of a plan file. The hash proves that the steps are the approved ones. The checksum at the end proves that
// the rest was not edited: the displayed changes, and the digests that identify done steps.
import { RunningDigest } from '../../lib/digest.ts';
import { type Series, textsOf } from '../../lib/series.ts';
import type { Plan } from '../../model/plan.ts';
import { endName, planFileVersion, type SectionName, sectionMark } from './layout.ts';

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
 * The checksum of a plan. `take` gets the text that it covers, which is that of a plan file.
 */
export function checksumOf(plan: Plan, take: (piece: string) => void = () => {}): string {
  let last = '';
  for (const piece of printPlanFile(plan)) {
    take(piece);
    last = piece;
  }
  return last.slice(last.lastIndexOf(' ') + 1).trimEnd();
}

function* lines(plan: Plan): Generator<string> {
  const { changes, steps, drift, preconditions, needed, live, checksum: _checksum, ...rest } = plan;
  yield JSON.stringify({ file_version: planFileVersion, ...rest });
  yield* section('changes', changes);
  yield* section('steps', steps);
  yield* section('preconditions', preconditions);
  yield* section('drift', drift);
  yield* section('needed', needed);
  yield* section('live', live);
}

/** Yields nothing for absent drift, needed objects or live conditions. */
function* section(name: SectionName, values: Series<unknown> | undefined): Generator<string> {
  if (values === undefined) return;
  yield sectionMark + name;
  yield* textsOf(values);
}
