// Tests the warnings about messages that people may not see, or that the platform may delete.
import { expect, test } from 'vitest';
import type { HistoryFinding } from '../../../../src/core/app/visibility/findings.ts';
import { checkVisibility, dangersOf } from '../../../../src/core/app/visibility/visibility.ts';
import { type LineBlock, outlinedHistoryFile } from '../../../../src/core/history/lines/history-file.ts';
import { markLength } from '../../../../src/core/history/lines/line-mark.ts';
import { printCall } from '../../../../src/core/history/sent/recorded-calls.ts';
import { type Address, compareAddresses } from '../../../../src/core/model/address.ts';
import type { BehaviourValue } from '../../../../src/core/model/behaviours.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import { shortMarkLength } from '../../../../src/lib/digest.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

const now = new Date('2026-06-01T00:00:00Z');
const dayMs = 86_400_000;

/** A channel with a history file of calls, each with its number of lines and its age in days. */
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
  /** The lines that state knows as sent, of each history file. Its channels exist then. */
  readonly sent?: readonly number[];
  /** Records of the settings. */
  readonly applied?: readonly Resource[];
  readonly isRefreshed?: true;
  readonly behaviours?: Readonly<Record<string, BehaviourValue>>;
  readonly codes: readonly HistoryFinding['code'][];
  /** Parts of the message and the advice. */
  readonly says?: readonly string[];
}

