// Tests the times of a mapping: units, formats and zones, including hours that a zone has twice or never.
import { describe, expect, test } from 'vitest';
import { type ReadTime, type TimeForm, timeReader } from '../../../../../src/migration/convert/sources/table/times.ts';
import { convertTables } from '../../support/converted.ts';

const at = (iso: string) => Date.parse(iso);

describe('reads', () => {
  test.for<readonly [string, TimeForm, string | number, number, (string | number)?]>([
    ['seconds', { unit: 'seconds' }, 1_700_000_000, 1_700_000_000_000],
    ['seconds with a fraction', { unit: 'seconds' }, '1700000000.25', 1_700_000_000_250],
    ['milliseconds', { unit: 'milliseconds' }, 1_700_000_000_123, 1_700_000_000_123],
    ['microseconds', { unit: 'microseconds' }, '1700000000123456', 1_700_000_000_123, '2023-11-14T22:13:20.123456Z'],
    ['units of 100 ns', { unit: '100ns' }, '17000000001230000', 1_700_000_000_123],
    [
      'nanoseconds',
      { unit: 'nanoseconds' },
      '1700000000123000001',
      1_700_000_000_123,
      '2023-11-14T22:13:20.123000001Z',
    ],
    ['ISO with a zone among numbers', { unit: 'seconds' }, '2024-01-01T01:00:00+01:00', at('2024-01-01T00:00:00Z')],
    ['ISO with a zone among others', { format: 'dd.MM.yyyy' }, '2024-01-01 00:00:00Z', at('2024-01-01T00:00:00Z')],
    ['the format before ISO', { format: 'yyyy-dd-MM Z' }, '2024-02-01 Z', at('2024-01-02T00:00:00Z')],
    ['ISO in UTC', {}, '2024-02-29T12:00:00Z', at('2024-02-29T12:00:00Z')],
    ['an offset', {}, '2024-01-31 23:59:59.5+02', at('2024-01-31T21:59:59.500Z')],
    ['an offset beside a zone', { zone: 'Asia/Tokyo' }, '2024-01-01T00:00:00Z', at('2024-01-01T00:00:00Z')],
    ['a zone', { zone: 'Asia/Tokyo' }, '2024-01-01 00:00:00', at('2023-12-31T15:00:00Z')],
    ['a day', { zone: '+02:00' }, '2024-01-01', at('2023-12-31T22:00:00Z')],
    ['the second before summer', { zone: 'Europe/Berlin' }, '2024-03-31 01:59:59', at('2024-03-31T00:59:59Z')],
    ['an hour that is skipped', { zone: 'Europe/Berlin' }, '2024-03-31 02:30:00', at('2024-03-31T01:30:00Z')],
    ['an hour that is there twice', { zone: 'Europe/Berlin' }, '2024-10-27 02:30:00', at('2024-10-27T00:30:00Z')],
    ['the hour after it', { zone: 'Europe/Berlin' }, '2024-10-27 03:00:00', at('2024-10-27T02:00:00Z')],
    ['a format', { format: 'd.M.yyyy HH:mm', zone: 'UTC' }, '1.2.2024 03:04', at('2024-02-01T03:04:00Z')],
    [
      'a format with hyphens',
      { format: 'yyyy-MM-dd HH:mm', zone: 'UTC' },
      '2024-02-01 03:04',
      at('2024-02-01T03:04:00Z'),
    ],
    [
      'names of months',
      { format: 'MMM dd, yyyy hh:mm:ss a', zone: 'UTC' },
      'Feb 01, 2024 12:00:05 PM',
      at('2024-02-01T12:00:05Z'),
    ],
    [
      'a fraction and an offset',
      { format: 'yyyy/MM/dd HH:mm:ss.SSS Z' },
      '2024/02/01 00:00:00.007 +01:00',
      at('2024-01-31T23:00:00.007Z'),
    ],
    [
      'WhatsApp in English',
      { format: 'M/d/yy, h:mm a', zone: 'UTC' },
      '\u200e9/10/29, 8:44\u202fPM',
      at('2029-09-10T20:44:00Z'),
    ],
    ['WhatsApp in Germany', { format: 'dd.MM.yy, HH:mm', zone: 'UTC' }, '31.12.23, 23:59', at('2023-12-31T23:59:00Z')],
    [
      'WhatsApp in Spanish',
      { format: 'd/M/yy, h:mm:ss a', zone: 'UTC', language: 'es' },
      '10/9/29, 8:44:40\u202fp.\u00a0m.',
      at('2029-09-10T20:44:40Z'),
    ],
    ['midnight of 12 hours', { format: 'd/M/yy h:mm a', zone: 'UTC' }, '1/1/70 12:00 a.m.', 0],
    ['the last year of yy', { format: 'd/M/yy', zone: 'UTC' }, '1/1/69', at('2069-01-01T00:00:00Z')],
    [
      'Google Chat',
      { format: "EEEE, MMMM d, yyyy 'at' h:mm:ss a Z" },
      'Tuesday, September 10, 2029 at 8:44:40\u202fPM UTC',
      at('2029-09-10T20:44:40Z'),
    ],
    [
      'German',
      { format: "EEEE, d. MMMM yyyy 'um' h:mm a", zone: 'UTC', language: 'de' },
      'Montag, 10. September 2029 um 3:44 nachm.',
      at('2029-09-10T15:44:00Z'),
    ],
    [
      'short names in German',
      { format: 'EEE, d. MMM yyyy', zone: 'UTC', language: 'de' },
      'Mo, 10. Sept. 2029',
      at('2029-09-10T00:00:00Z'),
    ],
    [
      'Spanish',
      { format: "EEEE, d 'de' MMMM 'de' yyyy, H:mm", zone: 'UTC', language: 'es' },
      'lunes, 10 de septiembre de 2029, 20:44',
      at('2029-09-10T20:44:00Z'),
    ],
    [
      'French',
      { format: 'EEE d MMM yyyy à HH:mm', zone: 'UTC', language: 'fr' },
      'lun. 5 févr. 2029 à 20:44',
      at('2029-02-05T20:44:00Z'),
    ],
    [
      'the genitive of Polish',
      { format: 'd MMMM yyyy', zone: 'UTC', language: 'pl' },
      '10 WRZEŚNIA 2029',
      at('2029-09-10T00:00:00Z'),
    ],
    [
      'the calendar of the format in any language',
      { format: 'd MMMM yyyy', zone: 'UTC', language: 'th' },
      '10 กันยายน 2029',
      at('2029-09-10T00:00:00Z'),
    ],
    [
      'an apostrophe',
      { format: "h 'o''clock' a, d/M/yyyy", zone: 'UTC' },
      "8 o'clock pm, 1/2/2024",
      at('2024-02-01T20:00:00Z'),
    ],
  ])('%s', ([name, form, value, time, written]) => {
    const { doubt, ...read } = timeReader(form)(value) as ReadTime;
    expect(read).toEqual({ time, written: written ?? time });
    const doubts: Readonly<Record<string, string>> = {
      'an hour that is skipped': 'time.skipped',
      'an hour that is there twice': 'time.ambiguous',
    };
    expect(doubt).toBe(doubts[name]);
  });
});

