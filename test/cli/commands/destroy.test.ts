// Tests that destroy removes the objects in state, only for the named application, and never protected ones.
import { expect, test } from 'vitest';
import { crowd, desk } from '../../support/desk.ts';
import { type Place, place } from '../../support/place.ts';

const application = 'emulator:.chatform/emulator';
const destroy = `destroy --confirm ${application}`;

async function applied(files: Readonly<Record<string, string>>): Promise<Place> {
  const at = await place(files);
  await at.does('apply --auto-approve');
  return at;
}

test('removes every object in state by its on_remove, without a budget', async () => {
  const policy = 'version: 1\npolicy: { on_remove: { open_channel: delete } }\n';
  const at = await applied({ ...desk, ...crowd(30), 'policy.yaml': policy });
  const ended = await at.ends(destroy, 0, 'removal limits do not apply');
  expect(ended.stdout).toContain('Plan: 1 to freeze, 33 to deactivate, 1 to delete.');
  const list = (await at.run('state list')).stdout;
  expect(list).not.toContain('open_channel.lobby');
  expect(list).toContain('user.alice');
  expect((await at.does(destroy)).stdout).toContain('There is nothing to do');
  // The object is managed until it is forgotten: declared again, it is reopened, and it counts in the question.
  await at.ends('plan', 5, 'user.reactivate would happen 33 times');
});

test('refuses without the name of the application or with another one, and everything for one protected object', async () => {
  const guarded = 'version: 1\nusers:\n  boss: { nickname: Boss, lifecycle: { protect: true } }\n';
  const at = await applied({ ...desk, 'boss.yaml': guarded });
  const before = await at.content();
  await at.ends('destroy', 64, `--confirm ${application}`);
  await at.ends('destroy --confirm emulator:elsewhere', 5, 'emulator:elsewhere');
  await at.ends(destroy, 5, 'user.boss');
  expect(await at.content()).toEqual(before);
  // Editing the manifest does not help, because state remembers the protection.
  await at.write({ 'boss.yaml': guarded.replace('true', 'false') });
  await at.ends(destroy, 5);
});
