// Tests that rules refuse plans and applies, warn, and are taken from the base for a request under review.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { commitAll, startRepository } from '../../support/git.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function policy(when: string, more = ''): string {
  return `version: 1\npolicy:\n  rules:\n    - { name: watch, when: '${when}', message: Ask the platform team.${more} }\n`;
}

test('refuses a plan and an apply that break a rule, and shows warnings', async () => {
  const cwd = await temporaryFolder({ ...desk, 'policy.yaml': policy('change.kind == "user"') });
  const planned = await expectEnd(runCli(['plan'], { cwd }), 5);
  expect(planned.stdout + planned.stderr).toMatch(
    /safety\.rule[\s\S]*Ask the platform team\. The rule watch is at policy\.yaml:4:/u,
  );
  await expectEnd(runCli(['apply', '--auto-approve'], { cwd }), 5);
  await writeFiles(cwd, { 'policy.yaml': policy('change.kind == "user"', ', level: warning') });
  const warned = await succeeded(runCli(['plan', '--format', 'json'], { cwd }));
  const { warnings } = JSON.parse(warned.stdout) as { warnings: readonly { code: string; address?: string }[] };
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'plan.rule', address: 'user.alice' }));
  expect(await runCli(['apply', '--auto-approve'], { cwd })).toMatchObject({ exit: 0 });
});

test('applies the rules to destroy', async () => {
  const cwd = await temporaryFolder({ ...desk });
  expect(await runCli(['apply', '--auto-approve'], { cwd })).toMatchObject({ exit: 0 });
  await writeFile(join(cwd, 'policy.yaml'), policy('count("user.deactivate") > 0'));
  await expectEnd(runCli(['destroy', '--confirm', 'emulator:.chatform/emulator'], { cwd }), 5, 'safety.rule');
});

test('applies the rules of the base to a request, with causes', async () => {
  const cwd = await temporaryFolder({ ...desk, 'policy.yaml': policy('change.cause == "request"') });
  startRepository(cwd);
  await writeFiles(cwd, {
    'policy.yaml': 'version: 1\npolicy: {}\n',
    'more.yaml': 'version: 1\nusers: { zoe: { nickname: Zoe } }\n',
  });
  commitAll(cwd, 'a user, and no rule');
  expect(await runCli(['plan'], { cwd })).toMatchObject({ exit: 0 });
  const judged = await expectEnd(runCli(['plan', '--base-ref', 'HEAD~1'], { cwd }), 5);
  expect(judged.stdout + judged.stderr).toMatch(/safety\.rule[^\n]*\n[^\n]*user\.zoe/u);
  expect(judged.stdout + judged.stderr).not.toMatch(/safety\.rule[^\n]*\n[^\n]*user\.alice/u);
  expect(judged.stdout).toContain('rules of the policy differs');
});