const young: Channel = { calls: [[3, 2, 1]] };
const both = { hidden: 'accept', expires: 'accept', unknown: 'accept' } as const;
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
      'Their 3 declared members may not see the 6 messages',
      'Declare display_past_message: true in settings.all_channels, which an apply sends before it creates channels',
      '--target settings.application',
    ],
  },
  { name: 'open channels show everything', channels: [{ ...young, kind: 'open_channel' }], whole: hidden, codes: [] },
  {
    name: 'declared, so that the same apply sends it before it creates the channels',
    channels: [young],
    whole: hidden,
    declared: [settings(true)],
    codes: [],
  },
  {
    name: 'declared for channels that exist, whose members joined before',
    channels: [young],
    whole: hidden,
    declared: [settings(true)],
    sent: [0],
    codes: ['history.unknown'],
    says: ['turns display_past_message on, but 1 group channel with members from before exists already', '2 messages'],
  },
  {
    name: 'declared and applied, but changed by others since',
    channels: [young],
    whole: hidden,
    declared: [settings(true)],
    applied: [settings(true)],
    codes: ['history.hidden'],
  },
  {
    name: 'the same with a refresh, which sends it again',
    channels: [young],
    whole: hidden,
    declared: [settings(true)],
    applied: [settings(true)],
    isRefreshed: true,
    codes: [],
  },
  {
    name: 'visible now, but declared hidden',
    channels: [young],
    whole: visible,
    declared: [settings(false)],
    codes: ['history.hidden'],
    says: ['As declared, display_past_message is false'],
  },
  {
    name: 'a custom type whose settings the apply creates without the switch',
    channels: [{ ...young, customType: 'vip' }],
    whole: visible,
    declared: [resource('custom_type.vip', { allow_links: false })],
    codes: ['history.unknown'],
    says: ['custom_types.vip replaces settings.all_channels and does not declare display_past_message'],
  },
  {
    name: 'a custom type whose settings others made, without the knowledge of state',
    channels: [{ ...young, customType: 'vip' }],
    whole: visible,
    types: { vip: hidden },
    declared: [resource('custom_type.vip', { allow_links: false })],
    codes: ['history.hidden'],
    says: ['in custom_types.vip'],
  },
  {
    name: 'members have no line in this application',
    channels: [young],
    whole: hidden,
    behaviours: { historyLine: 'none' },
    codes: [],
  },
  ...(['join', 'invitation'] as const).map(
    (historyLine): Case => ({
      name: `the line of this application is known: ${historyLine}`,
      channels: [young],
      whole: hidden,
      behaviours: { historyLine },
      codes: ['history.hidden'],
      says: [historyLine === 'join' ? 'after they joined' : 'after their invitation', 'do not see'],
    }),
  ),
  ...(['none', 'by_arrival', 'by_time'] as const).map(
    (migrationRetention): Case => ({
      name: `the retention of this application is known: ${migrationRetention}`,
      channels: [{ calls: [[1, 4000, 4000]] }],
      whole: visible,
      behaviours: { migrationRetention },
      codes: migrationRetention === 'by_time' ? ['history.expires'] : [],
    }),
  ),
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
    says: ['1 group channel,', '3 messages', 'in custom_types.vip', '--target custom_type.vip'],
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
  { name: 'everything is there already', channels: [young], sent: [0, 1, 2], whole: hidden, codes: [] },
  {
    name: 'the rest of a history file',
    channels: [young],
    sent: [0, 1],
    whole: hidden,
    codes: ['history.hidden'],
    says: ['1 message '],
  },
  {
    name: 'as many lines as were sent, one of which is new',
    channels: [young],
    sent: [0, 1, 9],
    whole: hidden,
    codes: ['history.hidden'],
    says: ['1 message '],
  },
  {
    name: 'a late line',
    channels: [young],
    sent: [0, 2],
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
  async ({
    channels,
    whole,
    types = {},
    declared = [],
    sent,
    applied = [],
    isRefreshed,
    behaviours = {},
    codes,
    says = [],
  }) => {
    const resources = sorted([...channels.flatMap(resourcesOf), ...declared]);
    const asked: string[] = [];
    const check = {
      resources,
      state: {
        get: (address: Address) => recordOf(address, sent) ?? applied.find((record) => record.address === address),
      },
      now,
      behaviours: new Map(Object.entries(behaviours)),
      ...(isRefreshed === undefined ? {} : { isRefreshed }),
    };
    const findings = await checkVisibility(check, async ({ params, route }) => {
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
    expect(dangersOf(findings).map(({ dangerous }) => dangerous)).toEqual(codes.map(() => true));
    expect(dangersOf(findings, both).map(({ dangerous }) => dangerous)).toEqual(codes.map(() => undefined));
    for (const { detail } of dangersOf(findings))
      expect(detail).toMatch(/say so with policy: \{history: \{\w+: accept\}\}\.$/u);
    for (const { detail } of dangersOf(findings, both)) expect(detail).not.toContain('accept');
  },
);

test('names channels of more custom types than it reads', async () => {
  const channels = Array.from({ length: 103 }, (_, at) => ({ ...young, customType: `type-${at}` }));
  const findings = await checkVisibility({ resources: sorted(channels.flatMap(resourcesOf)), now }, async () => ({
    type: 'ok',
    body: visible,
  }));
  expect(findings).toMatchObject([
    { code: 'history.unknown', message: expect.stringContaining('9 messages for 3 channels') },
  ]);
});

function sorted(resources: readonly Resource[]): Resource[] {
  return [...resources].sort((a, b) => compareAddresses(a.address, b.address));
}

function resourcesOf({ kind = 'group_channel', customType, calls }: Channel, at: number): Resource[] {
  const historyFile = { ...outlinedHistoryFile(0, [], 1), blocks: calls.map(blockOf) };
  return [
    resource(`${kind}.c${at}`, {
      members: { ann: {}, [`member-${at}`]: {} },
      ...(customType === undefined ? {} : { custom_type: customType }),
    }),
    resource(`messages.c${at}`, { channel: kind, history: historyFile as unknown as JsonObject }),
  ];
}

/** Channels and history files that were sent in part. */
function recordOf(
  address: Address,
  sent: readonly number[] | undefined,
): { address: Address; attributes: JsonObject } | undefined {
  if (sent === undefined || address.startsWith('settings')) return undefined;
  const [first, last] = [now.getTime() - 2 * dayMs, now.getTime() - dayMs];
  const call = { marks: ' '.repeat(sent.length * markLength), identities: identitiesOf(sent), first, last };
  const calls = { '0': { '0': printCall({ ...call, isUnsure: false }) } };
  return { address, attributes: address.startsWith('messages.') ? { history: { messages: sent.length }, calls } : {} };
}

function identitiesOf(lines: readonly number[]): string {
  return lines.map((line) => String(line).padStart(shortMarkLength)).join('');
}

function blockOf([lines, oldestDays, newestDays]: Channel['calls'][number]): LineBlock {
  const [first, last] = [now.getTime() - oldestDays * dayMs, now.getTime() - newestDays * dayMs];
  return {
    offset: 0,
    bytes: 0,
    first,
    last,
    marks: ' '.repeat(lines * markLength),
    identities: identitiesOf([...Array(lines).keys()]),
    by: [],
    writers: '',
  };
}

function resource(address: Resource['address'], attributes: JsonObject): Resource {
  return { address, attributes, source: { file: 'chat.yaml', line: 1, column: 1 } } as unknown as Resource;
}
