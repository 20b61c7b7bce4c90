// Support: a chat that is exported repeatedly while its messages are edited, deleted, restored and found late.
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { Chance } from './chance.ts';
import type { Estate } from './estates.ts';
import { calm, kill, type Scenario, type Stage } from './scenario.ts';

const firstTime = 1_600_000_000_000;
const maxPinned = 4;
const people = ['alice', 'bob'] as const;

/** The lines of several exports, in order. */
function exportsOf(seed: number, count: number, isCrowded: boolean): readonly (readonly JsonObject[])[] {
  const chance = new Chance(seed);
  const chat = isCrowded ? new CrowdedChat(chance) : new Chat(chance);
  return Array.from({ length: count }, () => {
    chat.goesOn();
    return chat.exported();
  });
}

class Chat {
  readonly #chance: Chance;
  #lines: JsonObject[] = [];
  /** Deleted or edited messages, which may be restored. */
  readonly #earlier: JsonObject[] = [];
  #number = 0;
  #time = firstTime;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** In order of time, as in an export. */
  exported(): readonly JsonObject[] {
    const [first = {}, ...others] = [...this.#lines].sort(
      (left, right) => Number(left.timestamp) - Number(right.timestamp),
    );
    // Without such a field in any line, reactions and pins are not managed.
    return [{ reactions: {}, pinned: false, ...first }, ...others];
  }

  goesOn(): void {
    const chance = this.#chance;
    for (let more = chance.int(1, 30); more > 0; more--) {
      this.#time += chance.one([0, 0, 1, 1000]);
      this.#lines.push(this.#message(this.#time));
    }
    const [edits, deletions, late] = [chance.int(0, 5), chance.int(0, 4), chance.int(0, 4)];
    for (let times = 0; times < edits; times++) this.#edit();
    for (let times = chance.int(0, 8); times > 0; times--) this.#mark();
    for (let times = 0; times < deletions && this.#lines.length > 1; times++) {
      const [gone] = this.#lines.splice(chance.int(0, this.#lines.length), 1);
      if (gone === undefined) continue;
      this.#earlier.push(gone);
      // The replies of a deleted message are outside of threads from then on.
      const without = (line: JsonObject): JsonObject => {
        const { parent, ...others } = line;
        return parent !== undefined && parent === gone.dedup_id ? others : line;
      };
      this.#lines = this.#lines.map(without);
      this.#earlier.splice(0, Number.POSITIVE_INFINITY, ...this.#earlier.map(without));
    }
    for (let times = 0; times < late; times++) {
      const back = chance.is(0.3) ? this.#earlier.pop() : undefined;
      const time = firstTime + chance.int(0, Math.max(1, this.#time - firstTime));
      this.#lines.push(back === undefined || this.#isThere(back) ? this.#message(time) : back);
    }
  }

  /** Each id of the source occurs on one line. */
  #isThere(back: JsonObject): boolean {
    return back.dedup_id !== undefined && this.#lines.some(({ dedup_id: id }) => id === back.dedup_id);
  }

  #edit(): void {
    const chance = this.#chance;
    const place = chance.int(0, this.#lines.length);
    const line = this.#lines[place];
    if (line === undefined) return;
    this.#earlier.push(line);
    const field = line.message_type === 'FILE' ? 'custom_field' : chance.one(['message', 'message', 'data']);
    if (chance.is(0.2)) {
      const value = chance.some(['a', 'b'], 0.5);
      this.#lines[place] = { ...line, sorted_metaarray: [{ key: chance.one(['k', 'l']), value }] };
      return;
    }
    // Few distinct texts, so that an edit may make two messages of the same time equal.
    this.#lines[place] = { ...line, [field]: `edited ${chance.int(0, 3)}` };
  }

  /** Few lines and keys, so that marks are taken back and come again. */
  #mark(): void {
    const chance = this.#chance;
    const place = chance.int(0, Math.min(8, this.#lines.length));
    const line = this.#lines[place];
    if (line === undefined) return;
    if (chance.is(0.3)) {
      this.#lines[place] = { ...line, pinned: this.#pinned < maxPinned && line.pinned !== true };
      return;
    }
    const reactions = {
      ...(line.reactions as JsonObject | undefined),
      [chance.one(['up', '👍'])]: chance.some(people, 0.5),
    };
    this.#lines[place] = { ...line, reactions };
  }

  get #pinned(): number {
    return [...this.#lines, ...this.#earlier].filter(({ pinned }) => pinned === true).length;
  }

  #message(timestamp: number): JsonObject {
    const chance = this.#chance;
    const user_id = chance.one(people);
    const text = `text ${chance.int(0, 3)}`;
    const id = chance.is(0.5) ? { dedup_id: `source-${this.#number++}` } : {};
    const parent = chance.is(0.4) ? this.#firstBefore(timestamp) : undefined;
    const own = { ...id, ...(parent === undefined ? {} : { parent }) };
    const type = chance.one(['MESG', 'MESG', 'MESG', 'ADMM', 'FILE']);
    if (type === 'ADMM') return { message_type: 'ADMM', timestamp, message: text, ...id };
    if (type === 'FILE') return { message_type: 'FILE', timestamp, user_id, url: 'https://example.com/1', ...own };
    return { message_type: 'MESG', timestamp, user_id, message: text, ...own };
  }

  /**
   * The id of a message that a reply of this time may name. Replies of one time are in one thread, because those of one sender in
   * two threads cannot be told apart.
   */
  #firstBefore(timestamp: number): JsonValue | undefined {
    const beside = [...this.#lines, ...this.#earlier].find(
      (line) => line.timestamp === timestamp && line.parent !== undefined,
    );
    if (beside !== undefined) return beside.parent;
    const firsts = this.#lines.filter(
      (line) =>
        line.dedup_id !== undefined &&
        line.parent === undefined &&
        line.message_type !== 'ADMM' &&
        Number(line.timestamp) < timestamp,
    );
    return firsts.length === 0 ? undefined : this.#chance.one(firsts).dedup_id;
  }
}

