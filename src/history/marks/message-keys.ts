// Finds the lines of an archive by the keys under which state keeps the marks of their messages (semantics §7).

import type { MessageKey } from '../lines/marked-lines.ts';
import type { LineBlocks } from '../sending/line-blocks.ts';
import type { Differences } from '../sent/differences.ts';

interface KeyedLine {
  readonly line: number;
  /** The first key is that of the line as it is, the second that of the line as it was sent. */
  readonly declared: MessageKey;
  readonly sent: MessageKey;
}

export class MessageKeys {
  readonly #lines: LineBlocks;
  /** Maps the lines whose messages the policy leaves as they were sent to their fingerprints of then. */
  readonly #kept: ReadonlyMap<number, string>;
  readonly #groups = new Map<string, readonly KeyedLine[]>();

  /** `kept` are edited lines whose messages stay as they were sent. */
  constructor(lines: LineBlocks, kept: Differences['edited']) {
    this.#lines = lines;
    this.#kept = new Map(kept.map(({ line, was }) => [line, was.mark]));
  }

  /** Returns the line of a message, or undefined if no line is left for it. */
  lineOf(message: MessageKey): number | undefined {
    return this.#group(groupOf(message)).find(({ sent }) => sent === message)?.line;
  }

  /** Returns the keys of the messages of a group that have a line. */
  ofGroup(group: string): readonly MessageKey[] {
    return this.#group(group).map(({ sent }) => sent);
  }

  /** Returns the key of a line's message as it was sent, given that of the line as it is. */
  asSent(declared: MessageKey): MessageKey {
    if (this.#kept.size === 0) return declared;
    return this.#group(groupOf(declared)).find((key) => key.declared === declared)?.sent ?? declared;
  }

  #group(group: string): readonly KeyedLine[] {
    let keyed = this.#groups.get(group);
    if (keyed === undefined) {
      const [time = '', identity = ''] = group.split('.');
      const alike = this.#lines.ofIdentity(Number(time), identity);
      const declared = numbered(alike.map(({ mark }) => `${group}.${mark}`));
      const sent = numbered(alike.map(({ line, mark }) => `${group}.${this.#kept.get(line) ?? mark}`));
      keyed = alike.map(({ line }, place) => ({ line, declared: declared[place] ?? '', sent: sent[place] ?? '' }));
      this.#groups.set(group, keyed);
    }
    return keyed;
  }
}

/** Appends to each text the number of earlier ones that are equal. */
function numbered(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return texts.map((text) => {
    const earlier = counts.get(text) ?? 0;
    counts.set(text, earlier + 1);
    return `${text}.${earlier}`;
  });
}

/** Returns the key of the group of a message. The messages of one time and identity share the first two parts of their keys. */
export function groupOf(message: MessageKey): string {
  return message.split('.', 2).join('.');
}

/** Returns the identity in the key of a message or of a group. */
export function identityOf(message: MessageKey): string {
  return message.split('.', 2)[1] ?? '';
}
