// Support: the states that are possible after a crash: all acknowledged entries and a prefix of the others.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Contents } from '../../support/state/fixtures.ts';
import type { Entry, Model } from './conformance.ts';

/** Returns the model that a state equals, among the possible ones. */
export function modelOf(found: Contents, sure: Model, asked: readonly Entry[]): Model {
  const models = possibleModels(sure, asked);
  const equal = models.find((model) => isDeepStrictEqual(model.contents(), found));
  if (equal === undefined) expect(models.map((model) => model.contents())).toContainEqual(found);
  return equal ?? sure;
}

/** Returns the possible states after unacknowledged entries: none of them applied, or the first few. */
export function possibleModels(model: Model, asked: readonly Entry[]): Model[] {
  return Array.from({ length: asked.length + 1 }, (_, count) => {
    const next = model.copy();
    for (const entry of asked.slice(0, count)) next.apply(entry);
    return next;
  });
}
