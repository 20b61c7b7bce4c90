// Tests that issued tokens are written to the file of --tokens-out and nowhere else.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differencesIn } from '../../support/estate.ts';
import { contentOf } from '../../support/folders.ts';
import { linesOf } from '../../support/published-schema.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users:
  alice:
    nickname: Alice
    issue_access_token: true
  bob:
    nickname: Bob
    session_token: { expires_at: 2099-01-01T00:00:00Z }
`;

test('refuses to issue tokens without a file for them', async () => {
  const cwd = await temporaryFolder({ 'chat.yaml': manifest });
  const before = await contentOf(cwd);
  await expectEnd(runCli(['apply', '--auto-approve'], { cwd }), 5, 'tokens.nowhere', '--tokens-out');
  expect(await contentOf(cwd)).toEqual(before);
});

test('writes tokens to their file, and nowhere else', async () => {
  const cwd = await temporaryFolder({ 'chat.yaml': manifest });
  const planned = await runCli(['plan', '--out', 'out/plan.chatform'], { cwd });
  expect(planned.stdout).toMatch(
    /plan\.issues-tokens.*\n.*2 tokens are issued\. Token values go only to the file given with --tokens-out/u,
  );
  const outputs = ['--report', 'out/report.json', '--events', 'out/events.ndjson', '--verbose'];
  const applied = await succeeded(
    runCli(['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson', ...outputs], { cwd }),
  );
  expect(await differencesIn(cwd)).toEqual([]);

  const file = join(cwd, 'tokens.ndjson');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const tokens = linesOf(await readFile(file, 'utf8')) as { user_id: string; field: string; value: string }[];
  expect(tokens.map(({ user_id, field }) => [user_id, field]).sort()).toEqual([
    ['alice', 'access_token'],
    ['bob', 'token'],
  ]);
  const values = tokens.map(({ value }) => value);
  for (const value of values) expect(value.length).toBeGreaterThan(8);

  const shown = await runCli(['state', 'show', 'user.alice'], { cwd });
  const again = await runCli(['plan', '--format', 'json'], { cwd });
  expect(JSON.parse(again.stdout).warnings).toEqual([]);
  const elsewhere = {
    ...(await contentOf(join(cwd, '.chatform/state'))),
    ...(await contentOf(join(cwd, 'out'))),
    output: JSON.stringify([planned, applied, shown, again]),
  };
  expect(Object.keys(elsewhere)).toEqual(expect.arrayContaining(['plan.chatform', 'report.json', 'events.ndjson']));
  for (const [name, text] of Object.entries(elsewhere)) {
    for (const value of values) expect(text.includes(value), `${name} holds a token`).toBe(false);
  }
});

test('needs no file in the next run, which issues nothing', async () => {
  const cwd = await temporaryFolder({ 'chat.yaml': manifest });
  await runCli(['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson'], { cwd });
  const again = await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
  expect(again.stdout).toContain('Nothing to do since the last apply');
});
