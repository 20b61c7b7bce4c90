// Tests that the advice of a refusal works when it is followed as it stands: its commands, flags and lines of policy.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../../support/folders.ts';
import { place } from '../../support/place.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';

const head = 'version: 1\napplication: { base_url: "emulator:.chatform/data", rate_plan: 100k_mau }\n';
const users = (count: number, more = '') =>
  `version: 1\nusers:\n${Array.from({ length: count }, (_, at) => `  u${at}: { nickname: U${more} }\n`).join('')}`;
const apply = ['apply', '--auto-approve'];

interface Case {
  readonly code: string;
  /** Files of the first apply, with `app.yaml` and thirty users. */
  readonly before?: Readonly<Record<string, string>>;
  /** Leads from an applied estate to the refusal. */
  readonly provoke: (cwd: string) => Promise<unknown>;
  readonly refused: readonly string[];
  /** The commands that the advice names, completed where it leaves out a file or an address. Each starts with words of the advice. */
  readonly commands?: readonly (readonly [words: string, ...args: string[]])[];
  /** Whether the advice has a line of policy, which is pasted into a file of its own. Then the command is run again. */
  readonly hasPolicy?: true;
}

const run = (cwd: string, ...args: readonly string[]) => succeeded(runCli(args, { cwd }));
const edit = (files: Readonly<Record<string, string>>) => (cwd: string) => writeFiles(cwd, files);
const closed = {
  'a.yaml': `${users(30)}  off: { nickname: Off, deactivated: true }\n`,
  'b.yaml': 'version: 1\ngroup_channels: { room: { members: { u1: , off: } } }\n',
};
const line = (message: string) =>
  `${JSON.stringify({ message_type: 'MESG', user_id: 'u1', message, timestamp: 1_600_000_000_000 })}\n`;
const history = {
  'b.yaml': 'version: 1\nopen_channels: { hall: { messages: { file: hall.ndjson } } }\n',
  'hall.ndjson': line('one'),
};

const cases: readonly Case[] = [
  {
    code: 'state.empty',
    provoke: (cwd) => rm(join(cwd, '.chatform/state'), { recursive: true }),
    refused: ['drift'],
    commands: [['chatform state rebuild', 'state', 'rebuild']],
  },
  {
    code: 'state.push-refused',
    provoke: async (cwd) => {
      await run(cwd, 'state', 'pull', 'copy.ndjson');
      await writeFiles(cwd, { 'a.yaml': users(30, 'x') });
      await run(cwd, ...apply);
    },
    refused: ['state', 'push', 'copy.ndjson'],
    commands: [
      ['chatform state pull', 'state', 'pull', 'saved.ndjson'],
      ['--force', 'state', 'push', 'copy.ndjson', '--force'],
    ],
  },
  {
    code: 'state.occupied',
    provoke: (cwd) => run(cwd, 'state', 'forget', 'user.u1', '--auto-approve'),
    refused: ['state', 'rebuild'],
    commands: [
      ['chatform adopt', 'adopt', 'user.u1'],
      ['--force', 'state', 'rebuild', '--force'],
    ],
  },
  {
    code: 'state.occupied',
    provoke: async () => {},
    refused: ['export', '--out-dir', 'copy'],
    commands: [
      ['--state', 'export', '--out-dir', 'copy', '--state', 'file:other'],
      ['--without-state', 'export', '--out-dir', 'other-copy', '--without-state'],
    ],
  },
  {
    code: 'address.unknown',
    provoke: async () => {},
    refused: ['state', 'show', 'user.nobody'],
    commands: [['chatform state list', 'state', 'list']],
  },
  {
    code: 'usage',
    provoke: async () => {},
    refused: ['state', 'forget', 'user.u1'],
    commands: [['--auto-approve', 'state', 'forget', 'user.u1', '--auto-approve']],
  },
  { code: 'safety.input-shrank', provoke: edit({ 'a.yaml': users(10) }), refused: apply, hasPolicy: true },
  {
    code: 'safety.over-budget',
    provoke: edit({ 'a.yaml': users(30).replaceAll('nickname: U', 'nickname: U, deactivated: true') }),
    refused: apply,
    hasPolicy: true,
  },
  {
    code: 'safety.reopen',
    before: closed,
    provoke: edit({ 'b.yaml': 'version: 1\ngroup_channels: { room: { members: { u1: } } }\n' }),
    refused: apply,
    hasPolicy: true,
  },
  {
    code: 'messages.sent-part-changed',
    before: history,
    provoke: edit({ 'hall.ndjson': line('edited') }),
    refused: apply,
    hasPolicy: true,
  },
];

/** A line of policy in the advice, up to the bracket that closes its first. */
function policyIn(advice: string): string {
  const start = advice.lastIndexOf('policy: {');
  let depth = 0;
  for (let at = start; at >= 0 && at < advice.length; at += 1) {
    if (advice[at] === '{') depth += 1;
    if (advice[at] === '}') depth -= 1;
    if (advice[at] === '}' && depth === 0) return advice.slice(start, at + 1);
  }
  throw new Error(`no policy in: ${advice}`);
}

test.for(cases)('$code: $refused', async ({ code, before = {}, provoke, refused, commands = [], hasPolicy }) => {
  const at = await place({ 'app.yaml': head, 'a.yaml': users(30), ...before });
  await run(at.cwd, ...apply);
  await provoke(at.cwd);
  const ended = await at.run(refused);
  expect(ended.exit, ended.stdout).not.toBe(0);
  // The terminal wraps the lines.
  const said = ended.stderr.replaceAll(/\s+/gu, ' ');
  expect(said).toContain(`error[${code}]`);
  for (const [words, ...args] of commands) {
    expect(said).toContain(words);
    await run(at.cwd, ...args);
  }
  if (hasPolicy !== true) return;
  await at.write({ 'policy.yaml': `version: 1\n${policyIn(said)}\n` });
  await run(at.cwd, ...refused);
});