/** One member writes few texts within few milliseconds, so that most messages can only be told apart by their other fields. */
class CrowdedChat {
  readonly #chance: Chance;
  #lines: JsonObject[] = [];
  /** Deleted messages, and edited ones as they were. */
  readonly #earlier: JsonObject[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  exported(): readonly JsonObject[] {
    const lines = [...this.#lines].sort((left, right) => Number(left.timestamp) - Number(right.timestamp));
    const last = { message_type: 'ADMM', timestamp: firstTime + 10, message: 'end', reactions: {}, pinned: false };
    return [...lines, last];
  }

  goesOn(): void {
    const chance = this.#chance;
    for (let times = chance.int(1, 8); times > 0; times--) {
      const place = chance.int(0, this.#lines.length + 1);
      const line = this.#lines[place];
      if (line === undefined || chance.is(0.2)) this.#lines.push(this.#message());
      else if (chance.is(0.3)) this.#earlier.push(...this.#lines.splice(place, 1));
      else {
        this.#earlier.push(line);
        this.#lines[place] = this.#restored(line) ?? { ...line, ...this.#change() };
      }
    }
  }

  #restored({ timestamp }: JsonObject): JsonObject | undefined {
    const earlier = this.#earlier.filter((line) => line.timestamp === timestamp);
    return earlier.length > 0 && this.#chance.is(0.3) ? this.#chance.one(earlier) : undefined;
  }

  #change(): JsonObject {
    const chance = this.#chance;
    switch (chance.int(0, 5)) {
      case 0:
        return { message: `text ${chance.int(0, 2)}` };
      case 1:
        return { data: chance.one(['', 'data']) };
      case 2:
        return { sorted_metaarray: chance.is(0.3) ? [] : [{ key: chance.one(['k', 'l']), value: ['a'] }] };
      case 3:
        return { reactions: { up: chance.some(people, 0.5) } };
      default:
        return { pinned: this.#lines.filter(({ pinned }) => pinned === true).length < maxPinned };
    }
  }

  #message(): JsonObject {
    const chance = this.#chance;
    const timestamp = firstTime + chance.int(0, 2);
    return {
      message_type: 'MESG',
      timestamp,
      user_id: 'alice',
      message: `text ${chance.int(0, 2)}`,
      ...this.#change(),
    };
  }
}

function estateOf(lines: readonly JsonObject[], perCall: number): Estate {
  return {
    user: { alice: { nickname: 'A' }, bob: { nickname: 'B' } },
    open_channel: {},
    group_channel: { 'room-1': { members: { alice: {}, bob: {} } } },
    messages: { 'room-1': { senders: people, count: lines.length, sameTime: 1, perCall, lines } },
  };
}

/** What is hard about a series: nothing, that its messages are alike, or also that many calls take effect without an answer. */
export type Hardness = 'none' | 'alike' | 'alike and unanswered';

/** Applies exports in turn, each under kills. Some are abandoned for the next one. */
export function exportScenario(seed: number, count: number, hardness: Hardness = 'none'): Scenario {
  const chance = new Chance(seed + 7);
  const isCrowded = hardness !== 'none';
  const isUnanswered = hardness === 'alike and unanswered';
  const latency = chance.one<Scenario['latencyMs']>([
    [20, 20],
    [20, 3_000],
    [4_000, 9_000],
  ]);
  const stages = exportsOf(seed, count, isCrowded).map((lines, place): Stage => {
    const disturbances = Array.from({ length: chance.int(0, 3) }, () =>
      kill(chance.int(3, isCrowded ? 60 : 160), chance.one([0, 0, 1_000, 90_000])),
    );
    const isAbandoned = place < count - 1 && chance.is(isCrowded ? 0.7 : 0.4);
    const estate = estateOf(lines, chance.one([5, 10, 10, 30]));
    return { estate, disturbances, ...(isAbandoned ? { isAbandoned } : {}) };
  });
  return {
    ...calm,
    seed,
    storage: chance.one(['memory', 'disk']),
    // A platform that drops known messages would hide that messages are sent twice.
    behaviours: { dedup: chance.one(['ignore', 'skip']) },
    faults: chance.one([
      [],
      [{ fault: 'reset_after', probability: isUnanswered ? 0.3 : 0.05 }],
      [{ fault: 'error_500_after', probability: isUnanswered ? 0.4 : 0.1 }],
      [{ fault: 'reset_before', probability: 0.1 }],
    ]),
    latencyMs: latency,
    stages,
  };
}
