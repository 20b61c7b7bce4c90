// Tests that another notation of the same instants gives the same history files, so that a later export is no edit of everything.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSuite } from '../../../../support/suite.ts';
import { convertTables } from '../../support/converted.ts';

const mapping = `version: 1
name: own
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: messages.csv } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", edited: "\${edited}", text: "\${body}" }
`;

interface Instant {
  readonly ms: number;
  /** Digits after those of the milliseconds. */
  readonly finer: string;
}

interface Notation {
  /** In minutes. */
  readonly offset: number;
  readonly between: 'T' | ' ';
  readonly zeros: number;
  readonly zone: 'Z' | '+00' | '+00:00' | '+0000';
}

const instant = fc.record({
  ms: fc.integer({ min: 1_600_000_000_000, max: 1_700_000_000_000 }),
  finer: fc.constantFrom('', '1', '000', '120', '123456'),
});
const notation = fc.record({
  offset: fc.constantFrom(0, 120, -330, 345),
  between: fc.constantFrom('T' as const, ' ' as const),
  zeros: fc.nat(2),
  zone: fc.constantFrom('Z' as const, '+00' as const, '+00:00' as const, '+0000' as const),
});

function written({ ms, finer }: Instant, { offset, between, zeros, zone }: Notation): string {
  const local = new Date(ms + offset * 60_000).toISOString().replace('T', between).replace('Z', '');
  const digits = `${finer}${'0'.repeat(finer.length + zeros > 6 ? 0 : zeros)}`;
  const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, '0');
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
  return `${local}${digits}${offset === 0 ? zone : `${offset < 0 ? '-' : '+'}${hours}:${minutes}`}`;
}

const message = fc.record({ at: instant, edited: fc.option(instant, { nil: undefined }), read: instant });
type Message = Parameters<typeof tableOf>[0][number];

function tableOf(
  messages: readonly { at: Instant; edited: Instant | undefined; read: Instant }[],
  notationOf: (place: number) => Notation,
  { quote, end }: { readonly quote: string; readonly end: string },
): string {
  const q = (text: string): string => (text === '' ? '' : `${quote}${text}${quote}`);
  const rows = messages.map(({ at, edited, read }, place) => {
    const form = notationOf(place);
    return [
      String(place + 1),
      '7',
      '1',
      q(written(at, form)),
      q(edited === undefined ? '' : written(edited, form)),
      q(`text ${place}`),
      q(written(read, form)),
    ].join(',');
  });
  return ['id,room,user,at,edited,body,read_at', ...rows, ''].join(end);
}

test('another zone, notation, quoting or line end changes no history file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.array(notation, { minLength: 1, maxLength: 4 }),
      async (messages: readonly Message[], notations) => {
        const common = { 'users.csv': 'id,name\n1,Ann\n', 'rooms.csv': 'id,name,members\n7,Desk,1\n' };
        const plain = tableOf(messages, () => utc, { quote: '', end: '\n' });
        const other = tableOf(messages, (place) => notations[place % notations.length] ?? utc, {
          quote: '"',
          end: '\r\n',
        });
        const first = await convertTables({ ...common, 'messages.csv': plain }, mapping, { isAccepted: true });
        const second = await convertTables({ ...common, 'messages.csv': other }, mapping, { isAccepted: true });
        expect(second.archives).toEqual(first.archives);
        expect(JSON.stringify(first.archives)).toContain('read_at');
      },
    ),
    { numRuns: inSuite(10, 60) },
  );
});

const utc: Notation = { offset: 0, between: 'T', zeros: 0, zone: 'Z' };
