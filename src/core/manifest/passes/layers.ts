// The passes over bases and overlays, which apply only if a file extends another.

import { isLayered, type ManifestDocument, type ReadFiles } from '../document/document.ts';
import * as layers from '../overlays/layers.ts';
import { type OverlayContext, type Overlays, overlaysOf } from '../overlays/overlays.ts';
import { mergeSettings } from '../overlays/settings.ts';
import type { LoadTools } from './load-tools.ts';
import type { DeclaredLists } from './sections.ts';

/** Adds the files that others extend, and merges the settings of all. */
export async function readBases(read: ReadFiles, tools: LoadTools): Promise<ReadFiles> {
  const context = { ...tools, repository: await tools.repository() };
  const { parsed, bases, foreign, isPartial } = await layers.readBases(read.parsed, context);
  const knownPaths = new Set(read.found.map(({ path }) => path));
  return {
    found: [...read.found, ...bases.filter(({ path }) => !knownPaths.has(path))],
    foreign: [...read.foreign, ...foreign],
    parsed: isLayered(parsed) ? mergeSettings(parsed, tools.problems) : parsed,
    isPartial: read.isPartial || isPartial,
  };
}

export function layOverlays(
  { sections, sources }: DeclaredLists,
  documents: readonly ManifestDocument[],
  context: OverlayContext,
): Promise<Overlays> {
  return overlaysOf([...sections, ...sources], documents, context);
}
