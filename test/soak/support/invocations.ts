// How may each command be called? For every command of the registry a few ways, with arguments that can occur.
import type { Chance } from '../../promise/support/chance.ts';

interface Situation {
  readonly draw: Chance;
  /** Declared now. */
  readonly addresses: readonly string[];
  /** Whether plan.chatform was ever saved. */
  readonly hasPlan: boolean;
}

type Ways = (situation: Situation) => readonly (readonly string[])[];

const auto = '--auto-approve';

/** The emulator and the server of tools run until they are told to stop, and an examination lasts a minute. */
export const notCalled: ReadonlySet<string> = new Set(['emulator', 'mcp', 'calibrate', 'conformance']);

/** An export of Stream, small and right. */
export const exportFile = '.exports/stream.json';
export const exported = JSON.stringify([
  { type: 'user', item: { id: 'alice', name: 'Alice' } },
  { type: 'channel', item: { id: 'room', type: 'messaging', created_by: 'alice' } },
  { type: 'member', item: { channel_type: 'messaging', channel_id: 'room', user_id: 'alice' } },
  {
    type: 'message',
    item: {
      id: 'm1',
      channel_type: 'messaging',
      channel_id: 'room',
      user: 'alice',
      text: 'Hello',
      type: 'regular',
      created_at: '2024-01-01T00:00:00Z',
    },
  },
]);

/** What writes manifests writes below a folder with a dot, where the commands that follow do not look. */
export const invocations: Readonly<Record<string, Ways>> = {
  init: () => [['init', '.out/fresh']],
  validate: ({ draw }) => [
    ['validate'],
    ['validate', '--online'],
    ['validate', '--format', draw.one(['json', 'sarif', 'github'])],
    ['validate', 'no-such-folder'],
  ],
  fmt: () => [
    ['fmt', '--check'],
    ['fmt', 'chat.yaml'],
  ],
  plan: ({ draw, addresses }) => [
    ['plan'],
    ['plan', '--refresh', '--verbose'],
    ['plan', '--plain'],
    ['plan', '--out', 'plan.chatform'],
    ['plan', '--refresh', '--out', 'plan.chatform'],
    ['plan', '--format', draw.one(['json', 'markdown', 'html']), '--detailed-exitcode'],
    ['plan', '--target', draw.one(addresses)],
    ['plan', '--target', draw.one(['user.*', 'group_channel.room-1*'])],
    ['plan', '--exclude', draw.one(addresses)],
    ['plan', '--target', 'user.*', '--exclude', draw.one(addresses)],
    ['plan', '--base-ref', 'HEAD'],
    ['plan', '--redact', '--write', 'json=out.json', 'markdown=out.md'],
  ],
  show: ({ hasPlan }) =>
    hasPlan
      ? [
          ['show', 'plan.chatform'],
          ['show', 'plan.chatform', '--format', 'json'],
        ]
      : [['show', 'none']],
  apply: ({ hasPlan, draw, addresses }) => [
    ['apply', auto],
    ['apply', auto, '--report', 'report.json', '--events', 'events.ndjson'],
    ['apply', auto, '--keep-going', '--verbose', '--plain'],
    ['apply', auto, '--refresh'],
    ['apply', auto, '--verify'],
    ['apply', auto, '--max-duration', '100ms'],
    ['apply', auto, '--target', draw.one(addresses)],
    ['apply', auto, '--exclude', draw.one(addresses)],
    ['apply'],
    ...(hasPlan
      ? [
          ['apply', 'plan.chatform'],
          ['apply', 'plan.chatform', '--skip-conflicts'],
        ]
      : []),
  ],
  rehearse: ({ hasPlan }) => [
    ['rehearse'],
    ['rehearse', '--window', 'gcra', '--format', 'json'],
    ...(hasPlan ? [['rehearse', 'plan.chatform']] : []),
  ],
  drift: () => [
    ['drift'],
    ['drift', '--detailed-exitcode', '--format', 'json'],
    ['drift', '--repair', 'harmless', auto],
  ],
  explain: ({ draw, addresses }) => [
    ['explain', draw.one(addresses)],
    ['explain', 'user.nobody'],
    ['explain', draw.one(addresses), '--format', 'json'],
  ],
  export: ({ draw }) => [['export', '--out-dir', `.out/export-${draw.int(0, 1_000_000)}`]],
  convert: ({ draw }) => [
    ['convert', 'stream', exportFile, '--out-dir', '.out/converted'],
    ['convert', 'stream', exportFile, '--out-dir', '.out/converted', '--strict', '--format', 'json'],
    ['convert', draw.one(['slack', 'mattermost', 'discord', 'sendbird']), exportFile, '--out-dir', '.out/other'],
    ['convert', 'stream', 'no-such-file', '--out-dir', '.out/other'],
  ],
  'convert-files': () => [
    [
      'convert-files',
      'stream',
      exportFile,
      '--out-dir',
      '.out/converted',
      '--to',
      '.out/files',
      '--public-url',
      'https://a.example',
    ],
  ],
  cutover: () => [
    ['cutover', '.out/converted'],
    ['cutover', '.out/converted', '--format', 'json'],
  ],
  commands: () => [['commands', '--format', 'json']],
  undo: () => [['undo'], ['undo', auto], ['undo', '1', '--out', 'undo.chatform']],
  adopt: ({ draw, addresses }) => [['adopt', draw.one(addresses)]],
  destroy: () => [['destroy', '--confirm', 'something-else']],
  verify: () => [['verify']],
  test: () => [['test'], ['test', '--format', 'json']],
  state: ({ draw, addresses }) => [
    ['state', 'list'],
    ['state', 'show', draw.one(addresses)],
    ['state', 'forget', draw.one(addresses)],
    ['state', 'lock-status'],
    ['state', 'unlock', '--auto-approve'],
    ['state', 'rebuild'],
    ['state', 'lock-status', '--format', 'json'],
    ['state', 'pull', '--out', 'pulled.ndjson'],
    ['state', 'push', 'pulled.ndjson'],
    ['state', 'push', 'pulled.ndjson', '--force'],
    ['state', 'rebind', 'https://other.example.com/v3'],
    ['state', 'dance'],
  ],
  schema: () => [['schema'], ['schema', 'plan'], ['schema', 'constructor']],
  completion: ({ draw }) => [['completion', draw.one(['bash', 'zsh', 'fish'])]],
};
