// Splits a call for many ids into a call for each, once the platform has refused the list for one of them.
import type { Split, Step } from '../../model/step.ts';

/** The step's call, made once for each id. */
export function inParts(step: Step, { in: place, field, ids, doneOn }: Split): Step[] {
  const { split: _split, request, ...rest } = step;
  if (request === undefined) return [];
  return ids.map((id) => ({
    ...rest,
    doneOn,
    request:
      place === 'body'
        ? { ...request, body: { ...request.body, [field]: [id] } }
        : { ...request, query: { ...request.query, [field]: id } },
  }));
}
