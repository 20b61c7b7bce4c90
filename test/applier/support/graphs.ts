// Support: small graphs of steps, given or random.
import fc from 'fast-check';

/** Returns the edges of a graph from the needs of each step. All steps have the same weight. */
export function edgesOf(needs: readonly (readonly number[])[]) {
  const after: number[][] = needs.map(() => []);
  for (const [index, earlier] of needs.entries()) for (const one of earlier) after[one]?.push(index);
  return {
    size: needs.length,
    sorted: Int32Array.from(needs.keys()),
    before: (index: number, visit: (earlier: number) => void) => needs[index]?.forEach((one) => void visit(one)),
    after: (index: number, visit: (later: number) => void) => after[index]?.forEach((one) => void visit(one)),
    worth: new Float64Array(needs.length).fill(1),
  };
}

export const graphs = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 40 })
  .map((raw) => raw.map((picks, index) => (index < 8 ? [] : picks.map((pick) => pick % index))));
