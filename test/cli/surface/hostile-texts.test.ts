// Tests that nothing which a command prints or writes for people and programs is obeyed by a terminal or a CI log.
import { expect, test } from 'vitest';
import { harmIn } from '../../core/view/support/hostile.ts';
import { place } from '../../support/place.ts';

const hostile = '\u{1b}[31m\u{9b}2J\u{1b}]8;;http://x\u{7}link\u{202e}gnp\u{200b}\n::error::x';
const inYaml = JSON.stringify(hostile);
const files = {
  'app/chat.yaml': `version: 1
application: { base_url: 'emulator:app/data', rate_plan: 100k_mau }
users: { alice: { nickname: ${inYaml}, metadata: { ${inYaml.replaceAll(/\\n|::/gu, '')}: ${inYaml} } }, bob: { nickname: B } }
group_channels: { room: { name: ${inYaml}, data: ${inYaml}, members: { alice: }, messages: { file: room.ndjson } } }
`,
  'app/room.ndjson': `${JSON.stringify({ message_type: 'MESG', user_id: 'alice', message: hostile, timestamp: 1_700_000_000_000 })}\n`,
};
const gate = `printf '${hostile.replace('\n', '\\n')}' >&2; exit 1`;
const outputs = ['report.json', 'report.html', 'events.ndjson', 'plan.md', 'plan.html', 'verified.json', 'verified.md'];

test('what manifests, gates and flags contain is harmless in every output', async () => {
  const at = (await place(files)).with({ env: { PATH: process.env.PATH ?? '' } });
  const printed: Record<string, string> = {};
  const run = async (exit: number, ...args: readonly string[]): Promise<void> => {
    const { stdout, stderr } = await at.ends(args, exit);
    printed[args.join(' ')] = stdout + stderr;
  };
  const staged = ['--auto-approve', '--stage', 'user', '--gate', gate];
  await run(0, 'plan', 'app', '--stage', 'user', '--write', 'markdown=plan.md', 'html=plan.html');
  await run(0, 'plan', '--each', 'app', '--format', 'json');
  await run(4, 'apply', 'app', ...staged, '--report', 'report.json', '--events', 'events.ndjson');
  await run(4, 'apply', 'app', ...staged, '--report', 'report.html');
  await run(4, 'apply', '--each', 'app', ...staged, '--format', 'json');
  await run(0, 'apply', 'app', '--auto-approve');
  await run(0, 'verify', 'app', '--report', 'verified.json', 'verified.md');
  for (const flags of [`--stage=${hostile}`, `--target=${hostile}`, hostile, `--variables=${hostile}`])
    printed[flags] = (await at.run(['plan', flags])).stderr;
  for (const name of outputs) printed[name] = await at.read(name);
  for (const [name, text] of Object.entries(printed)) expect(harmIn(text), name).toBeUndefined();
});
