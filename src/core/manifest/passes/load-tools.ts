// What every pass of a load uses. The results of passes are values of their own, which later passes take.
import { type Collect, collectInMemory } from '../../../lib/series.ts';
import { Suggestions } from '../../../lib/suggestions.ts';
import type { LoadContext } from '../document/load-context.ts';
import type { WithheldVariables } from '../document/withheld.ts';
import { disk, type FileAccess } from '../files/access.ts';
import { SectionStore } from '../files/documents.ts';
import { Problems } from '../problems/problems.ts';
import { checksFor } from '../schema/validate.ts';
import type { LoadOptions } from './loaded-manifest.ts';

export interface LoadTools extends Omit<LoadContext, 'variableTable'> {
  readonly options: LoadOptions;
  readonly cwd: string;
  readonly files: FileAccess;
  readonly collect: Collect;
  readonly sectionStore: SectionStore;
  /** The folder, with links resolved, that bases and signers must be in. */
  repository(): Promise<string>;
  isSecret(name: string): boolean;
}

export function toolsOf(options: LoadOptions, withheld: WithheldVariables): LoadTools {
  const { kinds, cwd, variables, collect = collectInMemory } = options;
  return {
    options,
    kinds,
    cwd,
    variables,
    collect,
    withheld,
    variableNames: options.variableNames?.() ?? [],
    missingVariables: options.missingVariables ?? 'error',
    files: options.files ?? disk,
    checks: checksFor(kinds),
    problems: new Problems(),
    suggestions: new Suggestions(),
    sectionStore: new SectionStore(collect),
    repository: async () => (await options.repository?.()) ?? cwd,
    isSecret: (name) => options.isSecret?.(name) ?? false,
  };
}
