// Tests that a state beside the manifests is not overlooked from another working folder.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function appliedShop(): Promise<string> {
  const files = Object.entries(desk).map(([name, content]) => [`shop/${name}`, content]);
  const cwd = await temporaryFolder(Object.fromEntries(files));
  expect(await runCli(['apply', '--auto-approve'], { cwd: join(cwd, 'shop') })).toMatchObject({ exit: 0 });
  return cwd;
}

test.for([
  ['plan', 'shop'],
  ['plan', 'shop/chat.yaml'],
  ['apply', 'shop', '--auto-approve'],
  ['drift', 'shop'],
  ['rehearse', 'shop'],
  ['state', 'rebuild', 'shop'],
])('names the state in the folder of the manifests: %j', async (args) => {
  const cwd = await appliedShop();
  const ended = await expectEnd(runCli(args, { cwd }), 64);
  const said = ended.stderr.replace(/\s+/gu, ' ');
  expect(said).toMatch(/The state of shop\S* is in shop\/\.chatform\/state, and the working folder has none\./u);
  expect(said).toContain('--state file:shop/.chatform/state');
});

test('looks into the folders above the working folder when a path leads there', async () => {
  const cwd = await appliedShop();
  await expectEnd(runCli(['plan', '../shop'], { cwd: join(cwd, 'shop', '..', 'shop') }), 0);
  const below = await temporaryFolder({});
  expect(await runCli(['plan', join(cwd, 'shop')], { cwd: below })).toMatchObject({ exit: 64 });
});

test('begins another state where one is named', async () => {
  const cwd = await appliedShop();
  await expectEnd(runCli(['plan', 'shop', '--state', 'file:.chatform/state'], { cwd }), 0);
});
