// Writes the text of a plan file. It has no steps: a reader makes them again from the origins, and the hash proves that they are
// the approved ones. The checksum at the end proves that the file was not edited.
import { RunningDigest } from '../../../lib/digest.ts';
import { type Series, textsOf } from '../../../lib/series.ts';
import { type Plan, partsFromOrigins } from '../../model/plan.ts';
import { endName, outsideHead, planFileVersion, sectionMark, sectionNames } from './layout.ts';

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
  for (const name of partsFromOrigins) {
    const part = plan[name];
    const values = name === 'summary' ? [part] : (part as Series<unknown> | undefined);
    for (const line of section(name, values)) digest.add(`${line}\n`);
  }
  return digest.soFar('hex');
}

function* lines(plan: Plan): Generator<string> {
  const head = Object.entries(plan).filter(([name]) => !outsideHead.has(name));
  yield JSON.stringify({ file_version: planFileVersion, ...Object.fromEntries(head) });
  for (const name of sectionNames) yield* section(name, plan[name]);
}

/** Yields nothing for what is absent. */
function* section(name: string, values: Series<unknown> | undefined): Generator<string> {
  if (values === undefined) return;
  yield sectionMark + name;
  yield* textsOf(values);
}
