// Tests that a saved plan whose warnings were removed needs the same signature (semantics §6.4): anybody can write such a file.
import { expect, onTestFinished, test } from 'vitest';
import { readPlan, savePlan } from '../../../src/app/plans/plan-file.ts';
import { collectInMemory } from '../../../src/lib/series.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { archiveText } from '../../support/archives.ts';
import { reaching } from '../../support/desk.ts';
import { startRepository } from '../../support/git.ts';
import { type Place, place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';

const signer = 'ann ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApBbB+UFyhZKS7Xih4o0FYPCgb7A20P7i4Mx2odnChT';
const policyOf = (dangers: number) => `policy: { approvals: { signers: [${signer}], dangers: ${dangers} } }\n`;
const emulated = 'application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }\n';
const ann = 'users: { ann: { nickname: Ann } }\n';

/** Saves the plan, and takes out the warnings that it lists as dangers. Returns their codes. */
async function forged(at: Place, command: string): Promise<string[]> {
  const { warnings } = await at.json(`${command} --out plan.chatform`);
  const ports = { cwd: at.cwd, env: {} };
  const plan = await readPlan('plan.chatform', ports, collectInMemory);
  await savePlan(
    { ...plan, warnings: plan.warnings.filter((one) => one.dangerous !== true) },
    'forged.chatform',
    ports,
  );
  return warnings.flatMap((one: { code: string; dangerous?: true }) => (one.dangerous === true ? [one.code] : []));
}

async function expectRefused(at: Place): Promise<void> {
  for (const file of ['plan.chatform', 'forged.chatform'])
    await at.ends(['apply', '--approvals-from', 'chat.yaml', file], 5, 'signature.missing');
}

test('a plan with a refresh, without its warning of channels that nobody declares, needs a signature', async () => {
  const running = await startPlatform();
  const altering = await startAltering(running.url);
  onTestFinished(altering.close);
  const textOf = (objects: string) => `version: 1\napplication: { rate_plan: 100k_mau }\n${policyOf(0)}${objects}`;
  const at = await place({ 'chat.yaml': textOf(ann) }, reaching({ url: altering.url, token: running.token }));
  await at.does('apply --auto-approve');
  altering.transit.change = (answer, path) =>
    path.includes('/users/ann/group_channel_count') ? { group_channel_count: 2000 } : answer;
  await at.write({ 'chat.yaml': textOf(`${ann}group_channels: { room: { members: { ann: } } }\n`) });
  expect(await forged(at, 'plan --refresh')).toEqual(['user.too-many-channels']);
  await expectRefused(at);
});

test('a plan without its warnings of history needs a signature, and with them they count once', async () => {
  // The third danger is that messages stay sent.
  const archive = archiveText([{ user_id: 'ann', message: 'Hello', timestamp: 1_500_000_000_000 }]);
  const textOf = (dangers: number) =>
    `version: 1\n${emulated}${policyOf(dangers)}${ann}group_channels: { tea-room: { members: { ann: }, messages: { file: tea.ndjson } } }\n`;
  const at = await place({ 'chat.yaml': textOf(2), 'tea.ndjson': archive });
  expect((await forged(at, 'plan --refresh')).sort()).toEqual(['history.expires', 'history.hidden']);
  await expectRefused(at);
  await at.write({ 'chat.yaml': textOf(3) });
  await at.does('plan --refresh --out plan.chatform');
  await at.does('apply plan.chatform --approvals-from chat.yaml');
});

test('a request that moves the state adds no danger that a signature is for, with its warning and without', async () => {
  const textOf = (state: string, name: string) =>
    `version: 1\n${emulated.replace('{ base', `{ state: ${state}, base`)}${policyOf(0)}${ann.replace('Ann', name)}`;
  const at = await place({ '.gitignore': '.chatform/\nkept/\n', 'chat.yaml': textOf('file:kept', 'Ann') });
  startRepository(at.cwd);
  await at.does('apply --auto-approve');
  await at.write({ 'chat.yaml': textOf('file:moved', 'Anna') });
  expect(await forged(at, 'plan --base-ref main')).toEqual(['plan.state-moved']);
  const apply = 'apply --approvals-ref main --approvals-from chat.yaml';
  await at.does(`${apply} forged.chatform`);
  expect((await at.does(`${apply} plan.chatform`)).stdout).toContain('nothing left to do');
});
