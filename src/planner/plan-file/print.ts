// Writes the text of a plan file. Its hash proves that the steps are the approved ones; the checksum at its end proves
// that nobody edited the rest: what people read, and the digests by which done steps are recognised.
import { TextDigest } from '../../lib/digest.ts';
import { InternalError } from '../../lib/errors.ts';
import { type Series, shortMark, textsOf } from '../../lib/series.ts';
import type { Plan } from '../../model/plan.ts';
import { ShortCreations } from '../templates/short-creations.ts';
import { endName, planFileVersion, type SectionName, sectionMark } from './layout.ts';

/** Characters that are hashed and passed on together. */
const pieceLength = 1 << 16;

/** In pieces: the text of a large plan is longer than a string may be. */
export function* printPlanFile(plan: Plan): Generator<string> {
  const digest = new TextDigest();
  let piece = '';
  for (const line of lines(plan)) {
    piece += `${line}\n`;
    if (piece.length < pieceLength) continue;
    digest.add(piece);
    yield piece;
    piece = '';
  }
  digest.add(piece);
  yield `${piece}${sectionMark}${endName} ${digest.end()}\n`;
}

function* lines({
  changes,
  steps,
  drift,
  preconditions,
  needed,
  live,
  templates = [],
  ...rest
}: Plan): Generator<string> {
  yield JSON.stringify({ file_version: planFileVersion, ...rest });
  const creations = new NumberedCreations(steps, templates);
  if (creations.length > 0) {
    yield* section(
      'templates',
      templates.map((template) => JSON.stringify(template)),
    );
    yield* section('creations', creations.texts());
  }
  yield* section('changes', creations.named(changes));
  yield* section('steps', creations.named(steps));
  yield* section('preconditions', creations.named(preconditions));
  if (drift !== undefined) yield* section('drift', textsOf(drift));
  if (needed !== undefined) yield* section('needed', textsOf(needed));
  if (live !== undefined) yield* section('live', textsOf(live));
}

function* section(name: SectionName, values: Iterable<string>): Generator<string> {
  yield sectionMark + name;
  yield* values;
}

/** The templated creations of a plan, in the order of its steps: those of one kind follow one another. */
class NumberedCreations {
  readonly length: number;
  readonly #steps: Series<unknown>;
  readonly #creations = new ShortCreations();
  /** By kind, the number of its first creation. */
  readonly #firsts = new Map<string, number>();

  constructor(steps: Series<unknown>, templates: NonNullable<Plan['templates']>) {
    this.#steps = steps;
    for (const template of templates) this.#creations.add(template);
    let [length, kind] = [0, ''];
    for (const text of this.texts()) {
      const own = this.#creations.kindOf(text);
      if (own !== kind && this.#firsts.has(own)) throw new InternalError(`the creations of ${own} are not together`);
      if (own !== kind) this.#firsts.set(own, length);
      kind = own;
      length += 1;
    }
    this.length = length;
  }

  *texts(): Generator<string> {
    for (const text of textsOf(this.#steps)) if (text.startsWith(shortMark)) yield text;
  }

  /** One line for each value, and one for creations that follow one another. Those of a kind have the same order in any series. */
  *named(values: Series<unknown>): Generator<string> {
    const numbers = new Map(this.#firsts);
    let run = { first: 0, count: 0 };
    for (const text of textsOf(values)) {
      const isCreation = text.startsWith(shortMark);
      const kind = isCreation ? this.#creations.kindOf(text) : '';
      const number = numbers.get(kind) ?? 0;
      if (isCreation) numbers.set(kind, number + 1);
      if (isCreation && run.count > 0 && number === run.first + run.count) {
        run.count += 1;
        continue;
      }
      if (run.count > 0) yield lineOf(run);
      run = { first: number, count: isCreation ? 1 : 0 };
      if (!isCreation) yield text;
    }
    if (run.count > 0) yield lineOf(run);
  }
}

function lineOf({ first, count }: { readonly first: number; readonly count: number }): string {
  return `${shortMark}${first} ${count}`;
}
