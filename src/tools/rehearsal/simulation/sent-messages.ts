// Puts the messages that a plan edits onto the simulated platform. State has only their fingerprints, so they get a
// placeholder text.
import type { EmulatedPlatform as Emulator } from '../../../emulator/platform.ts';
import { type ArchiveLine, identityOfLine } from '../../../history/lines/line.ts';
import type { PlannedLines } from '../../../history/lines/range.ts';
import { type Target, targetOf } from '../../../history/sending/message-search.ts';
import { textOf } from '../../../kinds/definition/values.ts';
import type { Step } from '../../../model/step.ts';

/** Higher than any id that the emulator assigns. */
const firstId = 1_000_000_000;
const before = '(as it was sent)';

/**
 * Puts the message of each edited line, with the others of its time, sender and type: an edit pairs all of these with the
 * lines of the archive, and finds its message only if none of them is missing.
 */
export async function putSentMessages(
  emulator: Emulator,
  steps: Iterable<Step>,
  lines: (source: PlannedLines) => Promise<readonly ArchiveLine[]>,
): Promise<void> {
  let id = firstId;
  /** Groups of several messages that are there, each of which may have several edits. */
  const there = new Set<string>();
  for (const { request, search, action } of steps) {
    const target = targetOf(search);
    const url = request?.params?.channel_url;
    if (action !== 'update' || target === undefined || url === undefined) continue;
    const group = `${url}\n${target.identity}`;
    if (there.has(group)) continue;
    const sent = sentLines(await lines(target.lines), target);
    if (sent.length > 1) there.add(group);
    const messages = sent.map((line) => ({ ...messageOf(line), id: id++ }));
    emulator.state.apply({ type: 'messages.put', url, messages });
  }
}

/** The lines with the identity of the target that were sent. */
function sentLines(lines: readonly ArchiveLine[], { identity, lines: { only }, late, unsure }: Target): ArchiveLine[] {
  const isSent = (place: number): boolean =>
    only?.includes(place) === true || (late?.includes(place) !== true && unsure?.includes(place) !== true);
  return lines.filter((line, place) => isSent(place) && identityOfLine(line) === identity);
}

function messageOf(line: ArchiveLine) {
  const { message_type: type, timestamp: createdAt } = line;
  const url = textOf(line, 'url');
  return {
    type,
    userId: textOf(line, 'user_id') ?? null,
    text: type === 'FILE' ? '' : before,
    data: before,
    customType: '',
    createdAt,
    updatedAt: 0,
    dedupId: '',
    mentionType: 'users',
    mentioned: [],
    metaArray: [],
    file: type === 'FILE' && url !== undefined ? { url, name: '', type: '', size: 0, data: before } : null,
    silent: false,
    removed: false,
  } as const;
}
