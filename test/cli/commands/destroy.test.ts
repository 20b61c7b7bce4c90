// Tests that destroy removes the objects in state, only for the named application, and never protected ones.
import { expect, test } from 'vitest';
import { crowd, desk } from '../../support/desk.ts';
import { Place, place } from '../../support/place.ts';

const application = 'emulator:.chatform/emulator';

async function applied(files: Readonly<Record<string, string>>): Promise<string> {
  const at = await place(files);
  await at.does('apply --auto-approve');
  return at.cwd;
}

test('removes every object in state by its on_remove, without a budget', async () => {
  const at = new Place(
    await applied({
      ...desk,
      ...crowd(30),
      'policy.yaml': 'version: 1\npolicy: { on_remove: { open_channel: delete } }\n',
    }),
  );
  const ended = await at.does(['destroy', '--confirm', application]);
  expect(ended.stdout).toContain('Plan: 1 to freeze, 33 to deactivate, 1 to delete.');
  expect(ended.stderr).toContain('removal limits do not apply');
  const list = await at.run('state list');
  expect(list.stdout).not.toContain('open_channel.lobby');
  expect(list.stdout).toContain('user.alice');
  const again = await at.run(['destroy', '--confirm', application]);
  expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('There is nothing to do') });
  // The object is managed until it is forgotten: declared again, it is reopened, and it counts in the question.
  await at.ends('plan', 5, 'user.reactivate would happen 33 times');
});

test.for([
  { args: [], exit: 64, says: `--confirm ${application}` },
  { args: ['--confirm', 'emulator:elsewhere'], exit: 5, says: 'emulator:elsewhere' },
])('ends with $exit for $args', async ({ args, exit, says }) => {
  const at = new Place(await applied(desk));
  const before = await at.content();
  const ended = await at.ends(['destroy', ...args], exit);
  expect(ended.stderr.replaceAll(/\s+/gu, ' ')).toContain(says);
  expect(await at.content()).toEqual(before);
});

test('refuses everything for one protected object', async () => {
  const guarded = 'version: 1\nusers:\n  boss: { nickname: Boss, lifecycle: { protect: true } }\n';
  const at = new Place(await applied({ ...desk, 'boss.yaml': guarded }));
  const before = await at.content();
  await at.ends(['destroy', '--confirm', application], 5, 'user.boss');
  expect(await at.content()).toEqual(before);
  // Editing the manifest does not help, because state remembers the protection.
  await at.write({ 'boss.yaml': guarded.replace('true', 'false') });
  await at.ends(['destroy', '--confirm', application], 5);
});
