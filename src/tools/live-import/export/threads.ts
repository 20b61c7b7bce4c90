// Finds the threads of the exported messages of a channel, so that replies name their first messages (platform §6.2).

import { parentOfMessage } from '../../../core/history/comparing/shown-message.ts';
import { mapOf } from '../../../core/kinds/definition/values.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';
import { plural } from '../../../lib/words.ts';
import type { ListedChannel } from './marks.ts';

export class ExportedThreads {
  readonly #channel: ListedChannel;
  readonly #isDeclared: (id: string) => boolean;
  /** The dedup_ids of the lines so far that may be the first of a thread. */
  readonly #firsts = new NameTable();
  /** Replies that the export has as messages of the channel. */
  flat: number;

  /** `flat`: those of a part that was exported earlier. */
  constructor(channel: ListedChannel, isDeclared: (id: string) => boolean, flat = 0) {
    this.#channel = channel;
    this.#isDeclared = isDeclared;
    this.flat = flat;
  }

  /** Notes lines that were written. */
  note(lines: readonly JsonObject[]): void {
    for (const { dedup_id: id, message_type: type, parent } of lines)
      if (typeof id === 'string' && type !== 'ADMM' && parent === undefined) this.#firsts.add(id);
  }

  /** Returns the lines of one message with its id, and with the first message of its thread if it is a reply. */
  of(message: JsonObject, lines: readonly JsonObject[]): readonly JsonObject[] {
    const [first, ...others] = lines;
    if (first === undefined) return lines;
    const linesWithIds = [{ ...first, dedup_id: this.#idOf(message.message_id) }, ...others];
    const answered = parentOfMessage(message);
    if (answered === undefined) return linesWithIds;
    const parent = this.#idOf(answered);
    if (this.#firsts.find(parent) !== undefined && this.#canSend(first))
      return linesWithIds.map((line) => ({ ...line, parent }));
    this.flat += 1;
    return linesWithIds;
  }

  /** Returns what is left out and why. */
  *notes(): Generator<readonly [what: string, why: string]> {
    if (this.flat === 0) return;
    const why =
      'The first message is not in the history file, or the sender is muted or no member. The replies are messages of the channel.';
    yield [`the threads of ${plural(this.flat, 'reply', 'replies')} are `, why];
  }

  #idOf(id: unknown): string {
    return `${this.#channel.key}:${String(id)}`;
  }

  #canSend({ user_id: id, message_type: type }: JsonObject): boolean {
    const { kind, attributes } = this.#channel;
    if (type === 'ADMM' || typeof id !== 'string') return false;
    if (kind === 'open_channel') return true;
    const members = mapOf(attributes, 'members');
    const isJoined = Object.hasOwn(members, id) && mapOf(members, id).invitation_status === undefined;
    return isJoined && this.#isDeclared(id) && !Object.hasOwn(mapOf(attributes, 'muted'), id);
  }
}
