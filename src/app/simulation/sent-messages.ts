// Puts the messages that a plan edits onto the simulated platform. State has only their fingerprints, so they get a
// placeholder text.
import type { EmulatedPlatform as Emulator } from '../../emulator/platform.ts';
import type { MessagesPlaceholder } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { textOf } from '../../resources/definition/values.ts';
import type { ArchiveLine } from '../../resources/messages/line.ts';

/** Higher than any id that the emulator assigns. */
const firstId = 1_000_000_000;
const before = '(as it was sent)';

export async function putSentMessages(
  emulator: Emulator,
  steps: Iterable<Step>,
  lines: (placeholder: MessagesPlaceholder) => Promise<readonly ArchiveLine[]>,
): Promise<void> {
  let id = firstId;
  for (const { request, settle, action } of steps) {
    const { target } = settle ?? {};
    const [place] = target?.lines.only ?? [];
    if (action !== 'update' || target === undefined || place === undefined) continue;
    const line = (await lines(target.lines))[place];
    const url = request?.params?.channel_url;
    if (line === undefined || url === undefined) continue;
    emulator.state.apply({ type: 'messages.put', url, messages: [{ ...messageOf(line), id: id++ }] });
  }
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
