// Tests signed plans: how they are signed, which signatures an apply accepts, and what is kept of them.
//
// Without ssh-keygen (openssh-client) the tests that need it are skipped.
import { expect, test } from 'vitest';
import { contentOf } from '../../support/folders.ts';
import { place } from '../../support/place.ts';

const chat = `version: 1
application: { base_url: "emulator:emu.json" }
users: { alice: { nickname: Alice } }
`;

test('a plan is saved with what --sign-command prints for its bytes, and the command sees no variable of chatform', async () => {
  const at = await place({ 'chat.yaml': chat }, { CHATFORM_API_TOKEN: 'secret' });
  const command = 'cat > read; env > seen; printf signed';
  await at.ends(['plan', '--out', 'plan.chatform', '--sign-command', command], 0, 'its signature to plan.chatform.sig');
  expect(await at.read('read')).toEqual(await at.read('plan.chatform'));
  expect(await at.read('plan.chatform.sig')).toBe('signed');
  expect(await at.read('seen')).not.toMatch(/CHATFORM_|secret/u);
});

test.for([
  ['fails', 'exit 3', 'failed'],
  ['prints nothing', 'cat > /dev/null', 'printed no signature'],
])('no plan is saved if the command that signs it %s', async ([, command = '', says = '']) => {
  const at = await place({ 'chat.yaml': chat });
  await at.ends(['plan', '--out', 'plan.chatform', '--sign-command', command], 1, 'plan.sign-failed', says);
  expect(Object.keys(await contentOf(at.cwd))).not.toContain('plan.chatform');
});

test('a plan is not signed without a file', async () => {
  const at = await place({ 'chat.yaml': chat });
  await at.ends('plan --sign-command cat', 64, '--sign-command needs --out');
});
