// The pass over message archives.

import { userKinds } from '../../kinds/parts/people.ts';
import { collectInMemory } from '../../lib/series.ts';
import { messageLengths } from '../../model/limits.ts';
import * as archives from '../archives/archives.ts';
import { mayExist } from '../checks/relations.ts';
import type { ManifestLoad } from './manifest-load.ts';

export async function readArchives(load: ManifestLoad): Promise<void> {
  const { documents, declarations, children, settings, options } = load;
  const ofBlocks = children.flatMap(archives.archiveIn);
  const declared = [...ofBlocks, ...(await archives.archivesOfSources(documents, declarations, load))];
  load.archives = await archives.readArchives(declared, {
    cwd: load.cwd,
    files: load.files,
    problems: load.problems,
    suggestions: load.suggestions,
    collect: options.collectArchives ?? collectInMemory,
    messagesPerCall: settings.application?.messages_per_migration ?? archives.maxMessagesPerCall,
    messageLength: settings.application?.message_length ?? messageLengths.usual,
    metaArrays: settings.application?.meta_arrays,
    ...(options.knownArchives === undefined ? {} : { known: options.knownArchives }),
    isUser: (key) => mayExist({ kinds: userKinds, key }, load.around, load),
  });
}
