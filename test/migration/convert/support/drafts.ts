// Support: random chats from which the samples of sources make exports, with the results that a conversion must find.
import fc from 'fast-check';

export interface GeneratedExport {
  readonly files: Readonly<Record<string, string>>;
  /** Objects and messages: lines that the ledger must have. */
  readonly count: number;
  /** The mapping of tables. */
  readonly mapping?: string;
  /** The facts that decoding must return for the kept messages, by id. */
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface DraftMessage {
  readonly channel: number;
  readonly sender: number;
  /** Milliseconds after the start; many share one, and they are in no order. */
  readonly after: number;
  readonly text: string;
  readonly replyTo: number | undefined;
  readonly reactions: readonly { readonly name: string; readonly users: readonly number[] }[];
  readonly isEdited: boolean;
  readonly hasFile: boolean;
}

export interface Draft {
  readonly users: number;
  readonly channels: number;
  readonly messages: readonly DraftMessage[];
}

const start = 1_700_000_000_000;

const textPart = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    ...['<@U000001>', '<#C000000|room>', '<https://example.com/a?b=1&amp;c=2|a link>', '&lt;b&gt;', ':+1:', '`:x:`'],
    ':constructor:',
  ),
  fc.constantFrom('@user1', '# not a heading', '\n', '"quoted" \\ back', ':100:', 'https://example.com/?t=42'),
);

const text = fc.oneof(
  { weight: 12, arbitrary: fc.array(textPart, { maxLength: 5 }).map((parts) => parts.join(' ')) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 4990, max: 16_000 }).map((length) => 'long words 😀 '.repeat(length / 13)),
  },
);

export const draft: fc.Arbitrary<Draft> = fc.record({
  users: fc.integer({ min: 1, max: 5 }),
  channels: fc.integer({ min: 1, max: 3 }),
  messages: fc.array(
    fc.record({
      channel: fc.nat(2),
      sender: fc.nat(4),
      after: fc.oneof(fc.nat(3), fc.nat(200_000_000)),
      text,
      replyTo: fc.option(fc.nat(20), { nil: undefined }),
      reactions: fc.array(
        fc.record({
          name: fc.constantFrom('+1', 'tada', 'own_emoji', 'constructor', '__proto__'),
          users: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
        }),
        { maxLength: 2 },
      ),
      isEdited: fc.boolean(),
      hasFile: fc.boolean(),
    }),
    { maxLength: 25, size: 'max' },
  ),
});

export interface Placed extends DraftMessage {
  readonly number: number;
  readonly time: number;
}

/** Senders and people who reacted are numbers of users. */
export function placed({ users, channels, messages }: Draft): Placed[] {
  return messages.map((message, number) => ({
    ...message,
    number,
    channel: message.channel % channels,
    sender: message.sender % users,
    time: start + message.after,
    replyTo: message.replyTo !== undefined && message.replyTo < number ? message.replyTo : undefined,
    reactions: message.reactions.map(({ name, users: all }) => ({ name, users: all.map((user) => user % users) })),
  }));
}

export function times<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_none, number) => make(number));
}

export type Fields = Readonly<Record<string, unknown>>;

/** Without undefined fields and empty lists. */
export function without<T extends Fields>(object: T): T {
  const isThere = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => isThere(value))) as T;
}

/** The reactions to a message by names of users. */
export function reactionsOf({ reactions }: Placed, nameOf: (user: number) => string) {
  return reactions.map(({ name, users }) => ({ name, users: users.map(nameOf) }));
}

export function textsOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** A file for each channel, with its messages. `messageOf` records the facts of a message. */
export function channelFiles(
  draft: Draft,
  messageOf: (message: Placed) => object,
  fileOf: (channel: number) => object,
) {
  const all = placed(draft);
  const files = times(draft.channels, (number) => {
    const messages = all.filter(({ channel }) => channel === number).map(messageOf);
    return [`room-${number}.json`, { ...fileOf(number), messages }];
  });
  return { files: textsOf(Object.fromEntries(files)), messages: all.length };
}
