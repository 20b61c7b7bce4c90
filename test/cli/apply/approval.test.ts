import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { contentOf } from '../../support/folders.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('applies after a yes', async () => {
  const cwd = await temporaryFolder(desk);
  await succeeded(runCli(['apply'], { cwd, answers: ['yes'] }));
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd })).toMatchObject({ exit: 0 });
});

test.for(['no', 'y', '', 'yes please'])('treats the answer "%s" as no', async (answer) => {
  const cwd = await temporaryFolder(desk);
  const before = await contentOf(cwd);
  await expectEnd(runCli(['apply'], { cwd, answers: [answer] }), 5, 'apply.declined');
  expect(await contentOf(cwd)).toEqual(before);
});

test.for<{ name: string; env: Readonly<Record<string, string>>; answers?: readonly string[] }>([
  { name: 'no terminal', env: {} },
  {
    name: 'CI is set, although there is a terminal',
    env: { CI: 'true', CHATFORM_STATE: 'file:.chatform/state' },
    answers: ['yes'],
  },
])('neither prompts nor applies without approval: $name', async ({ env, answers }) => {
  const cwd = await temporaryFolder(desk);
  const before = await contentOf(cwd);
  await expectEnd(runCli(['apply'], { cwd, env, ...(answers === undefined ? {} : { answers }) }), 64, '--auto-approve');
  expect(await contentOf(cwd)).toEqual(before);
});

test('applies only the reviewed plan with an approved hash', async () => {
  const cwd = await temporaryFolder(desk);
  const { stdout } = await runCli(['plan', '--format', 'json'], { cwd });
  const { hash } = JSON.parse(stdout);
  const before = await contentOf(cwd);
  await expectEnd(
    runCli(['apply', '--auto-approve', '--approved-hash', hash.replace(/^./u, 'x')], { cwd }),
    6,
    'plan.not-approved',
  );
  await expectEnd(
    runCli(['apply', '--auto-approve', '--approved-hash', hash.slice(0, 12)], { cwd }),
    6,
    'Pass the full hash',
  );
  expect(await contentOf(cwd)).toEqual(before);
  await succeeded(runCli(['apply', '--auto-approve', '--approved-hash', hash], { cwd }));
});

test('does not ask when there is nothing to do', async () => {
  const cwd = await temporaryFolder(desk);
  await runCli(['apply', '--auto-approve'], { cwd });
  const ended = await succeeded(runCli(['apply'], { cwd, answers: [] }));
  expect(ended.stdout).toContain('Nothing to do since the last apply');
});
