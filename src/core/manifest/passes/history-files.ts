// The pass over history files.

import { collectInMemory, type Series } from '../../../lib/series.ts';
import { userKinds } from '../../kinds/parts/people.ts';
import { addressOf } from '../../model/address.ts';
import { messageLengths } from '../../model/limits.ts';
import type { Resource } from '../../model/resource.ts';
import { printPosition } from '../../model/source.ts';
import { mayExist, type RelationContext } from '../checks/relations.ts';
import type { PolicyRestrictions } from '../checks/restrictions.ts';
import type { Settings } from '../checks/settings.ts';
import type { ChildDeclaration } from '../document/block.ts';
import type { ManifestDocument } from '../document/document.ts';
import type { LoadContext } from '../document/load-context.ts';
import * as historyFiles from '../history-files/history-files.ts';
import type { LoadTools } from './load-tools.ts';

/** What the blocks declared, with the history files. */
interface ReadBlocks {
  readonly documents: readonly ManifestDocument[];
  readonly children: readonly ChildDeclaration[];
  readonly around: RelationContext;
  readonly restrictions: PolicyRestrictions | undefined;
}

export async function readHistoryFiles(
  { documents, children, around, restrictions }: ReadBlocks,
  { application }: Settings,
  tools: LoadTools & LoadContext,
): Promise<Series<Resource>> {
  const { cwd, files, problems, suggestions, options } = tools;
  const ofBlocks = children.flatMap(historyFiles.historyFileIn);
  const ofSources = await historyFiles.historyFilesOfSources(documents, around.declarations, {
    ...tools,
    restrictions,
  });
  return historyFiles.readHistoryFiles([...ofBlocks, ...ofSources], {
    cwd,
    files,
    problems,
    suggestions,
    collect: options.collectHistoryFiles ?? collectInMemory,
    messagesPerCall: application?.messages_per_migration ?? historyFiles.maxMessagesPerCall,
    messageLength: application?.message_length ?? messageLengths.usual,
    metaArrays: application?.meta_arrays,
    ...(options.knownHistoryFiles === undefined ? {} : { known: options.knownHistoryFiles }),
    isUser: (key) => mayExist({ kinds: userKinds, key }, around, tools),
    removedAt: (key) => {
      const entry = around.removed.get(addressOf('user', key))?.entry;
      return entry === undefined ? undefined : printPosition(entry.source);
    },
  });
}
