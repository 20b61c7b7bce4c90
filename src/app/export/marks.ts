// Reads the reactions and pins of the messages of a channel for an export (platform §6.2).
import { isList, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { Reader } from '../../refresh/send.ts';
import { mapOf } from '../../resources/definition/values.ts';
import { shownReactions } from '../../resources/messages/shown-message.ts';

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
export class ExportedMarks {
  readonly #members: JsonObject;
  readonly #isDeclared: (id: string) => boolean;
  /** Undefined if the channel has no pins, or does not show them. */
  readonly #pins: ReadonlySet<JsonValue> | undefined;
  readonly #hidesPins: boolean;
  #hidden: number;
  #ofOthers: number;

  private constructor(
    members: JsonObject,
    isDeclared: (id: string) => boolean,
    pins: JsonValue | undefined,
    { hidden, ofOthers }: MarkCounts,
  ) {
    this.#hidden = hidden;
    this.#ofOthers = ofOthers;
    this.#members = members;
    this.#isDeclared = isDeclared;
    this.#pins = isList(pins) ? new Set(pins) : undefined;
    this.#hidesPins = pins === undefined;
  }

  /** Costs a request for each channel that can have pins. `before` has the counts of a part that was exported earlier. */
  static async of(
    { kind, key, attributes }: ListedChannel,
    reader: Reader,
    isDeclared: (id: string) => boolean,
    before: MarkCounts = { hidden: 0, ofOthers: 0 },
  ): Promise<ExportedMarks | undefined> {
    if (kind !== 'group_channel') return undefined;
    const members = mapOf(attributes, 'members');
    if (attributes.is_super === true) return new ExportedMarks(members, isDeclared, null, before);
    const said = await reader.send({
      method: 'GET',
      route: '/group_channels/{channel_url}',
      params: { channel_url: key },
    });
    const pins = said.type === 'ok' ? said.body.pinned_message_ids : undefined;
    return new ExportedMarks(members, isDeclared, pins, before);
  }

  get counts(): MarkCounts {
    return { hidden: this.#hidden, ofOthers: this.#ofOthers };
  }

  /** The fields of a line that declare that a message has none. */
  get none(): JsonObject {
    return { reactions: {}, ...(this.#pins === undefined ? {} : { pinned: false }) };
  }

  of(message: JsonObject): JsonObject {
    const shown = shownReactions(message);
    if (shown === undefined) this.#hidden += 1;
    const reactions = [...(shown ?? [])].flatMap(([key, users]): [string, string[]][] => {
      const able = users.filter((id) => Object.hasOwn(this.#members, id) && this.#isDeclared(id));
      this.#ofOthers += users.length - able.length;
      return able.length === 0 ? [] : [[key, able]];
    });
    return {
      ...(reactions.length === 0 ? {} : { reactions: Object.fromEntries(reactions) }),
      ...(this.#pins?.has(message.message_id ?? null) === true ? { pinned: true } : {}),
    };
  }

  /** Returns what is left out and why. */
  *notes(): Generator<readonly [what: string, why: string]> {
    if (this.#ofOthers > 0) {
      yield [`${this.#ofOthers} reactions are `, 'They are of users who are not declared members of the channel.'];
    }
    if (this.#hidden > 0) {
      yield [`the reactions to ${this.#hidden} messages are `, 'The platform does not show who reacted.'];
    }
    if (this.#hidesPins) yield ['pins are ', 'The platform does not show which messages of the channel are pinned.'];
  }
}