test.for<readonly [string, TimeForm, string | number]>([
  ['a day that does not exist', {}, '2024-02-30T00:00:00Z'],
  ['an hour that does not exist', {}, '2024-02-20T24:00:00Z'],
  ['24:00 in a month of 31 days', {}, '2024-03-20T24:00:00Z'],
  ['words', {}, 'yesterday'],
  ['the 31st of April', {}, '2024-04-31T00:00:00Z'],
  ['another format', { format: 'dd.MM.yyyy', zone: 'UTC' }, '2024-01-01'],
  ['text for a number', { unit: 'seconds' }, 'soon'],
  ['ISO without a zone among numbers', { unit: 'seconds' }, '2024-01-01 00:00:00'],
  ['a number among texts of a format', { format: 'dd.MM.yyyy', zone: 'UTC' }, 1_700_000_000],
  ['hour 13 of 12', { format: 'd.M.yy h a', zone: 'UTC' }, '1.2.24 13 PM'],
  ['a month in another language', { format: 'd MMMM yyyy', zone: 'UTC', language: 'fr' }, '1 March 2024'],
  ['no name of a day', { format: 'EEEE d.M.yyyy', zone: 'UTC' }, 'Someday 1.2.2024'],
  ['a negative number', { unit: 'seconds' }, -5],
])('%s is not a time', ([, form, value]) => {
  expect(timeReader(form)(value)).toEqual({ time: Number.NaN, written: value });
});

test.for(['at', 'edited'])('has a line for an ambiguous and a skipped time under %s', async (column) => {
  const mapping = `version: 1
name: own
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: messages.csv } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", text: "\${body}", time: { of: "\${at}", zone: Europe/Berlin }, edited: { of: "\${edited}", zone: Europe/Berlin } }
`;
  const row = (id: number, local: string) => {
    const times = { at: '2024-01-01 00:00:00', edited: '', [column]: local };
    return `${id},7,1,${times.at},${times.edited},hi`;
  };
  const rows = [row(1, '2024-10-27 02:30:00'), row(2, '2024-03-31 02:30:00'), row(3, '2024-05-01 10:00:00')];
  const { ledger } = await convertTables(
    {
      'users.csv': 'id,name\n1,Ann\n',
      'rooms.csv': 'id,name,members\n7,Desk,1\n',
      'messages.csv': `id,room,user,at,edited,body\n${rows.join('\n')}\n`,
    },
    mapping,
  );
  const codes = [1, 2, 3].map((id) => {
    const { reason, also = [] } = ledger.find((line) => line.id === `own:7:${id}`) ?? {};
    return [reason, ...also].filter((code) => code?.startsWith('time.'));
  });
  expect(codes).toEqual([['time.ambiguous'], ['time.skipped'], []]);
});

test('asks for a zone or unit that the mapping lacks', () => {
  expect(timeReader({})('2024-01-01 00:00:00')).toBe('zone');
  expect(timeReader({})(1_700_000_000)).toBe('unit');
  expect(timeReader({})('1700000000')).toBe('unit');
});

test.for<readonly [TimeForm, string]>([
  [{ zone: 'Europe/Atlantis' }, 'Europe/Atlantis is not a time zone'],
  [{ format: 'yyyy-MM-dd Q' }, 'Q in the format'],
  [{ format: 'HH:mm' }, 'at least yyyy, MM and dd'],
  [{ format: 'yyyy-MM-dd dd' }, 'a part twice'],
  [{ unit: 'seconds', zone: 'UTC' }, 'remove format and zone'],
  [{ format: 'MMMM d yy MMM' }, 'a part twice'],
  [{ format: 'd.M.yy yyyy' }, 'a part twice'],
  [{ format: "yyyy-MM-dd 'at" }, 'a quote without an end'],
  [{ format: 'yyyy-dd' }, 'at least yyyy, MM and dd'],
  [{ format: 'd.M.yy', language: 'no such' }, 'no such is not a language'],
  [{ format: 'd.M.yy', language: 'xx' }, 'xx is not a language'],
  [{ language: 'de' }, 'add format'],
])('refuses %o', ([form, reason]) => {
  expect(() => timeReader(form)).toThrow(reason);
});
