// The rows of a sample, each with its results below.
import type { SampledRow } from '../../model/conversion.ts';
import { safe, safeJson } from '../text/text.ts';

export function* sampleForPeople(rows: readonly SampledRow[]): Generator<string> {
  for (const { at, row, becomes } of rows) {
    yield `${safe(at)}\n  row      ${row === undefined ? 'cannot be read' : safeJson(row)}\n`;
    for (const { outcome, reasons, to, made } of becomes) {
      const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
      yield `  becomes  ${to === undefined ? 'nothing' : safe(to)} (${outcome === 'left_out' ? 'left out' : outcome}${why})\n`;
      for (const object of made) yield `           ${safeJson(object)}\n`;
    }
    yield '\n';
  }
  if (rows.length === 0) yield 'The tables have no rows.\n';
}
