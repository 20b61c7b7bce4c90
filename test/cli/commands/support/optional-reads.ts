// Support: an applied estate with every optional read, and commands with one of the reads refused.
import { expect, onTestFinished } from 'vitest';
import { isEssential } from '../../../../src/core/refresh/listing.ts';
import { hiddenChannelsRequest } from '../../../../src/core/resources/group-channel/statuses.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { startAltering, unaltered } from '../../../support/altered-answers.ts';
import { reaching } from '../../../support/desk.ts';
import { historyFileText } from '../../../support/history-files.ts';
import { place } from '../../../support/place.ts';
import { startPlatform } from '../../../support/platform.ts';
import { fastClock } from '../../../support/run-cli.ts';

const text = `version: 1
policy: { read_each: 100, acknowledge: [{ effect: settings.lockout, count: 1 }] }
users:
  alice: { nickname: Alice, metadata: { team: a }, auto_accept: false }
  bob: { nickname: Bob }
bots:
  helper: { bot_nickname: Helper, bot_type: own, bot_callback_url: "https://example.com/b", bot_profile_url: "https://example.com/b.png", is_privacy_mode: false }
custom_types:
  support: { max_message_length: 100, banned: { bob: }, muted: { bob: } }
settings:
  default_channel_invitation_preference: { auto_accept: true }
  webhook: { enabled: true, url: "https://example.com/w", enabled_events: ["user:ban"] }
  ip_whitelist: ["127.0.0.1"]
  push_templates: { default: { MESG: Hi, FILE: File, ADMM: News } }
open_channels:
  lobby: { name: Lobby, metadata: { a: b }, operators: [alice], banned: { bob: }, muted: { alice: } }
group_channels:
  room: { name: Room, members: { alice: , bob: }, metadata: { a: b }, muted: { bob: }, messages: { file: room.ndjson } }
`;

const refusals = [
  { status: 404, code: 400404 },
  { status: 403, code: 0 },
  { status: 400, code: 400108 },
] as const;

interface OptionalRead {
  /** As a command names what it could not read. */
  readonly name: string;
  readonly route: string;
  readonly path: RegExp;
}

/** Of every kind, the reads that a command can do without. */
const optionalReads: readonly OptionalRead[] = [
  ...registry.flatMap((kind) => {
    const { list, parts = [] } = kind.live ?? {};
    const lists = list === undefined || isEssential(kind, undefined) ? [] : [list.route, `${list.route}/{key}`];
    const ofParts = parts
      .filter(({ attribute }) => !isEssential(kind, attribute))
      .flatMap(({ attribute, request, instead }) =>
        [request('x'), ...(instead?.requests('x') ?? [])].map(({ route }) =>
          readOf(`${kind.section}.${attribute}`, route),
        ),
      );
    return [...lists.map((route) => readOf(kind.section, route)), ...ofParts];
  }),
  readOf('group_channels.hidden_status', hiddenChannelsRequest('x').route),
];

function readOf(name: string, route: string): OptionalRead {
  return { name, route, path: new RegExp(`${route.replaceAll(/\{\w+\}/gu, '[^/?]+')}(?:\\?.*)?$`, 'u') };
}

const readingCommands: Readonly<Record<string, readonly string[]>> = {
  plan: ['plan', '--refresh'],
  drift: ['drift'],
  'drift --unmanaged': ['drift', '--unmanaged'],
  'plan --target': ['plan', '--refresh', '--target', 'bot.helper', '--target', 'settings.application'],
  'state rebuild': ['state', 'rebuild', 'chat.yaml', '--state'],
  adopt: ['adopt', '*.*', '--state'],
  export: ['export', '--hidden-status', '--read-each', '--without-state', '--out-dir'],
  verify: ['verify', '--as-member'],
  'validate --online': ['validate', '--online'],
  init: ['init', '--base-url'],
};

/** Take longer, on a clock on which waiting takes little time. */
const calibrations: Readonly<Record<string, readonly string[]>> = {
  calibrate: ['calibrate', '--auto-approve', '--out'],
  conformance: ['conformance', '--auto-approve'],
};

