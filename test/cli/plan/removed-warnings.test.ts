// Tests that a saved plan whose dangers were removed or renamed needs the same signature, and that nobody can sign it unseen
// (semantics §6.4): anybody can write such a file.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readPlan, savePlan } from '../../../src/core/app/plans/plan-file.ts';
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts';
import { collectInMemory } from '../../../src/lib/series.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { startRepository } from '../../support/git.ts';
import { historyFileText } from '../../support/history-files.ts';
import { type Place, place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { hasSshKeygen, type Key, newKey, signFile } from '../../support/signers.ts';

/** The key of a signer, unless ssh-keygen of openssh-client is missing. Then nothing is signed. */
let key: Key | undefined;
let signer = 'ann ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApBbB+UFyhZKS7Xih4o0FYPCgb7A20P7i4Mx2odnChT';
beforeAll(async () => {
  if (!hasSshKeygen) return;
  const folder = await makeFolder();
  key = newKey(folder, 'ann');
  signer = `ann ${key.publicKey}`;
  return () => removeFolder(folder);
});
const policyOf = (dangers: number) => `policy: { approvals: { signers: [${signer}], dangers: ${dangers} } }\n`;
const emulated = 'application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }\n';
const ann = 'users: { ann: { nickname: Ann } }\n';

/** What somebody may write in place of a warning that is a danger. */
const forgeries: Readonly<Record<string, (danger: Diagnostic) => readonly Diagnostic[]>> = {
  removed: () => [],
  'without its mark': ({ dangerous: _mark, ...warning }) => [warning],
  'of another code': (danger) => [{ ...danger, code: 'people.read-receipt' }],
  'a note': ({ dangerous: _mark, ...warning }) => [{ ...warning, severity: 'note' }],
};

/** Saves the plan, and replaces the warnings that it lists as dangers. Returns their codes. */
async function forged(at: Place, command: string, forge = forgeries.removed): Promise<string[]> {
  const { warnings } = await at.json(`${command} --out plan.chatform`);
  const ports = { cwd: at.cwd, env: {} };
  const plan = await readPlan('plan.chatform', ports, collectInMemory);
  await savePlan(
    { ...plan, warnings: plan.warnings.flatMap((one) => (one.dangerous === true ? (forge?.(one) ?? []) : [one])) },
    'forged.chatform',
    ports,
  );
  return dangersIn(warnings);
}

function dangersIn(warnings: readonly Diagnostic[]): string[] {
  return warnings.flatMap(({ code, dangerous }) => (dangerous === true ? [code] : [])).sort();
}

async function expectRefused(at: Place): Promise<void> {
  for (const file of ['plan.chatform', 'forged.chatform'])
    await at.ends(['apply', '--approvals-from', 'chat.yaml', file], 5, 'signature.missing');
}

/** Nobody who signs the file has seen its dangers. */
async function expectUnseen(at: Place): Promise<void> {
  if (key === undefined) return;
  signFile(at.path('forged.chatform'), key);
  await at.ends(['apply', '--approvals-from', 'chat.yaml', 'forged.chatform'], 5, 'signature.unseen-danger');
}

/** The codes of what `show` lists as dangers of the whole plan. */
async function shownDangers(at: Place): Promise<string[]> {
  return dangersIn((await at.json('show forged.chatform')).warnings);
}

test.for(Object.entries(forgeries))(
  'a plan with a refresh, its warning of channels that nobody declares %s, needs a signature',
  async ([name, forge]) => {
    const running = await startPlatform();
    const altering = await startAltering(running.url);
    onTestFinished(altering.close);
    const textOf = (objects: string) => `version: 1\napplication: { rate_plan: 100k_mau }\n${policyOf(0)}${objects}`;
    const at = await place({ 'chat.yaml': textOf(ann) }, reaching({ url: altering.url, token: running.token }));
    await at.does('apply --auto-approve');
    altering.transit.change = (answer, path) =>
      path.includes('/users/ann/group_channel_count') ? { group_channel_count: 2000 } : answer;
    await at.write({ 'chat.yaml': textOf(`${ann}group_channels: { room: { members: { ann: } } }\n`) });
    expect(await forged(at, 'plan --refresh', forge)).toEqual(['user.too-many-channels']);
    await expectRefused(at);
    await expectUnseen(at);
    // Only the platform shows these channels, and show does not read it.
    const isNamed = !['removed', 'of another code'].includes(name);
    expect(await shownDangers(at)).toEqual([
      ...(name === 'of another code' ? ['people.read-receipt'] : []),
      ...(isNamed ? ['user.too-many-channels'] : []),
    ]);
  },
);

test.for(Object.entries(forgeries))(
  'a plan with its warnings of history %s needs a signature, and with them they count once',
  async ([name, forge]) => {
    // The third danger is that messages stay sent.
    const historyFile = historyFileText([{ user_id: 'ann', message: 'Hello', timestamp: 1_500_000_000_000 }]);
    const textOf = (dangers: number) =>
      `version: 1\n${emulated}${policyOf(dangers)}${ann}group_channels: { tea-room: { members: { ann: }, messages: { file: tea.ndjson } } }\n`;
    const at = await place({ 'chat.yaml': textOf(2), 'tea.ndjson': historyFile });
    const dangers = ['history.expires', 'history.hidden'];
    expect(await forged(at, 'plan --refresh', forge)).toEqual(dangers);
    await expectRefused(at);
    await expectUnseen(at);
    const { warnings } = await at.json('show forged.chatform');
    const isNamed = !['removed', 'of another code'].includes(name);
    if (isNamed) expect(dangersIn(warnings)).toEqual(dangers);
    else expect(warnings).toContainEqual(expect.objectContaining({ code: 'history.unknown', severity: 'warning' }));
    await at.write({ 'chat.yaml': textOf(3) });
    await at.does('plan --refresh --out plan.chatform');
    await at.does('apply plan.chatform --approvals-from chat.yaml');
  },
);

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
