// Problems of declared objects that state or the time decides, for use cases that read no state.
import { isObject, type JsonValue } from '../../../lib/json.ts';
import type { AttributeDefinition } from '../../kinds/definition/kind.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { keyOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { findKind } from '../../resources/index.ts';

/**
 * Returns warnings: what a plan refuses for objects that are not in state, and entries that have ended by `now`, in Unix
 * milliseconds. Leaves out objects whose blocks have errors. There may be a million resources on disk.
 */
export async function undecidedProblems(
  { resources, diagnostics }: LoadedManifest,
  now: number,
): Promise<Diagnostic[]> {
  const refused = new Set(diagnostics.flatMap(({ severity, address }) => (severity === 'error' ? [address] : [])));
  const undecided: Diagnostic[] = [];
  for (const { address, attributes: after, source } of resources) {
    const kind = findKind(address);
    if (kind === undefined || kind.isChild === true || refused.has(address)) continue;
    const creation = { type: 'create', address, key: keyOf(address), before: {}, after, attributes: [] } as const;
    for (const { severity, code, summary, detail: problem } of kind.checks(creation)) {
      if (severity !== 'error') continue;
      const detail = `${problem} A plan refuses it unless the object is in state.`;
      undecided.push({ severity: 'warning', code, summary, detail, address, source });
    }
    for (const [attribute, definition] of Object.entries(kind.attributes)) {
      for (const problem of endedIn(attribute, definition, after[attribute], now)) {
        // Few manifests have one, and the words of plans are a bundle of their own.
        const { planWords } = await import('../../view/text/plan-problems.ts');
        undecided.push({ severity: 'warning', code: problem.code, ...planWords.problem(problem), address, source });
      }
    }
  }
  return undecided;
}

function endedIn(attribute: string, { endsAt, shape }: AttributeDefinition, value: JsonValue | undefined, now: number) {
  if (endsAt === undefined || value === undefined) return [];
  const entries = shape === 'map' && isObject(value) ? Object.entries(value) : [['', value] as const];
  return entries.flatMap(([key, entry]) => {
    const end = endsAt(entry);
    if (end === undefined || !(end <= now)) return [];
    return [{ code: 'plan.ended' as const, attribute, key, until: new Date(end).toISOString() }];
  });
}
