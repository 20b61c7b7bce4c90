// Tests that an agent can write a manifest and repair it with little reading: ten faults, each repaired by the words of its diagnostic.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { DiagnosticsDocument } from '../../../src/core/model/documents.ts';
import { agentFiles } from '../../../src/tools/init/agent-files.ts';
import { place } from '../../support/place.ts';

/** 16 objects: users by name and by row, a bot, open and group channels, bans, mutes, a custom type and a webhook. */
const manifest = `version: 1
application:
  base_url: emulator:.chatform/emulator
  rate_plan: 5k_mau
policy:
  removals: { max_share: 0.1, free_count: 3 }
  rules: [{ name: few, when: plan.change > 500, message: Too many at once. }]
users:
  alice: { nickname: Alice, profil_url: https://example.com/alice.png }
  bob: { nickname: Bob }
  mallory: { nickname: Mallory }
bots:
  helper:
    bot_nickname: Helper
    bot_type: support
    bot_callback_url: http://bots.acme.example/helper
open_channel:
  lobby: { name: Lobby, operators: alice, muted: { bob: { until: 2027-01-01 } } }
group_channels:
  team-\${each.value}:
    for_each: { range: { from: 1, to: 6 } }
    name: Team \${each.value}
    custom_type: support
    members: [alice, bbo, helper]
    operators: [alice]
    banned: { mallory: { until: 2027-01-01T00:00:00Z, description: spam } }
custom_types:
  support: { profanity_filter: { keywords: [darn], type: 1 } }
settings:
  webhook: { enabled: true, url: https://hooks.acme.example/chat, enabled_events: ["*"] }
sources:
  - { kind: users, file: data/agents.csv }
`;
const agents = 'user_id,nickname,metadata.team\nagent-1,Ada,support\nagent-2,Grace,support\nagent-3,Edsger,sales\n';
/** What an agent may read in all, in bytes. */
const budget = 30_000;

type Repair = (line: string, column: number, words: readonly string[]) => string;

/** The words of a diagnostic and what an agent does to the line that it names. Nothing else is known to the agent. */
const repairs: readonly (readonly [words: RegExp, repair: Repair])[] = [
  [/Did you mean "(.+?)"\?/u, (line, column, [, name = '']) => replaceAt(line, column, /[\w-]+/u, name)],
  [
    /Write a list: (\w+: )(\[.+\])\.$/u,
    (line, _, [, key, list]) => line.replace(RegExp(`${key}\\w+`, 'u'), `${key}${list}`),
  ],
  [/Write each as a key: /u, (line) => line.replace(/\[(.+)\]/u, (_, names: string) => asKeys(names))],
  [/or a range such as \{ from: /u, (line) => line.replace(/\{ range: (\{.+\}) \}/u, '$1')],
  [/such as \d{4}-\d\d-\d\d(T\S+Z)\./u, (line, column, [, time]) => replaceAt(line, column, /[\d-]+/u, `$&${time}`)],
  [/Write an https address/u, (line) => line.replace('http:', 'https:')],
  [
    /No such key: (\w+)\. .* plan \(.*\b(\1\w+)/u,
    (line, _, [, wrong = '', name = '']) => line.replace(`${wrong} `, `${name} `),
  ],
];

test('an agent repairs ten faults of 16 objects by what is printed, within 30 KB with guide, page and plan', async () => {
  const at = await place(
    { 'chatform.yaml': manifest, 'data/agents.csv': agents },
    { CHATFORM_ALLOWED_HOSTS: 'bots.acme.example,hooks.acme.example' },
  );
  const { files } = await agentFiles(at.cwd, 'npx chatform');
  const guide = files.find(({ file }) => basename(file) === 'AGENTS.md')?.text ?? '';
  const semantics = await readFile(new URL('../../../src/semantics.md', import.meta.url), 'utf8');
  const page = /^## 9\. [\s\S]+?(?=^1\. )/mu.exec(semantics)?.[0] ?? '';
  expect(guide).toContain('section 9');
  let bytes = Buffer.byteLength(guide) + Buffer.byteLength(page);

  let repaired = 0;
  let exit = 65;
  for (let round = 1; exit === 65 && round <= 5; round += 1) {
    const end = await at.run('validate --format json');
    bytes += Buffer.byteLength(end.stdout);
    ({ exit } = end);
    const { diagnostics, groups }: DiagnosticsDocument = JSON.parse(end.stdout);
    expect(diagnostics, 'one diagnostic for each cause').toHaveLength(groups.length);
    const lines = (await at.read('chatform.yaml')).split('\n');
    // From the end of a line to its start, so that a repair does not move the next one.
    for (const { detail, source } of diagnostics.toSorted(
      (a, b) => (b.source?.column ?? 0) - (a.source?.column ?? 0),
    )) {
      const { line: number = 0, column = 0 } = source ?? {};
      const before = lines[number - 1] ?? '';
      const [pattern, repair] = repairs.find(([words]) => words.test(detail)) ?? [];
      const after = pattern && repair?.(before, column, [...(pattern.exec(detail) ?? [])]);
      expect(after === before ? undefined : after, `no repair of: ${before}\n${detail}`).toBeDefined();
      lines[number - 1] = after ?? before;
      repaired += 1;
    }
    await at.write({ 'chatform.yaml': lines.join('\n') });
  }
  expect({ exit, repaired }).toEqual({ exit: 0, repaired: 10 });

  const { stdout } = await at.does('plan --format json');
  bytes += Buffer.byteLength(stdout);
  expect(JSON.parse(stdout).summary).toMatchObject({ create: 15, update: 1 });
  expect(bytes).toBeLessThan(budget);
});

function replaceAt(line: string, column: number, word: RegExp, by: string): string {
  return line.slice(0, column - 1) + line.slice(column - 1).replace(word, by);
}

function asKeys(names: string): string {
  const keys = names.split(', ').map((name) => `${name}: `);
  return `{ ${keys.join(', ')} }`;
}
