// What a state may be after a crash: all that was acknowledged, and of the rest a beginning.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Contents } from '../../support/state/fixtures.ts';
import type { Entry, Model } from './conformance.ts';

/** The model that a state equals, of those that it may equal. */
export function modelOf(found: Contents, sure: Model, asked: readonly Entry[]): Model {
  const models = possibleModels(sure, asked);
  const equal = models.find((model) => isDeepStrictEqual(model.contents(), found));
  if (equal === undefined) expect(models.map((model) => model.contents())).toContainEqual(found);
  return equal ?? sure;
}

/** What a state may be after entries that were asked for and not acknowledged: none of them, or the first few. */
export function possibleModels(model: Model, asked: readonly Entry[]): Model[] {
  return Array.from({ length: asked.length + 1 }, (_, count) => {
    const next = model.copy();
    for (const entry of asked.slice(0, count)) next.apply(entry);
    return next;
  });
}
