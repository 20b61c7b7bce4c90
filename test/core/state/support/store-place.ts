// Support: where a registered store is tested. A store without such a place fails, by its scheme.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type StoreScheme, stores } from '../../../../src/core/model/stores/places.ts';
import type { ServerKind } from '../../../support/object-servers.ts';

/** One program that can serve the store. The tests of a store without a server start nothing. */
export interface StorePlace extends ServerKind {
  /** Whether the fast suite tests here, too. The long one tests at every place that is installed. */
  readonly isFast?: true;
  /** Whether every process on this machine reaches the states, so that the long suite can kill and pause those that write. */
  readonly isShared?: true;
}

async function placesOf(scheme: StoreScheme): Promise<readonly StorePlace[]> {
  const path = `stores/places/${scheme}.ts`;
  if (!existsSync(join(import.meta.dirname, '..', path)))
    throw new Error(
      `The store ${scheme} has no place to test at: write test/core/state/${path}, which exports places.`,
    );
  const module = (await import(`../stores/places/${scheme}.ts`)) as { readonly places: readonly StorePlace[] };
  return module.places;
}

/** By scheme. `postgresql` is another spelling. */
export const storePlaces: readonly { readonly scheme: StoreScheme; readonly places: readonly StorePlace[] }[] =
  await Promise.all(
    (Object.keys(stores) as StoreScheme[])
      .filter((scheme) => scheme !== 'postgresql')
      .map(async (scheme) => ({ scheme, places: await placesOf(scheme) })),
  );
