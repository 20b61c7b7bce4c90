// Names the history files that contain lines of a user whom the plan erases. No call removes them from the files.

import type { Series } from '../../lib/series.ts';
import { listOf, plural } from '../../lib/words.ts';
import { historyFileOf, linesBy } from '../history/lines/history-file.ts';
import { keyOf } from '../model/address.ts';
import type { ChangeNote } from '../model/reasons.ts';
import type { Resource } from '../model/resource.ts';
import { pairsOfKind } from './diff/object-draft.ts';
import type { ObjectDraft } from './draft/draft.ts';

const maxNamed = 5;

export function erasedLinesNote({ address, removal }: ObjectDraft, resources: Series<Resource>): ChangeNote[] {
  if (removal !== 'erase') return [];
  const filesWithLines: string[] = [];
  for (const { resource } of pairsOfKind('messages', resources, [])) {
    const historyFile = historyFileOf(resource?.attributes ?? {});
    const lines = linesBy(historyFile, keyOf(address));
    if (lines > 0) filesWithLines.push(`${historyFile.file} (${plural(lines, 'line')})`);
  }
  if (filesWithLines.length === 0) return [];
  const more = filesWithLines.length > maxNamed ? [`${filesWithLines.length - maxNamed} more`] : [];
  return [
    {
      code: 'of_kind',
      text: `these history files have lines of the user: ${listOf([...filesWithLines.slice(0, maxNamed), ...more])}`,
    },
  ];
}