export const fastCommands = Object.keys(readingCommands);
export const allCommands = [...fastCommands, ...Object.keys(calibrations)];

/** A command that sends an optional read, and the answer that refuses it. */
export interface Crossing {
  readonly command: string;
  readonly read: OptionalRead;
  readonly refusal: (typeof refusals)[number];
  readonly format: 'text' | 'json';
}

/** How a command says what it did without, if not by the name of the read. */
const wordsOf: Readonly<Record<string, (read: OptionalRead) => string>> = {
  adopt: ({ name }) => name.split('.')[1] ?? (name === 'bots' ? 'bot\\.helper' : 'custom_type\\.support'),
  verify: () => 'not verified|not_members": [1-9]',
  'validate --online': () => 'history.unknown',
  init: ({ name }) => `does not offer this read: ${name === 'bots' ? 'bot' : 'custom type'}`,
  calibrate: ({ route }) => `GET ${literally(route)} → `,
  // No row is about the settings, which only the notes on histories need.
  conformance: ({ name, route }) => (name.startsWith('settings.') ? 'held' : `GET ${literally(route)} was refused`),
};

/** The route as a command prints it, whatever its parameters are named. */
function literally(route: string): string {
  return route.replaceAll(/\{\w+\}/gu, '\\{\\w+\\}');
}

/** Only a read for the verdict of a command decides its exit code. */
const exitOf: Readonly<Record<string, number>> = { verify: 4 };

export async function appliedEstate() {
  const running = await startPlatform({ rateLimits: false });
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const at = await place(
    {
      'chat.yaml': text,
      'room.ndjson': historyFileText([{ user_id: 'alice', message: 'Hi', timestamp: 1_700_000_000_000 }]),
    },
    { ...reaching({ url, token: running.token }), CHATFORM_ALLOWED_HOSTS: 'example.com' },
  );
  await at.does('apply --auto-approve --tokens-out tokens');
  let runs = 0;
  const run = (command: string, more: readonly string[]) => {
    const args = readingCommands[command] ?? calibrations[command] ?? [];
    const place = command in calibrations ? at.with({ clock: fastClock(20) }) : at;
    runs += 1;
    // Each run writes to another place.
    const written = {
      'state rebuild': [`file:rebuilt-${runs}`],
      adopt: [`file:adopted-${runs}`],
      export: [`../copy-${runs}`],
      init: [url, `../new-${runs}`],
      calibrate: [`../readings-${runs}.json`],
    };
    return place.run([...args, ...(written[command as keyof typeof written] ?? []), ...more]);
  };
  return {
    /** Each optional read of each of the commands with each refusal. */
    crossings: async (commands: readonly string[]): Promise<Crossing[]> => {
      const all: Crossing[] = [];
      for (const command of commands) {
        const asked = new Set<OptionalRead>();
        transit.change = (answer, path, method) => {
          for (const read of optionalReads) if (method === 'GET' && read.path.test(path)) asked.add(read);
          return answer;
        };
        await run(command, []);
        const formats = ['text', 'json'] as const;
        for (const read of asked)
          for (const refusal of refusals) all.push(...formats.map((format) => ({ command, read, refusal, format })));
      }
      transit.change = unaltered;
      return all;
    },
    expectNamed: async ({ command, read, refusal: { status, code }, format }: Crossing): Promise<void> => {
      transit.refusedAs = status;
      transit.change = (answer, path, method) =>
        method === 'GET' && read.path.test(path) ? { error: true, code, message: 'no' } : answer;
      const { exit, stdout, stderr } = await run(command, format === 'json' ? ['--format', 'json'] : []);
      transit.change = unaltered;
      const [words, name] = [wordsOf[command]?.(read), `${command}, ${read.name}, ${code}, ${format}`];
      expect(exit, `${name}: ${stderr}`).toBe(exitOf[command] ?? 0);
      // The result of init is text.
      const printed = format === 'json' && command !== 'init' ? stdout : `${stdout}${stderr}`;
      expect(printed.replaceAll(/\s+/gu, ' '), name).toMatch(new RegExp(words ?? read.name.replace('.', '\\.'), 'iu'));
    },
  };
}
