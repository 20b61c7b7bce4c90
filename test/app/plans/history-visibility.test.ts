// Tests the warnings about messages that people may not see, or that the platform may delete.
import { expect, test } from 'vitest';
import { checkVisibility, type HistoryFinding } from '../../../src/app/plans/history-visibility.ts';
import { type LineBlock, outlinedArchive } from '../../../src/history/lines/archive.ts';
import { markLength } from '../../../src/lib/digest.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Resource } from '../../../src/model/resource.ts';

const now = new Date('2026-06-01T00:00:00Z');
const dayMs = 86_400_000;

/** A channel with an archive of calls, each with its number of lines and its age in days. */
interface Channel {
  readonly kind?: 'group_channel' | 'open_channel';
  readonly customType?: string;
  readonly calls: readonly (readonly [lines: number, oldestDays: number, newestDays: number])[];
}

interface Case {
  readonly name: string;
  readonly channels: readonly Channel[];
  /** The platform's settings: of the application, and by custom type. An absent one is refused. */
  readonly whole?: JsonObject;
  readonly types?: Readonly<Record<string, JsonObject>>;
  readonly declared?: readonly Resource[];
  readonly known?: number;
  readonly codes: readonly HistoryFinding['code'][];
  /** Parts of the message and the advice. */
  readonly says?: readonly string[];
}

const young: Channel = { calls: [[3, 2, 1]] };
const visible = { display_past_message: true, message_retention_hours: 4380 };
const hidden = { ...visible, display_past_message: false };
const settings = (value: boolean): Resource =>
  resource('settings.application', { all_channels: { display_past_message: value } });

const cases: readonly Case[] = [
  { name: 'visible and young', channels: [young], whole: visible, codes: [] },
  {
    name: 'hidden in every group channel',
    channels: [young, young, { ...young, kind: 'open_channel' }],
    whole: hidden,
    codes: ['history.hidden'],
    says: [
      '2 group channels',
      '6 messages',
      'Declare display_past_message: true in settings.all_channels',
      "--target 'settings.application'",
    ],
  },
  { name: 'open channels show everything', channels: [{ ...young, kind: 'open_channel' }], whole: hidden, codes: [] },
  {
    name: 'declared, but not applied yet',
    channels: [young],
    whole: hidden,
    declared: [settings(true)],
    codes: ['history.hidden'],
    says: ['The manifests declare it true. Apply that first'],
  },
  {
    name: 'declared hidden',
    channels: [young],
    whole: hidden,
    declared: [settings(false)],
    codes: ['history.hidden'],
    says: ['Declare display_past_message: true in settings.all_channels'],
  },
  {
    name: 'a custom type replaces the settings of the application',
    channels: [{ ...young, customType: 'vip' }, young],
    whole: visible,
    types: { vip: hidden },
    codes: ['history.hidden'],
    says: ['1 group channel,', '3 messages', 'in custom_types.vip', "--target 'custom_type.vip'"],
  },
  {
    name: 'a custom type without settings of its own',
    channels: [{ ...young, customType: 'vip' }],
    whole: hidden,
    codes: ['history.hidden'],
    says: ['settings.all_channels'],
  },
  {
    name: 'messages older than the retention, counted by call',
    channels: [
      {
        kind: 'open_channel',
        calls: [
          [100, 400, 300],
          [100, 190, 100],
          [7, 99, 1],
        ],
      },
    ],
    whole: visible,
    codes: ['history.expires'],
    says: ['4,380 hours', 'At least 101 of 207 messages', '2025-04-27'],
  },
  {
    name: 'no retention',
    channels: [{ calls: [[1, 4000, 4000]] }],
    whole: { ...visible, message_retention_hours: -1 },
    codes: [],
  },
  { name: 'everything is there already', channels: [young], known: 3, whole: hidden, codes: [] },
  {
    name: 'the rest of an archive',
    channels: [young],
    known: 2,
    whole: hidden,
    codes: ['history.hidden'],
    says: ['1 message '],
  },
  {
    name: 'settings that cannot be read',
    channels: [young],
    codes: ['history.unknown'],
    says: ['3 messages for 1 channel', 'no such call'],
  },
  {
    name: 'settings without the switch',
    channels: [young],
    whole: {},
    codes: ['history.unknown'],
    says: ['do not show display_past_message'],
  },
  { name: 'no archive', channels: [], codes: [] },
];

test.for(cases)(
  'finds $codes: $name',
  async ({ channels, whole, types = {}, declared = [], known = 0, codes, says = [] }) => {
    const resources = [...channels.flatMap(resourcesOf), ...declared].sort((a, b) => (a.address < b.address ? -1 : 1));
    const asked: string[] = [];
    const findings = await checkVisibility({ resources, known: () => known, now }, async ({ params, route }) => {
      const type = params?.custom_type;
      asked.push(type ?? route);
      const body = type === undefined ? whole : types[type];
      return body === undefined ? { type: 'refused', message: 'no such call' } : { type: 'ok', body };
    });

    expect(findings.map(({ code }) => code)).toEqual(codes);
    const texts = findings.map(({ message, advice }) => `${message} ${advice}`).join('\n');
    for (const part of says) expect(texts).toContain(part);
    if (channels.length === 0) expect(asked).toEqual([]);
    expect(new Set(asked).size).toBe(asked.length);
  },
);

test('names channels of more custom types than it reads', async () => {
  const channels = Array.from({ length: 103 }, (_, at) => ({ ...young, customType: `type-${at}` }));
  const findings = await checkVisibility({ resources: channels.flatMap(resourcesOf), now }, async () => ({
    type: 'ok',
    body: visible,
  }));
  expect(findings).toMatchObject([
    { code: 'history.unknown', message: expect.stringContaining('9 messages for 3 channels') },
  ]);
});

function resourcesOf({ kind = 'group_channel', customType, calls }: Channel, at: number): Resource[] {
  const archive = { ...outlinedArchive(0, [], 1), blocks: calls.map(blockOf) };
  return [
    resource(`${kind}.c${at}`, customType === undefined ? {} : { custom_type: customType }),
    resource(`messages.c${at}`, { channel: kind, archive: archive as unknown as JsonObject }),
  ];
}

function blockOf([lines, oldestDays, newestDays]: Channel['calls'][number]): LineBlock {
  const [first, last] = [now.getTime() - oldestDays * dayMs, now.getTime() - newestDays * dayMs];
  return {
    offset: 0,
    bytes: 0,
    first,
    last,
    marks: ' '.repeat(lines * markLength),
    identities: '',
    by: [],
    writers: '',
  };
}

function resource(address: Resource['address'], attributes: JsonObject): Resource {
  return { address, attributes, source: { file: 'chat.yaml', line: 1, column: 1 } } as unknown as Resource;
}
