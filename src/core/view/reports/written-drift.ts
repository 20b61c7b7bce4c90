// Shows which drift was written to the manifests, and which values people have to change by hand.

import { plural } from '../../../lib/words.ts';
import { type AttributeChange, type Drift, printPath } from '../../model/change.ts';
import { printPosition } from '../../model/source.ts';
import { withEnds } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { redactDrift } from '../text/redact.ts';
import { printValue, safe } from '../text/text.ts';

interface AcceptedDrift {
  readonly written: readonly Drift[];
  readonly left: readonly Drift[];
  readonly files: readonly string[];
}

export function writtenDrift({ written, left, files }: AcceptedDrift, options: ViewOptions): Iterable<string> {
  return withEnds(linesOf(redactDrift(written, options), redactDrift(left, options), files));
}

function* linesOf(written: readonly Drift[], left: readonly Drift[], files: readonly string[]): Generator<string> {
  if (written.length === 0)
    yield left.length === 0 ? 'Nothing to write: there is no drift.' : 'No manifest was changed.';
  else
    yield `Wrote ${plural(written.length, 'value')} to ${plural(files.length, 'file')}. Review the change, then plan with --refresh.`;
  for (const drift of written)
    yield `  ${placeOf(drift)}${safe(drift.address)} ${drift.attributes.map(newValueOf).join(', ')}`;
  if (left.length === 0) return;
  yield `Not written: ${plural(left.length, 'difference')}. Change these by hand, or leave them for the next apply:`;
  for (const drift of left) {
    const values = drift.attributes.map(newValueOf).join(', ');
    yield `  ${placeOf(drift)}${safe(drift.address)}${values === '' ? '' : ` ${values}`}`;
    yield `    ${safe(drift.note)}`;
  }
}

function placeOf({ source }: Drift): string {
  return source === undefined ? '' : `${safe(printPosition(source))}: `;
}

function newValueOf({ path, before, after }: AttributeChange): string {
  if (before === undefined && after === undefined) return safe(printPath(path));
  const [from, to] = [before, after].map((value) => (value === undefined ? '(none)' : safe(printValue(value))));
  return `${safe(printPath(path))}: ${from} → ${to}`;
}
