// Reads the reactions and pins of the messages of a channel for an export (platform §6.2).

import { shownReactions } from '../../../core/history/comparing/shown-message.ts';
import { mapOf } from '../../../core/kinds/definition/values.ts';
import type { LiveReader } from '../../../core/refresh/send.ts';
import { isList, type JsonObject, type JsonValue } from '../../../lib/json.ts';

/** A channel as listed. */
export interface ListedChannel {
  readonly kind: string;
  readonly key: string;
  readonly attributes: JsonObject;
}

/** What was left out so far. */
export interface MarkCounts {
  /** Messages whose reactions the platform does not show. */
  readonly hidden: number;
  /** Reactions of users who are not declared members. */
  readonly ofOthers: number;
}

/** The marks of one channel. Open channels have none, and supergroups have no pins. */
export interface ExportedMarks {
  readonly counts: MarkCounts;
  /** The fields of a line that declare that a message has none. */
  readonly none: JsonObject;
  of(message: JsonObject): JsonObject;
  /** Returns what is left out and why. */
  notes(): Generator<readonly [what: string, why: string]>;
}

/** Costs a request for each channel that can have pins. `before` has the counts of a part that was exported earlier. */
export async function exportedMarks(
  { kind, key, attributes }: ListedChannel,
  reader: LiveReader,
  isDeclared: (id: string) => boolean,
  before: MarkCounts = { hidden: 0, ofOthers: 0 },
): Promise<ExportedMarks | undefined> {
  if (kind !== 'group_channel') return undefined;
  const members = mapOf(attributes, 'members');
  // Null for a channel without pins, and undefined for one that does not show them.
  const listed = attributes.is_super === true ? null : await pinsOf(key, reader);
  const pins = isList(listed) ? new Set(listed) : undefined;
  let { hidden, ofOthers } = before;
  return {
    get counts() {
      return { hidden, ofOthers };
    },
    none: { reactions: {}, ...(pins === undefined ? {} : { pinned: false }) },
    of: (message) => {
      const shown = shownReactions(message);
      if (shown === undefined) hidden += 1;
      const reactions = [...(shown ?? [])].flatMap(([name, users]): [string, string[]][] => {
        const able = users.filter((id) => Object.hasOwn(members, id) && isDeclared(id));
        ofOthers += users.length - able.length;
        return able.length === 0 ? [] : [[name, able]];
      });
      return {
        ...(reactions.length === 0 ? {} : { reactions: Object.fromEntries(reactions) }),
        ...(pins?.has(message.message_id ?? null) === true ? { pinned: true } : {}),
      };
    },
    *notes() {
      if (ofOthers > 0)
        yield [`${ofOthers} reactions are `, 'They are of users who are not declared members of the channel.'];
      if (hidden > 0) yield [`the reactions to ${hidden} messages are `, 'The platform does not show who reacted.'];
      if (listed === undefined)
        yield ['pins are ', 'The platform does not show which messages of the channel are pinned.'];
    },
  };
}

async function pinsOf(key: string, reader: LiveReader): Promise<JsonValue | undefined> {
  const route = '/group_channels/{channel_url}';
  const said = await reader.send({ method: 'GET', route, params: { channel_url: key } });
  return said.type === 'ok' ? said.body.pinned_message_ids : undefined;
}
