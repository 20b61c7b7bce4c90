// The passes over bases and overlays, which apply only if a file extends another.

import * as layers from '../overlays/layers.ts';
import { overlaysOf } from '../overlays/overlays.ts';
import { mergeSettings } from '../overlays/settings.ts';
import type { ManifestLoad } from './manifest-load.ts';

export async function readBases(load: ManifestLoad): Promise<void> {
  const { kinds, cwd, files, problems, withheld, sectionStore } = load;
  const context = { kinds, cwd, files, problems, withheld, sectionStore, repository: await load.repository };
  const { parsed, bases, foreign, isPartial } = await layers.readBases(load.parsed, context);
  const known = new Set(load.found.map(({ path }) => path));
  load.found = [...load.found, ...bases.filter(({ path }) => !known.has(path))];
  load.foreign.push(...foreign);
  load.parsed = parsed;
  load.isPartial ||= isPartial;
}

export function mergeLayers(load: ManifestLoad): void {
  load.parsed = mergeSettings(load.parsed, load.problems);
}

export async function layOverlays(load: ManifestLoad): Promise<void> {
  load.overlays = await overlaysOf([...load.sections, ...load.sources], load.documents, load);
}
