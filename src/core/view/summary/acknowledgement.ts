// What a request has to declare so that a refused plan may be applied, as lines to paste into a manifest.
import type { Diagnostic } from '../../model/diagnostic.ts';

export interface AcknowledgementLines {
  /** `policy:` and the entries, in YAML. Empty if no refusal can be acknowledged. */
  readonly lines: readonly string[];
  /** The number of refusals that they do not cover. */
  readonly others: number;
}

/** One entry for each effect. A later refusal of the same effect has counted the plan, an earlier one only the files. */
export function acknowledgementLines(refusals: readonly Diagnostic[]): AcknowledgementLines {
  const counts = new Map<string, number>();
  for (const { acknowledge } of refusals)
    if (acknowledge !== undefined) counts.set(acknowledge.effect, acknowledge.count);
  const entries = Array.from(counts, ([effect, count]) => `    - { effect: ${effect}, count: ${count} }`);
  return {
    lines: entries.length === 0 ? [] : ['policy:', '  acknowledge:', ...entries],
    others: refusals.filter(({ acknowledge }) => acknowledge === undefined).length,
  };
}

/** The sentence above the lines. */
export function acknowledgementLead({ others }: AcknowledgementLines): string {
  const rest = others === 0 ? '' : ' The other reasons remain; each says what to do.';
  return `If all of it is intended, add this to the policy in the reviewed diff, in place of entries for the same effects.${rest}`;
}
