// Support: random chats, their tables in several formats, and the messages that must result.
import fc from 'fast-check';

interface Message {
  readonly room: number;
  readonly user: number;
  readonly minute: number;
  readonly text: string;
  readonly thread: number | undefined;
  readonly editedMinute: number | undefined;
  /** In the exports from this one on; with another text from the second one on; not after the third. */
  readonly first: number;
  readonly changed: number;
  readonly gone: number;
  readonly reactions: readonly number[];
}

const rooms = 3;
const users = 4;
const never = 9;
export const exportCount = 3;

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('a,b', '"quoted"', 'line\nline', 'tab\tand\\back', '\\N', "it's", ' spaces ', '{"json":1}', '\\.'),
);

const message: fc.Arbitrary<Message> = fc.record({
  room: fc.nat(rooms - 1),
  user: fc.nat(users - 1),
  minute: fc.nat(200),
  text,
  thread: fc.option(fc.nat(5), { nil: undefined }),
  editedMinute: fc.option(fc.integer({ min: 201, max: 210 }), { nil: undefined }),
  first: fc.nat(exportCount - 1),
  changed: fc.constantFrom(1, 2, never),
  gone: fc.constantFrom(1, 2, never, never),
  reactions: fc.uniqueArray(fc.nat(users - 1), { maxLength: 2 }),
});

export const chat = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 25 }),
  /** The file of each message. */
  cuts: fc.array(fc.nat(2), { minLength: 25, maxLength: 25 }),
  format: fc.constantFrom('csv', 'ndjson', 'json', 'sql'),
});

type Chat = typeof chat extends fc.Arbitrary<infer T> ? T : never;
type Cell = string | null;
type Row = Readonly<Record<string, Cell>>;

const start = Date.UTC(2024, 0, 1);
const columns = ['id', 'room', 'author', 'at', 'edited', 'body', 'root'] as const;
const at = (minute: number) => start + minute * 60_000;
const bigId = (number: number) => String(9_007_199_254_740_993n + BigInt(number));
const isIn = ({ first, gone }: Message, date: number) => first <= date && date < gone;
const textAt = ({ text: own, changed }: Message, date: number) => (date >= changed ? `${own}!` : own);

const mapping = (ending: string): string => `version: 1
name: acme
null: []
tables:
  people: { files: people.csv, key: "\${login}" }
  rooms: { files: rooms.ndjson }
  messages: { files: "messages*.${ending}", ${ending === 'json' ? 'path: "rooms.{room}.*"' : 'table: public.messages'} }
  reactions: { files: reactions.csv }
users: { from: people, id: "u-\${number}", name: "\${first} \${last}" }
channels: { from: rooms, id: "\${id}", members: "\${members}" }
messages:
  from: messages
  id: \${id}
  channel: \${room}
  sender: { in: people, key: "\${author}", get: "u-\${number}" }
  time: { of: "\${at}", unit: seconds }
  edited: { of: "\${edited}", format: "dd.MM.yyyy HH:mm:ss", zone: Asia/Tokyo }
  text: \${body}
  thread: \${root}
reactions: { from: reactions, message: "\${message}", name: "\${emoji}", user: "u-\${user}" }
`;

export interface DrawnExport {
  readonly mapping: string;
  readonly files: Readonly<Record<string, string>>;
  /** Facts by id. */
  readonly facts: ReadonlyMap<string, object>;
  /** Rows in all tables. */
  readonly rows: number;
}

/** The export of a date, cut into files. */
export function exportOf({ messages, cuts, format }: Chat, date: number): DrawnExport {
  const files: Record<string, string> = {
    'people.csv': `login,number,first,last\n${range(users)
      .map((user) => `l${user},${user},First,"La""st"\n`)
      .join('')}`,
    'rooms.ndjson': range(rooms)
      .map((id) => `${JSON.stringify({ id, members: range(users).map((user) => `u-${user}`) })}\n`)
      .join(''),
  };
  const parts: Row[][] = [[], [], []];
  const facts = new Map<string, object>();
  const reactions: string[] = [];
  for (const [number, one] of messages.entries()) {
    if (!isIn(one, date)) continue;
    const id = bigId(number);
    const { thread: named } = one;
    const thread = named === undefined || named === number ? undefined : bigId(named);
    const body = textAt(one, date);
    const edited = one.editedMinute === undefined ? undefined : at(one.editedMinute);
    parts[cuts[number] ?? 0]?.push({
      id,
      room: String(one.room),
      author: `l${one.user}`,
      at: String(at(one.minute) / 1000),
      edited: edited === undefined ? null : inTokyo(edited),
      body,
      root: named === undefined ? null : bigId(named),
    });
    for (const user of one.reactions) reactions.push(`${id},+1,${user}\n`);
    const given =
      one.reactions.length === 0
        ? {}
        : { reactions: [{ name: '+1', users: one.reactions.map((user) => `u-${user}`) }] };
    facts.set(`acme:${one.room}:${id}`, {
      id: `acme:${one.room}:${id}`,
      sender: `u-${one.user}`,
      time: at(one.minute),
      text: body,
      ...(thread === undefined ? {} : { thread }),
      ...given,
      ...(edited === undefined ? {} : { edited }),
    });
  }
  for (const [part, rows] of parts.entries()) files[`messages-${part}.${format}`] = printed[format]?.(rows) ?? '';
  files['reactions.csv'] = `message,emoji,user\n${reactions.join('')}`;
  const yaml = mapping(format).replace(' }\n  reactions', ', optional: true }\n  reactions');
  return { mapping: yaml, files, facts, rows: users + rooms + facts.size + reactions.length };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_none, number) => number);
}

function inTokyo(time: number): string {
  const [date = '', clock = ''] = new Date(time + 9 * 3_600_000).toISOString().split('T');
  return `${date.split('-').reverse().join('.')} ${clock.slice(0, 8)}`;
}

const printed: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  csv: (rows) =>
    `${columns.join(',')}\n${rows.map((row) => `${columns.map((name) => quoted(row[name] ?? '')).join(',')}\n`).join('')}`,
  // Database ids are numbers that a double cannot represent.
  ndjson: (rows) => rows.map((row) => `${JSON.stringify(row).replaceAll(/"(\d{16})"/gu, '$1')}\n`).join(''),
  json: (rows) => {
    const byRoom: Record<string, Row[]> = {};
    for (const { room, ...row } of rows) byRoom[room ?? ''] = [...(byRoom[room ?? ''] ?? []), row];
    return JSON.stringify({ rooms: byRoom, note: [1, { rooms: 2 }] }, null, 1).replaceAll(/"(\d{16})"/gu, '$1');
  },
  sql: (rows) => `-- PostgreSQL database dump
COPY public.messages (${columns.join(', ')}) FROM stdin;
${rows.map((row) => `${columns.map((name) => copied(row[name] ?? null)).join('\t')}\n`).join('')}\\.
-- PostgreSQL database dump complete
`,
};

function quoted(cell: string): string {
  return /[",\n\r]|^$/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function copied(cell: Cell): string {
  if (cell === null) return '\\N';
  return cell.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
}
